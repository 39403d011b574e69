// A safe subset of Markdown as a tree: no HTML, no picture that loads, nothing hidden. Every word stays visible.
// Ours instead of a library: a library writes HTML, which then needs a sanitiser; this tree cannot express any.

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  /** `label` is empty for an address that stands alone; pictures become links. */
  | { readonly kind: 'link' | 'picture'; readonly href: string; readonly label: string };

export type Block =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly Item[] }
  | { readonly kind: 'rule' };

/** `isDone` is null for an item that is no check box. */
export type Item = { readonly isDone: boolean | null; readonly blocks: readonly Block[] };

/** Longer texts end as one plain paragraph. */
const maxLength = 100_000;
/** Lists and quotes further inside are plain text. */
const maxDepth = 6;

export function parseMarkdown(text: string): readonly Block[] {
  const blocks = parseBlocks(text.slice(0, maxLength).split(/\r\n?|\n/), 0);
  const rest = text.slice(maxLength);
  return rest === '' ? blocks : [...blocks, { kind: 'paragraph', inside: [{ kind: 'text', text: rest }] }];
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const rule = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|\d{1,6}[.)])[ \t]+(?=\S)/;
const checkbox = /^\[([ xX])\][ \t]+/;

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  const mayNest = depth < maxDepth;
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', inside: parseInline(paragraph.join('\n')) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const opened = fence.exec(line)?.[1];
    const title = heading.exec(line);
    if (line.trim() === '') {
      endParagraph();
      at += 1;
    } else if (opened !== undefined) {
      endParagraph();
      const end = findLine(lines, at + 1, (one) => one.trim().startsWith(opened));
      // What stands behind the opening fence, such as a language, is shown as well: nothing is hidden.
      const first = line.trim().slice(opened.length).trim();
      blocks.push({
        kind: 'code',
        text: [...(first === '' ? [] : [first]), ...lines.slice(at + 1, end)].join('\n'),
      });
      at = end + 1;
    } else if (title !== null) {
      endParagraph();
      blocks.push({ kind: 'heading', level: title[1]?.length ?? 1, inside: parseInline(title[2] ?? '') });
      at += 1;
    } else if (rule.test(line)) {
      endParagraph();
      blocks.push({ kind: 'rule' });
      at += 1;
    } else if (mayNest && quote.test(line)) {
      endParagraph();
      const end = findLine(lines, at, (one) => !quote.test(one));
      const inside = lines.slice(at, end).map((one) => one.replace(quote, ''));
      blocks.push({ kind: 'quote', blocks: parseBlocks(inside, depth + 1) });
      at = end;
    } else if (mayNest && item.test(line)) {
      endParagraph();
      at = readList(lines, at, depth, blocks);
    } else {
      paragraph.push(line);
      at += 1;
    }
  }
  endParagraph();
  return blocks;
}

/** Adds the list that begins at this line, and returns the line after it. */
function readList(lines: readonly string[], from: number, depth: number, blocks: Block[]): number {
  const kindOf = (line: string) => item.exec(line)?.[2]?.replace(/^\d+/, '');
  const kind = kindOf(lines[from] ?? '');
  const items: Item[] = [];
  let at = from;
  while (kindOf(lines[at] ?? '') === kind) {
    const mark = item.exec(lines[at] ?? '')?.[0] ?? '';
    const end = findLine(lines, at + 1, (one, index) => !belongs(one, lines[index + 1]));
    const inside = [(lines[at] ?? '').slice(mark.length), ...lines.slice(at + 1, end)];
    const box = checkbox.exec(inside[0] ?? '');
    if (box !== null) inside[0] = (inside[0] ?? '').slice(box[0].length);
    const unindented = inside.map((one, index) => (index === 0 ? one : one.replace(/^(?: {1,4}|\t)/, '')));
    items.push({ isDone: box === null ? null : box[1] !== ' ', blocks: parseBlocks(unindented, depth + 1) });
    at = end;
    if ((lines[at] ?? '').trim() === '' && kindOf(lines[at + 1] ?? '') === kind) at += 1;
  }
  const number = Number.parseInt(item.exec(lines[from] ?? '')?.[2] ?? '', 10);
  blocks.push({ kind: 'list', start: Number.isNaN(number) ? null : number, items });
  return at;
}

/** Indented lines belong to an item, and blank ones that an indented line follows. */
function belongs(line: string, next: string | undefined): boolean {
  if (line.trim() === '') return next !== undefined && /^(?: {2}|\t)\s*\S/.test(next);
  return /^(?: {2}|\t)/.test(line);
}

function findLine(
  lines: readonly string[],
  from: number,
  isFound: (line: string, index: number) => boolean,
): number {
  for (let at = from; at < lines.length; at++) if (isFound(lines[at] ?? '', at)) return at;
  return lines.length;
}

const marks = [
  { kind: 'strong', open: '**', isEnd: /(?<=\S)\*\*/g },
  { kind: 'del', open: '~~', isEnd: /(?<=\S)~~/g },
  { kind: 'em', open: '*', isEnd: /(?<=[^\s*])\*(?!\*)/g },
  { kind: 'em', open: '_', isEnd: /(?<=[^\s_])_(?!\w)/g },
] as const;

/** Characters at which something may begin; all others are passed over at once. */
const next = /[\\`*_~![]|https?:\/\//g;
const link = /!?\[([^\n[\]]{0,300})\]\((https?:\/\/[^\s()]{1,2048})\)/y;
const address = /https?:\/\/[^\s<>"'`*]{1,2048}/y;

/**
 * Reads each character a bounded number of times: a mark whose end was not found once is not searched again, so that a
 * megabyte of opening marks costs no more than a megabyte of words.
 */
function parseInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  const missing = new Set<string>();
  let plain = '';
  let at = 0;
  const push = (node: Inline, end: number) => {
    if (plain !== '') found.push({ kind: 'text', text: plain });
    plain = '';
    found.push(node);
    at = end;
  };
  while (at < text.length) {
    next.lastIndex = at;
    const begin = next.exec(text)?.index ?? text.length;
    plain += text.slice(at, begin);
    at = begin;
    if (at === text.length) break;
    if (!readLink() && !readCode() && !readMarks()) {
      const isEscape = text[at] === '\\' && /[\\`*_~![\]()#>.+-]/.test(text[at + 1] ?? '');
      plain += isEscape ? text[at + 1] : text[at];
      at += isEscape ? 2 : 1;
    }
  }
  if (plain !== '') found.push({ kind: 'text', text: plain });
  return found;

  function readLink(): boolean {
    link.lastIndex = at;
    const [whole, label = '', href = ''] = link.exec(text) ?? [];
    if (whole !== undefined) {
      push({ kind: whole.startsWith('!') ? 'picture' : 'link', href, label }, at + whole.length);
      return true;
    }
    address.lastIndex = at;
    // A full stop or bracket after an address belongs to the sentence.
    const bare = address.exec(text)?.[0].replace(/[.,;:!?)\]]+$/, '');
    if (bare === undefined) return false;
    push({ kind: 'link', href: bare, label: '' }, at + bare.length);
    return true;
  }

  function readCode(): boolean {
    if (text[at] !== '`') return false;
    const ticks = /`+/y;
    ticks.lastIndex = at;
    const mark = ticks.exec(text)?.[0] ?? '`';
    const end = missing.has(mark) ? -1 : text.indexOf(mark, at + mark.length);
    if (end < 0) {
      missing.add(mark);
      plain += mark;
      at += mark.length;
      return true;
    }
    push({ kind: 'code', text: text.slice(at + mark.length, end) }, end + mark.length);
    return true;
  }

  function readMarks(): boolean {
    if (depth >= maxDepth) return false;
    for (const { kind, open, isEnd } of marks) {
      if (!text.startsWith(open, at) || missing.has(open)) continue;
      const first = text[at + open.length];
      if (first === undefined || /\s/.test(first) || first === open[0]) continue;
      // Inside a word an underscore is part of a name.
      if (open[0] === '_' && /\w/.test(text[at - 1] ?? '')) continue;
      isEnd.lastIndex = at + open.length + 1;
      const end = isEnd.exec(text)?.index;
      if (end === undefined) {
        missing.add(open);
        continue;
      }
      push({ kind, inside: parseInline(text.slice(at + open.length, end), depth + 1) }, end + open.length);
      return true;
    }
    return false;
  }
}
