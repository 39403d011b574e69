// `npm run release`: builds, checks and publishes the three packages, makes the one for Python in dist/, which is uploaded by
// hand, and tags the commit in this clone.
//
// --dry-run   builds, checks and packs everything, and publishes nothing
//
// Publishing signs a statement of provenance, which names the public repository. Its address is not known yet: it belongs
// into "repository" of the root package.json, from where it gets into the packages.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stagePackage } from './stagePackage.ts';
import { root } from './tools.ts';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url: string };
};

const workspaces = ['contracts', 'sdk', 'service'];
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const isDry = values['dry-run'];

const { version, repository } = readManifest('.');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const problems = findProblems();
for (const problem of problems) console.error(problem);
// A rehearsal goes on, to show what else is missing.
if (problems.length > 0 && !isDry) process.exit(1);

for (const script of ['build', 'packages:check']) npm(root, 'run', script);
const staging = mkdtempSync(join(tmpdir(), 'svc-release-'));
for (const workspace of workspaces) {
  const folder = stagePackage(workspace, staging);
  if (!isDry && repository !== undefined)
    npm(folder, 'pkg', 'set', `repository.url=${repository.url}`, `repository.directory=${workspace}`);
  npm(folder, 'publish', ...(isDry ? ['--dry-run', '--provenance=false'] : []));
}
const wheel = makeWheel();
rmSync(staging, { recursive: true });
console.log(`${wheel}: made and imported, not uploaded`);
console.log(
  `svc ${version}: ${isDry ? `packed, not published; ${problems.length} things to do first` : 'published'}`,
);
if (!isDry) {
  const [, section = ''] = changelog.split(`\n## [${version}]`);
  const changes = section.split('\n## ')[0]?.replace(/^.*\n/, '').trim();
  // Headings of the changelog begin with what would be a comment.
  const message = ['--cleanup=verbatim', '--message', `svc ${version}\n\n${changes}\n`];
  git('tag', '--annotate', ...message, `v${version}`);
  console.log(`This commit is tagged. Others get the tag by: git push origin v${version}`);
}

function findProblems(): string[] {
  const manifests = workspaces.map(readManifest);
  return [
    ...manifests
      .filter((manifest) => manifest.version !== version)
      .map((manifest) => `${manifest.name} has version ${manifest.version}, the repository ${version}.`),
    ...(readFileSync(join(root, 'python/pyproject.toml'), 'utf8').includes(`\nversion = "${version}"\n`)
      ? []
      : [`python/pyproject.toml has another version than the repository, ${version}.`]),
    ...(changelog.includes(`## [${version}]`) ? [] : [`CHANGELOG.md has no section for ${version}.`]),
    ...(git('tag', '--list', `v${version}`) === ''
      ? []
      : [`There is a tag v${version} already: raise the version.`]),
    ...(git('status', '--porcelain') === '' ? [] : ['There are uncommitted changes.']),
    ...findForeignNames(manifests.map(({ name }) => name)),
    ...(repository === undefined ? ['Set "repository" in package.json to the public address first.'] : []),
  ];
}

/** Guides and documents print these names (`SVC_PACKAGE`), so each must be free or ours on the registry. */
function findForeignNames(names: readonly string[]): string[] {
  const user = askNpm('whoami').answer?.trim();
  if (user === undefined)
    return ['Sign in with npm login: whose the names of the packages are could not be checked.'];
  return names.flatMap((name) => {
    const { answer, isMissing } = askNpm('view', name, 'maintainers', '--json');
    if (isMissing || answer?.includes(`"${user} <`)) return [];
    return answer === undefined
      ? [`The registry does not say whose ${name} is.`]
      : [
          `${name} on the registry is somebody else's: publish under another name, and set SVC_PACKAGE to it.`,
        ];
  });
}

/** `isMissing`: the registry answered that nobody uses the name. No answer for any other failure. */
function askNpm(...args: string[]): { readonly answer?: string; readonly isMissing?: boolean } {
  try {
    const shell = process.platform === 'win32';
    return { answer: execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe', shell }) };
  } catch (error) {
    return { isMissing: /\bE404\b/.test(String((error as { stderr?: unknown }).stderr)) };
  }
}

/** From a copy, since pip builds inside the folder. A wheel of plain Python can be imported as it is. */
function makeWheel(): string {
  const [copy, made] = [join(staging, 'python'), join(root, 'dist')];
  cpSync(join(root, 'python'), copy, { recursive: true });
  const file = join(made, `svc_market-${version}-py3-none-any.whl`);
  python('-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', made, copy);
  python('-c', 'import sys; sys.path.insert(0, sys.argv[1]); import svc_market', file);
  return file;
}

function python(...args: string[]): void {
  execFileSync('python3', args, { stdio: 'inherit' });
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
}
