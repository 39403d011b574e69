// Renders a Markdown guide as HTML: headings with anchors, links to served pages, scrollable tables, diagrams as lists.
import { posix } from 'node:path';
import { Marked } from 'marked';
import { resolveLink, slugOf } from './guideLinks.ts';

export type Guide = {
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly { readonly anchor: string; readonly title: string }[];
};

/** Facts about the other files of docs/. */
export type DocsFolder = {
  readonly isServed: (file: string) => boolean;
  /** Of an image: with its size known, the page does not shift when it loads. */
  readonly sizeOf: (file: string) => { readonly width: number; readonly height: number };
};

export function renderGuide(file: string, markdown: string, { isServed, sizeOf }: DocsFolder): Guide {
  const sections: { anchor: string; title: string }[] = [];
  const anchors = new Map<string, number>();
  let title = '';
  let summary = '';

  function anchorOf(text: string): string {
    const slug = slugOf(text);
    const before = anchors.get(slug) ?? 0;
    anchors.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  }

  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const inside = this.parser.parseInline(tokens);
        const plain = toPlain(inside);
        const anchor = anchorOf(text);
        if (depth === 1) title = plain;
        if (depth === 2) sections.push({ anchor, title: plain });
        const label = escapeHtml(`Link to “${plain}”`);
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
        return `<h${depth} id="${anchor}">${inside}${link}</h${depth}>\n`;
      },
      paragraph({ tokens }) {
        const inside = this.parser.parseInline(tokens);
        if (summary === '') summary = toPlain(inside);
        return `<p>${inside}</p>\n`;
      },
      link({ href, tokens }) {
        const inside = this.parser.parseInline(tokens);
        const target = resolveLink(file, href, isServed);
        if (target === null)
          return `<span class="source" title="In the sources: ${escapeHtml(href)}">${inside}</span>`;
        const outside = /^https?:/.test(target) ? ' rel="noreferrer"' : '';
        return `<a href="${escapeHtml(target)}"${outside}>${inside}</a>`;
      },
      image({ href, text }) {
        const { width, height } = sizeOf(posix.join(posix.dirname(file), href));
        const source = escapeHtml(resolveLink(file, href, isServed) ?? href);
        const size = `width="${width}" height="${height}"`;
        return `<img src="${source}" alt="${escapeHtml(text)}" ${size} loading="lazy">`;
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        // What scrolls must be reachable by keyboard and have a name; no landmark, because a guide has many.
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead>\n${row(token.header, 'th')}</thead><tbody>\n${body}</tbody></table></div>\n`;
      },
      code({ text, lang }) {
        if (lang === 'mermaid') return renderDiagram(text);
        return `<div class="code"><pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, summary, html, sections };
}

/** The text of rendered HTML. */
export function toPlain(html: string): string {
  return (
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      // Last, so that `&amp;lt;` becomes `&lt;` and not `<`.
      .replaceAll('&amp;', '&')
      .trim()
  );
}

/**
 * Renders a Mermaid diagram as a list of its arrows. It supports what the guides use (states and boxes with labelled
 * arrows); the mermaid package would add megabytes to draw them.
 */
export function renderDiagram(source: string): string {
  const names = readNames(source);
  const nameOf = (part: string, edge: string) => names.get(part) ?? (part === '[*]' ? edge : part);
  const show = (parts: readonly string[], edge: string) =>
    parts.map((part) => `<b>${escapeHtml(nameOf(part, edge))}</b>`).join(', ');
  const arrows = source.split('\n').flatMap((line) => {
    const arrow = readArrow(line.trim());
    if (arrow === null) return [];
    const [from, to] = [show(arrow.from, 'start'), show(arrow.to, 'end')];
    const label = arrow.label === '' ? '' : `<span class="quiet">${escapeHtml(arrow.label)}</span>`;
    return `<li>${from} <span aria-hidden="true">→</span><span class="hidden">leads to</span> ${to} ${label}</li>`;
  });
  return `<figure class="diagram"><ul>${arrows.join('')}</ul></figure>\n`;
}

type Arrow = { readonly from: readonly string[]; readonly to: readonly string[]; readonly label: string };

function readArrow(line: string): Arrow | null {
  const [, left, inner = '', right, after = ''] =
    /^(.+?)\s+(?:-->|--\s+(.+?)\s+-->|-\.\s+.+?\s+\.->)\s+([^:]+?)(?::\s*(.*))?$/.exec(line) ?? [];
  if (left === undefined || right === undefined) return null;
  return { from: splitBoxes(left), to: splitBoxes(right), label: inner || after };
}

/** `a & b[Shown name]` names two boxes. */
function splitBoxes(text: string): string[] {
  return text.split(' & ').map((box) => (box === '[*]' ? box : box.replace(/[[(].*$/, '')));
}

function readNames(source: string): Map<string, string> {
  const named = [...source.matchAll(/(\w+)[[(]+([^\])*]+)[\])]+/g)];
  return new Map(named.map(([, box = '', name = '']) => [box, name]));
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
