// A framed part of a page, the facts in it, and a state in words.
import { Fragment, type HTMLAttributes, type ReactNode } from 'react';

type SheetProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  title: ReactNode;
  /** Beside the heading: text is grey, an element stays as it is. */
  note?: ReactNode;
  /** The contents are rows that reach from edge to edge. */
  isBare?: boolean;
};

export function Sheet({ title, note, isBare = false, className, children, ...section }: SheetProps) {
  const isText = typeof note === 'string' || typeof note === 'number';
  return (
    <section className={className === undefined ? 'sheet' : `sheet ${className}`} {...section}>
      <header>
        <h2>{title}</h2>
        {isText ? <span className="small faint">{note}</span> : note}
      </header>
      {isBare ? children : <div className="body stack">{children}</div>}
    </section>
  );
}

/** Values by their names; entries where two may have the same name. What is false, null or undefined is left out. */
type FactList = Readonly<Record<string, ReactNode>> | readonly (readonly [name: string, value: ReactNode])[];

export function Facts({ facts, className = 'pairs' }: { facts: FactList; className?: string }) {
  const entries = Array.isArray(facts) ? facts : Object.entries(facts);
  return (
    <dl className={className}>
      {entries.map(([name, value], index) =>
        value === false || value == null ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have the same name
          <Fragment key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

/** Hashes and other facts that few readers need, folded. */
export function TechnicalFacts({ facts }: { facts: FactList }) {
  return (
    <details className="technical small">
      <summary>Technical details</summary>
      <Facts facts={facts} />
    </details>
  );
}

export type Figure = { name: string; value: ReactNode; note?: ReactNode };

/** Large figures in a row, each with an optional note. */
export function Figures({
  figures,
  noteClass = 'usd small',
  ...list
}: HTMLAttributes<HTMLDListElement> & { figures: readonly (Figure | false)[]; noteClass?: string }) {
  return (
    <dl className="columns figures sheet body" {...list}>
      {figures.map(
        (figure) =>
          figure && (
            <div key={figure.name}>
              <dt>{figure.name}</dt>
              <dd>{figure.value}</dd>
              {figure.note !== undefined && <dd className={noteClass}>{figure.note}</dd>}
            </div>
          ),
      )}
    </dl>
  );
}

export type Tone = 'act' | 'time' | 'risk' | 'done';

/** A state as a word with its mark, such as "▲ paused", in the colour of its tone. */
export function Status({ tone, ...span }: HTMLAttributes<HTMLSpanElement> & { tone: Tone }) {
  return <span className="status" data-tone={tone} {...span} />;
}
