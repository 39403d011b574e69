// Markdown of unknown writers: what is supported, what stays plain text, and that no text is expensive or hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tokens } from 'marked';
import { parseMarkdown } from './markdown.ts';

test('headings, lists, check boxes, quotes, code and emphasis', () => {
  const [heading, paragraph] = outline('## Goal\nA **bold** and *fine* `a*b`.\nNext line');
  assert.deepEqual(heading, ['heading', 'Goal']);
  const [bold, fine, code] = [
    ['strong', 'bold'],
    ['em', 'fine'],
    ['codespan', 'a*b'],
  ];
  assert.deepEqual(paragraph, ['paragraph', 'A ', bold, ' and ', fine, ' ', code, '.\nNext line']);
  const [list, ordered] = parseMarkdown('- [x] one\n- [ ] two\n  - inner\n\n3. three').filter(
    (token) => token.type === 'list',
  );
  assert.deepEqual(
    list?.items.map(({ checked }) => checked),
    [true, false],
  );
  assert.deepEqual([list?.ordered, ordered?.ordered, ordered?.start], [false, true, 3]);
  const inner = ['list', ['list_item', ['text', 'inner']]];
  assert.deepEqual(outline('- one\n  - inner'), [['list', ['list_item', ['text', 'one'], inner]]]);
  assert.deepEqual(outline('> said\n\n```ts\na < b\n```\n\n---'), [
    ['blockquote', ['paragraph', 'said']],
    ['code', 'a < b'],
    ['hr'],
  ]);
});

test('plain sentences stay as they are', () => {
  for (const text of ['2 * 3 * 4', 'snake_case_name and __init__.py', 'a ~ b', '(5) no', 'C:\\new', '[x](y)'])
    assert.equal(wordsOf(parseMarkdown(text)), text, text);
});

test('only http and https addresses become links; pictures are links that nobody loads', () => {
  const linksIn = (text: string) => JSON.stringify(parseMarkdown(text)).match(/"href":"[^"]*"/g) ?? [];
  for (const target of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//x.example',
    'file:///etc',
  ])
    assert.deepEqual(linksIn(`[here](${target}) ![x](${target}) <${target}>`), [], target);
  assert.deepEqual(linksIn('www.a.example me@a.example'), []);
  assert.match(wordsOf(parseMarkdown('[a](https://a.example "title")')), /"title"/);
  assert.deepEqual(outline('![cat](https://a.example/cat.png)'), [['paragraph', ['image', 'cat']]]);
  assert.deepEqual(linksIn('![cat](https://a.example/cat.png)'), ['"href":"https://a.example/cat.png"']);
  assert.deepEqual(outline('See https://a.example/x.'), [
    ['paragraph', 'See ', ['link', 'https://a.example/x'], '.'],
  ]);
});

test('HTML, comments and definitions are text: nothing is hidden from a judge', () => {
  const text = '<b onclick=x>hi</b> <!-- secret --> <script>1</script>\n\n[1]: https://a.example "note"';
  for (const part of ['<b onclick=x>hi</b>', '<!-- secret -->', '<script>1</script>', '[1]:', '"note"'])
    assert.ok(wordsOf(parseMarkdown(text)).includes(part), part);
});

test('every letter and digit of a text can be read', () => {
  const text =
    '# t1 #\n- [x] b2\n> q3 **s4** ~~d5~~ `c6`\n\n```x7\ny8\n```\n1. z9\n\n[l10](https://h11.example)';
  const letters = (some: string) => some.replaceAll(/[^a-z0-9]/g, '');
  // The mark of a check box is drawn, and the number of an item counted.
  assert.equal(letters(wordsOf(parseMarkdown(text))), letters(text.replace('[x]', '').replace('1. ', '')));
});

test('of a megabyte of marks, nesting or brackets only the beginning is parsed', () => {
  const million = 1_000_000;
  const marks = ['*a ', '**a ', '_a_', '*a**b', '`', '[', '![', '](', '\\', '~~x', '*__~~`['];
  const blocks = ['``` ', '> ', '- ', '  - a\n', '> a\n- b\n\n', '1. ', '#', '|a|\n|-|\n', '* a\n\n', '\n'];
  for (const unit of [...marks, ...blocks, '[a](https://', 'https://']) {
    const text = unit.repeat(Math.ceil(million / unit.length));
    const tree = parseMarkdown(text);
    // The work is bounded by what the lexer reads: 30,000 characters, and 5,000 of one paragraph.
    const { raw, tokens = [] } = tree.at(-1) as Tokens.Paragraph;
    assert.equal(raw, text.slice(30_000), JSON.stringify(unit));
    assert.deepEqual(
      tokens.map(({ type }) => type),
      ['text'],
    );
    for (const { type, raw: source, tokens: inside } of tree as Tokens.Paragraph[])
      if (type === 'paragraph' && source.length > 5_010) assert.equal(inside.length, 1, JSON.stringify(unit));
    // React renders recursively: the tree must be shallow.
    assert.ok(depthOf(tree) < 20, `${JSON.stringify(unit)} nests ${depthOf(tree)} deep`);
  }
});

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly raw: string };

/** The children of a token, the tokens of an item included. */
function childrenOf({ tokens, items }: Node): readonly Node[] | undefined {
  return (tokens ?? items) as readonly Node[] | undefined;
}

/** Each token as its type and what is inside; blank lines are left out. */
function outline(text: string): readonly unknown[] {
  const show = (node: Node): unknown => {
    const children = node.type === 'link' || node.type === 'image' ? undefined : childrenOf(node);
    if (children !== undefined) return [node.type, ...children.map(show)];
    if (node.type === 'text') return node.text;
    return node.text === undefined ? [node.type] : [node.type, node.text];
  };
  return (parseMarkdown(text) as unknown as Node[]).filter(({ type }) => type !== 'space').map(show);
}

/** All that a page shows of a text. */
function wordsOf(nodes: readonly unknown[]): string {
  return (nodes as readonly Node[])
    .map((node) => {
      const { type, text = '', href = '', lang = '' } = node;
      if (type === 'link' || type === 'image') return text === href ? text : `${text}${href}`;
      const children = childrenOf(node);
      if (children !== undefined) return wordsOf(children);
      return type === 'br' ? '\n' : `${lang}${text}`;
    })
    .join('');
}

function depthOf(nodes: readonly unknown[]): number {
  const depths = (nodes as readonly Node[]).map((node) => 1 + depthOf(childrenOf(node) ?? []));
  return depths.reduce((most, depth) => Math.max(most, depth), 0);
}
