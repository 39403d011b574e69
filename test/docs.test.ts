// Keeps every page sound: links lead somewhere, tables are whole, cited code and tests exist.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import {
  loadPages,
  type Page,
  readAnchors,
  readBlocks,
  readCode,
  readLinks,
  readTables,
  root,
} from './docs/markdown.ts';

const pages = loadPages('*.md', 'docs/**/*.md');
const pageAt = (path: string): Page | undefined => pages.find((page) => page.path === path);

test('every link leads to a file, and every anchor to a heading', () => {
  for (const page of pages) {
    for (const { target } of readLinks(page).filter(isLocal)) {
      const [file = '', anchor] = target.split('#');
      const path = relative(root, file === '' ? join(root, page.path) : resolveFrom(page, file));
      assert.ok(existsSync(join(root, path)), `${page.path} links to ${target}`);
      if (anchor === undefined) continue;
      const linked = pageAt(path);
      assert.ok(linked && readAnchors(linked).has(anchor), `${page.path} links to ${target}`);
    }
  }
});

test('every shell block is run by a test, or stands in the table with the reason why not', () => {
  const found = pages.flatMap((page) => readShellSections(page).map((section) => `${page.path}: ${section}`));
  const tables = readTables((pageAt('docs/contributing.md') as Page).text);
  const [, ...rows] = tables.find(([head = []]) => head[2] === 'run by, or why not') ?? [];
  const plain = (cell = '') => cell.replaceAll('`', '');
  const listed = rows.map(([path, section]) => `${plain(path)}: ${plain(section)}`);
  assert.deepEqual(listed.sort(), [...new Set(found)].sort());
  for (const [path = '', , treatment = ''] of rows) {
    const files = treatment.match(/(?<=`)test\/[\w/.]+/g) ?? [];
    for (const file of files) assert.ok(existsSync(join(root, file)), file);
    if (treatment.startsWith('not run: ')) continue;
    const [file = ''] = files;
    assert.ok(readFileSync(join(root, file), 'utf8').includes(plain(path)), `${file} reads ${path}`);
  }
});

test('no page names a package or image that somebody else may own', () => {
  const others = loadPages('{contracts,python,sdk,service}/*.md', 'hosting/{compose.yaml,Dockerfile}');
  const foreign =
    /\bnpx (?!(--prefix \S+ )?--no (svc|-- node))|\b(npm|pnpm|yarn|bun)( -\S+)* (i|install|add|exec)( -\S+)* (svc|@svc\/)|\bpip3? install (?!'?\.\/)|\b(docker|podman) (pull|run)\b.* svc\b|^ +image: (?!localhost\/|docker\.io\/(library|prom|grafana)\/)/;
  assert.match('npm install -g svc', foreign);
  assert.ok(others.length > 4);
  for (const { path, text } of [...pages, ...others])
    for (const line of text.split('\n')) assert.doesNotMatch(line, foreign, path);
});

test('every Solidity test that a page cites stands in the file it links to', () => {
  for (const page of pages) {
    const cited = readLinks(page).filter(({ text }) => /^(test|testFuzz|invariant)_/.test(text));
    for (const { text, target } of cited) {
      const source = readFileSync(resolveFrom(page, target), 'utf8');
      assert.ok(source.includes(`function ${text}(`), `${page.path} cites ${text}`);
    }
  }
});

test('every member of a contract that a page cites stands in its source', () => {
  for (const page of pages) {
    for (const code of readCode(page)) {
      const [, contract = '', member = ''] = code.match(/^([A-Z]\w+)\.(\w+)$/) ?? [];
      const sources = sourcesOf(contract);
      if (sources === '') continue;
      assert.match(sources, new RegExp(`\\b${member}\\b`), `${page.path} cites ${code}`);
    }
  }
});

test('the example in docs/contracts.md is the file that is checked', () => {
  const example = readFileSync(join(root, 'docs/examples/signatures.ts'), 'utf8');
  const blocks = readBlocks(pageAt('docs/contracts.md') as Page);
  assert.deepEqual(
    blocks.filter(({ language }) => language === 'ts').map(({ text }) => text),
    [example],
  );
});

/** The headings above shell blocks. */
function readShellSections({ path, text }: Page): string[] {
  return `\n${text}`
    .split(/\n(?=## )/)
    .filter((part) => readBlocks({ path, text: part }).some(({ language }) => language === 'sh'))
    .map((part) => /^## (.*)/.exec(part)?.[1] ?? 'the beginning');
}

function isLocal({ target }: { readonly target: string }): boolean {
  return !/^[a-z]+:/.test(target);
}

function resolveFrom(page: Page, target: string): string {
  return resolve(root, dirname(page.path), target);
}

/** The text of a contract and of all that it derives from; empty when it is none of ours. */
function sourcesOf(contract: string, path = `contracts/src/${contract}.sol`): string {
  if (!existsSync(join(root, path))) return '';
  const text = readFileSync(join(root, path), 'utf8');
  const bases =
    text.match(new RegExp(`^(?:abstract )?contract ${contract} is ([^{]+)`, 'm'))?.[1]?.split(',') ?? [];
  const inherited = bases.map((base) => sourcesOf(base.trim(), findImport(text, base.trim(), path)));
  return [text, ...inherited].join('');
}

function findImport(text: string, name: string, from: string): string {
  const imports = [...text.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)];
  const [, , path = ''] = imports.find(([, names = '']) => names.split(/,\s*/).includes(name)) ?? [];
  return path.startsWith('.') ? join(dirname(from), path) : join('node_modules', path);
}
