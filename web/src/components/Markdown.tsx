// Markdown written by other people, as elements of a safe subset: no HTML, no outside request, addresses in full.
import { Fragment, memo, type ReactNode, useMemo } from 'react';
import { type MarkedToken, parseMarkdown } from '../data/markdown.ts';
import { UntrustedUri, UntrustedWords } from './UntrustedText.tsx';

type MarkdownProps = { readonly text: string; readonly label: string; readonly by?: ReactNode };

/** The same in the preview of a post and on the page of the task. */
export function UntrustedMarkdown({ text, label, by }: MarkdownProps) {
  return (
    <UntrustedWords label={label} by={by}>
      <Markdown text={text} />
    </UntrustedWords>
  );
}

/** Criteria as a list to check: as it was written, or one sentence each of a plain paragraph. */
export function UntrustedList({ text, label }: { readonly text: string; readonly label: string }) {
  const sentences = useMemo(() => splitSentences(text), [text]);
  return (
    <article className="crit" aria-label={label}>
      {sentences === null ? (
        <Markdown text={text} />
      ) : (
        <ol className="markdown">
          {sentences.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no id
            <li key={index} dir="auto">
              {sentence}
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

/** Null where it is anything but one plain paragraph. */
function splitSentences(text: string): string[] | null {
  const [first, ...more] = parseMarkdown(text);
  if (first?.type !== 'paragraph' || more.length > 0) return null;
  if (first.tokens?.some(({ type }) => type !== 'text') || text.includes('\n')) return null;
  const parts = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text.trim());
  return Array.from(parts, ({ segment }) => segment.trim());
}

/** Memoized: its parent may re-render every second to show the time. */
const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  const levels = tokens.flatMap((token) => (token.type === 'heading' ? [token.depth] : []));
  return <div className="stack tight markdown">{renderTokens(tokens, Math.min(6, ...levels))}</div>;
});

/** `MarkedToken` of all tokens inside, because the parser adds no others. */
function renderTokens(tokens: readonly unknown[] | undefined, topLevel: number): ReactNode {
  return (tokens as readonly MarkedToken[] | undefined)?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no id
    <Fragment key={index}>{renderToken(token, topLevel)}</Fragment>
  ));
}

/** Headings of the text come below the heading of its frame, whatever their level in the source. */
const headings = ['h4', 'h5', 'h6'] as const;

function renderToken(token: MarkedToken, topLevel: number): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p dir="auto">{renderTokens(token.tokens, topLevel)}</p>;
    case 'text':
      // The words of a list item are a block with its own tokens.
      return token.tokens === undefined ? (
        token.text
      ) : (
        <p dir="auto">{renderTokens(token.tokens, topLevel)}</p>
      );
    case 'heading': {
      const Heading = headings[Math.max(0, token.depth - topLevel)] ?? 'h6';
      return <Heading dir="auto">{renderTokens(token.tokens, topLevel)}</Heading>;
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keyboard
        <pre tabIndex={0}>
          {/* What stands behind the opening fence, such as a language, is shown as well: nothing is hidden. */}
          <code>{token.lang ? `${token.lang}\n${token.text}` : token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{renderTokens(token.tokens, topLevel)}</blockquote>;
    case 'list': {
      const items = renderTokens(token.items, topLevel);
      return token.ordered ? <ol start={Number(token.start)}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'list_item':
      return (
        <li data-is={token.task ? 'box' : undefined}>
          {token.task && (
            <span className="box" role="img" aria-label={token.checked ? 'done' : 'to do'}>
              {token.checked ? '☑' : '☐'}
            </span>
          )}
          <div>{renderTokens(token.tokens, topLevel)}</div>
        </li>
      );
    case 'hr':
      return <hr />;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
    case 'em':
    case 'del':
      return <token.type>{renderTokens(token.tokens, topLevel)}</token.type>;
    case 'link':
    case 'image':
      return (
        <>
          {token.type === 'image' && 'Picture, not loaded: '}
          {token.text !== token.href && token.text !== '' && `${token.text} `}
          <UntrustedUri uri={token.href} />
        </>
      );
    case 'escape':
      return token.text;
    case 'br':
      return '\n';
    default:
      // Blank lines and the marks of check boxes.
      return null;
  }
}
