// A framed part of a page, the facts in it, and a state in words.
import { ChevronRight } from 'lucide-react';
import { type HTMLAttributes, type ReactNode, useState } from 'react';

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

export function Facts({ facts }: { facts: FactList }) {
  const entries: FactList = Array.isArray(facts) ? facts : Object.entries(facts);
  return (
    <Lines
      isSmall
      lines={entries.map(([name, value]: readonly [string, ReactNode]) =>
        value === false || value == null ? false : [name, value],
      )}
    />
  );
}

/** A term of a contract, with a note below its value; `total` stands under a line. */
export type Line = readonly [name: ReactNode, value: ReactNode, note?: ReactNode, is?: 'total'];

/** Terms with dotted leaders. */
export function Lines({ lines, isSmall = false }: { lines: readonly (Line | false)[]; isSmall?: boolean }) {
  return (
    <dl className={isSmall ? 'lines small' : 'lines'}>
      {lines.map((line, index) => {
        if (line === false) return null;
        const [name, value, note, is] = line;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two terms may have the same name
          <div key={index} className={is}>
            <dt>{name}</dt>
            <dd>
              {value}
              {note !== undefined && <span className="exact">{note}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

type FoldProps = { title: ReactNode; isHidden?: boolean; children: ReactNode };

/** Closed until its reader wants it; what is inside is made, and asked for, only then. */
export function Fold({ title, isHidden = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" hidden={isHidden} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="s" />
        {title}
      </summary>
      {isOpen && !isHidden && <div className="stack">{children}</div>}
    </details>
  );
}

/** Hashes and other facts that few readers need, folded. */
export function TechnicalFacts({ facts }: { facts: FactList }) {
  return (
    <Fold title="Technical details">
      <Facts facts={facts} />
    </Fold>
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
