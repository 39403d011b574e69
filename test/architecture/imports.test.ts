// Proves that every way to import is found, and nothing that only looks like one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource } from './imports.ts';

const specifiersOf = (source: string) => parseSource(source).imports.map(({ specifier }) => specifier);

test('static, type, side-effect, export-from and dynamic imports are found', () => {
  const source = [
    "import a from 'a';",
    "import type { B } from './b.ts';",
    "import { type C, d } from '#room/c.ts';",
    "import * as e from 'e';",
    "import 'f';",
    'export * from "g";',
    "export type { H } from 'h';",
    "export { i } from 'i'",
    "const j = await import('j');",
    "type K = import('k').K;",
    'import {',
    '  long,',
    "} from 'l';",
    "import m, { n } from 'm' with { type: 'json' };",
    'const o = import(`o`);',
  ].join('\n');
  assert.deepEqual(specifiersOf(source), [
    'a',
    './b.ts',
    '#room/c.ts',
    'e',
    'f',
    'g',
    'h',
    'i',
    'j',
    'k',
    'l',
    'm',
    'o',
  ]);
});

test('lines are those of the source', () => {
  const { imports } = parseSource(
    "// one\n/* two\nthree */\nimport a from 'a';\n\nconst b = () => import('b');\n",
  );
  assert.deepEqual(imports, [
    { specifier: 'a', line: 4 },
    { specifier: 'b', line: 6 },
  ]);
});

test('comments, strings, templates and regular expressions hold no imports', () => {
  const source = [
    "// import a from 'a';",
    "/* export * from 'b'; */",
    'const c = "import x from \'c\'";',
    "const d = `import x from 'd' ${'`'} import('e')`;",
    "const f = /import 'f'/;",
    "const g = x.import('g');",
    "const h = /['\"`]/; import real from 'real';",
    'const i = `${`${1}`} }`; export { j } from "also-real";',
    "const url = 'https://x.example'; const k = 4 / 2; import('third') / 2;",
  ].join('\n');
  assert.deepEqual(specifiersOf(source), ['real', 'also-real', 'third']);
});

test('code inside a template is still code', () => {
  assert.deepEqual(specifiersOf("const a = `${await import('b')} and ${{ c: { d: 1 } }.c.d} import('e')`;"), [
    'b',
  ]);
});

test('an apostrophe in JSX text spoils no later line', () => {
  assert.deepEqual(specifiersOf("const a = <p>don't</p>;\nconst b = import('b');"), ['b']);
});

test('a computed target is reported', () => {
  const source = "import(name);\nimport('a' + name);\nimport(`a/${name}`);\nimport(/* why */ 'fine');";
  const parsed = parseSource(source);
  assert.deepEqual(parsed.computedImports, [1, 2, 3]);
  assert.deepEqual(
    parsed.imports.map(({ specifier }) => specifier),
    ['fine'],
  );
});
