// Markdown written by other people, as elements of a safe subset: no HTML, no outside request, addresses in full.
import { Fragment, memo, useMemo } from 'react';
import { type Block, type Inline, type Item, parseMarkdown } from '#data/markdown.ts';
import { UntrustedUri } from './UntrustedText.tsx';

/** The same in the preview of a post and on the page of the task. */
export function UntrustedMarkdown({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section className="untrusted" aria-label={label}>
      <h3>{label}</h3>
      <Markdown text={text} />
    </section>
  );
}

/** Memoized: its parent may re-render every second to show the time. */
const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
  return (
    <div className="markdown">
      <Blocks blocks={blocks} topLevel={Math.min(6, ...levels)} />
    </div>
  );
});

function Blocks({ blocks, topLevel }: { readonly blocks: readonly Block[]; readonly topLevel: number }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id
  return blocks.map((block, index) => <BlockView key={index} block={block} topLevel={topLevel} />);
}

/** Headings of the text come below the heading of its frame, whatever their level in the source. */
const headings = ['h4', 'h5', 'h6'] as const;

function BlockView({ block, topLevel }: { readonly block: Block; readonly topLevel: number }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Words inside={block.inside} />
        </p>
      );
    case 'heading': {
      const Heading = headings[Math.max(0, block.level - topLevel)] ?? 'h6';
      return (
        <Heading dir="auto">
          <Words inside={block.inside} />
        </Heading>
      );
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} topLevel={topLevel} />
        </blockquote>
      );
    case 'list':
      return <List start={block.start} items={block.items} topLevel={topLevel} />;
    case 'rule':
      return <hr />;
  }
}

function List({
  start,
  items,
  topLevel,
}: {
  readonly start: number | null;
  readonly items: readonly Item[];
  readonly topLevel: number;
}) {
  const rows = items.map(({ isDone, blocks }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no id
    <li key={index} data-is={isDone === null ? undefined : 'box'}>
      {isDone !== null && (
        <span className="box" role="img" aria-label={isDone ? 'done' : 'to do'}>
          {isDone ? '☑' : '☐'}
        </span>
      )}
      <div>
        <Blocks blocks={blocks} topLevel={topLevel} />
      </div>
    </li>
  ));
  return start === null ? <ul>{rows}</ul> : <ol start={start}>{rows}</ol>;
}

function Words({ inside }: { readonly inside: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: words have no id
  return inside.map((word, index) => <Fragment key={index}>{renderWord(word)}</Fragment>);
}

function renderWord(word: Inline) {
  switch (word.kind) {
    case 'text':
      return word.text;
    case 'code':
      return <code>{word.text}</code>;
    case 'link':
    case 'picture':
      return (
        <>
          {word.kind === 'picture' && 'Picture, not loaded: '}
          {word.label !== '' && `${word.label} `}
          <UntrustedUri uri={word.href} />
        </>
      );
    default: {
      const Tag = word.kind;
      return (
        <Tag>
          <Words inside={word.inside} />
        </Tag>
      );
    }
  }
}
