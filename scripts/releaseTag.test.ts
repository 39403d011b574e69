import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasTag, tagRelease } from './releaseTag.ts';

test('a release is tagged once, with its changes, in this clone only', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tag-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [origin, clone] = [join(folder, 'origin'), join(folder, 'clone')];
  const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', origin]);
  execFileSync('git', ['clone', '--quiet', origin, clone], { stdio: 'ignore' });
  git('config', 'user.name', 'svc');
  git('config', 'user.email', 'svc@example.com');
  const changelog = `# Changelog

## [Unreleased]
- later

## [0.2.0] - 2026-11-18

### Added
- tags

## [0.1.0] - 2026-11-01
- first
`;
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
  git('add', '.');
  git('commit', '--quiet', '--message', 'Release 0.2.0');

  assert.equal(hasTag(clone, '0.2.0'), false);
  tagRelease(clone, '0.2.0');
  assert.equal(hasTag(clone, '0.2.0'), true);
  assert.equal(git('cat-file', '-t', 'v0.2.0'), 'tag');
  assert.equal(git('rev-parse', 'v0.2.0^{commit}'), git('rev-parse', 'HEAD'));
  assert.equal(
    git('for-each-ref', '--format=%(contents)', 'refs/tags/v0.2.0'),
    'svc 0.2.0\n\n### Added\n- tags',
  );
  assert.throws(() => tagRelease(clone, '0.2.0'));
  assert.equal(git('ls-remote', '--tags', 'origin'), '');
});
