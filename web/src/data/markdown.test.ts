// Markdown of unknown writers: what is supported, what stays plain text, and that no text is expensive or hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';

const paragraph = (...inside: Inline[]): Block => ({ kind: 'paragraph', inside });
const words = (text: string): Inline => ({ kind: 'text', text });

test('headings, lists, check boxes, quotes, code and emphasis', () => {
  assert.deepEqual(parseMarkdown('## Goal\nA **bold** and *fine* `a*b`.\nNext line'), [
    { kind: 'heading', level: 2, inside: [words('Goal')] },
    paragraph(
      words('A '),
      { kind: 'strong', inside: [words('bold')] },
      words(' and '),
      { kind: 'em', inside: [words('fine')] },
      words(' '),
      { kind: 'code', text: 'a*b' },
      words('.\nNext line'),
    ),
  ]);
  assert.deepEqual(parseMarkdown('- [x] one\n- [ ] two\n  - inner\n\n3. three'), [
    {
      kind: 'list',
      start: null,
      items: [
        { isDone: true, blocks: [paragraph(words('one'))] },
        {
          isDone: false,
          blocks: [
            paragraph(words('two')),
            { kind: 'list', start: null, items: [{ isDone: null, blocks: [paragraph(words('inner'))] }] },
          ],
        },
      ],
    },
    { kind: 'list', start: 3, items: [{ isDone: null, blocks: [paragraph(words('three'))] }] },
  ]);
  assert.deepEqual(parseMarkdown('> said\n\n```ts\na < b\n```\n\n---'), [
    { kind: 'quote', blocks: [paragraph(words('said'))] },
    { kind: 'code', text: 'ts\na < b' },
    { kind: 'rule' },
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
    'vbscript:x',
    '//x.example',
    'file:///etc',
  ])
    assert.deepEqual(linksIn(`[here](${target}) ![x](${target}) <${target}>`), [], target);
  assert.deepEqual(parseMarkdown('![cat](https://a.example/cat.png)'), [
    paragraph({ kind: 'picture', href: 'https://a.example/cat.png', label: 'cat' }),
  ]);
  assert.deepEqual(parseMarkdown('See https://a.example/x.'), [
    paragraph(words('See '), { kind: 'link', href: 'https://a.example/x', label: '' }, words('.')),
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

test('of a megabyte of marks, nesting or brackets, no character is read more than a few times', () => {
  const million = 1_000_000;
  for (const unit of [
    '*a ',
    '**a ',
    '_',
    '`',
    '``` ',
    '[',
    '![',
    '](',
    '> ',
    '- ',
    '  - a\n',
    '1. ',
    '\\',
    '~~x',
    '#',
    '[a](https://',
    'https://',
    '* a\n\n',
    '>a\n',
    '\n',
    '*__~~`[',
  ]) {
    const text = unit.repeat(Math.ceil(million / unit.length));
    const { result: tree, reads } = countReads(() => parseMarkdown(text));
    assert.ok(reads < 5 * million, `${JSON.stringify(unit)} makes the parser read ${reads} characters`);
    // React renders recursively: the tree must be shallow.
    assert.ok(depthOf(tree) < 20, `${JSON.stringify(unit)} nests ${depthOf(tree)} deep`);
  }
});

/** How many characters patterns and searches pass over. A pattern at a fixed place that does not match counts as one. */
function countReads<T>(run: () => T): { readonly result: T; readonly reads: number } {
  const { exec } = RegExp.prototype;
  const { indexOf } = String.prototype;
  let reads = 0;
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    const end = found === null ? (this.sticky ? from + 1 : text.length) : found.index + found[0].length;
    reads += end - from;
    return found;
  };
  String.prototype.indexOf = function (part, from = 0) {
    const found = indexOf.call(this, part, from);
    reads += (found < 0 ? this.length : found + part.length) - from;
    return found;
  };
  try {
    const result = run();
    return { result, reads };
  } finally {
    Object.assign(RegExp.prototype, { exec });
    Object.assign(String.prototype, { indexOf });
  }
}

function wordsOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(wordsOf).join('');
  const {
    text = '',
    label = '',
    href = '',
    inside = [],
    blocks = [],
    items = [],
  } = node as Record<string, unknown> & {
    readonly text?: string;
    readonly label?: string;
    readonly href?: string;
  };
  return `${text}${label}${href}${wordsOf(inside)}${wordsOf(blocks)}${wordsOf(items)}`;
}

function depthOf(node: unknown): number {
  if (node === null || typeof node !== 'object') return 0;
  const depths = Object.values(node).map(depthOf);
  return depths.reduce((most, depth) => Math.max(most, depth), 0) + (Array.isArray(node) ? 0 : 1);
}
