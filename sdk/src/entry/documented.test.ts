// Proves that every public function of the SDK says in a comment what it does, so that editors show it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

test('every function and class that an entry exports has a comment', () => {
  const entries = globSync('entry/*.ts', { cwd: folder }).filter((path) => !path.endsWith('.test.ts'));
  const exported = entries.flatMap((path) =>
    [...read(path).matchAll(/^export \{([^}]*)\} from '\.\.\/([^']+)';$/gm)].flatMap(
      ([, names = '', from = '']) =>
        names
          .split(',')
          .flatMap((name) => (/^\s*\w+\s*$/.test(name) ? [name.trim()] : []))
          .map((name) => ({ name, source: read(from) })),
    ),
  );
  assert.ok(exported.length > 100);
  for (const { name, source } of exported) {
    const declared = new RegExp(`(\\*/\\n)?^export (?:async )?(?:function\\*?|class) ${name}\\b`, 'm').exec(
      source,
    );
    assert.ok(declared === null || declared[1] !== undefined, `${name} has no comment`);
  }
});
