// The tag of a release: annotated, with its section of the changelog, and in this clone only. Pushing it is up to a person.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

export function hasTag(folder: string, version: string): boolean {
  return git(folder, 'tag', '--list', `v${version}`) !== '';
}

/** Throws where there is such a tag: a version is released once. */
export function tagRelease(folder: string, version: string): void {
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  const [, section = ''] = changelog.split(`\n## [${version}]`);
  const changes = section.split('\n## ')[0]?.replace(/^.*\n/, '').trim();
  // Headings of the changelog begin with what would be a comment.
  const message = ['--cleanup=verbatim', '--message', `svc ${version}\n\n${changes}\n`];
  git(folder, 'tag', '--annotate', ...message, `v${version}`);
}
