// A guide in Markdown as HTML: headings with anchors, links that lead to served pages, tables that scroll by themselves.
import { posix } from 'node:path';
import { Marked } from 'marked';
import { renderDiagram } from './diagram.ts';
import { escapeHtml } from './escape.ts';
import { resolveLink } from './place.ts';
import { slugOf } from './slug.ts';

export type Guide = {
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly { readonly anchor: string; readonly title: string }[];
};

/** What a guide must know of the other files of docs/. */
export type Surroundings = {
  /** Whether pages may lead there. */
  readonly isServed: (file: string) => boolean;
  /** Of a picture, so that nothing moves when it arrives. */
  readonly sizeOf: (file: string) => { readonly width: number; readonly height: number };
};

export function renderGuide(file: string, markdown: string, { isServed, sizeOf }: Surroundings): Guide {
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
        const label = escapeHtml(`Link to «${plain}»`);
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
        // A region that scrolls must be reachable by keyboard, and have a name.
        return `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead>\n${row(token.header, 'th')}</thead><tbody>\n${body}</tbody></table></div>\n`;
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

function toPlain(html: string): string {
  return (
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      // Last: what it leaves is text and no sign for another character.
      .replaceAll('&amp;', '&')
      .trim()
  );
}
