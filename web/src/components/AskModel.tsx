// A button that asks the language model of this site, and the answer in a separate frame. Shown only where the site has a
// model; nothing is sent before the click.

import type { ChatAnswer } from '@svc/sdk';
import type { Market } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { useSiteConfig } from '../data/market.ts';
import { Button, Failure } from './Form.tsx';
import { UntrustedMarkdown } from './Markdown.tsx';

type AskModelProps = {
  market: Market;
  label: string;
  answerLabel: string;
  /** What is sent. */
  note: string;
  /** What a click starts, and its answer. */
  asking: {
    readonly isBusy: boolean;
    readonly start: () => unknown;
    readonly result: ChatAnswer | undefined;
    readonly failure: string | null;
  };
  isDisabled?: boolean;
  /** What the reader can do with the answer. */
  children?: (text: string) => ReactNode;
};

export function AskModel({ market, label, answerLabel, note, asking, isDisabled, children }: AskModelProps) {
  const isConfigured = useSiteConfig(market).data?.chat === true;
  const { result, failure } = asking;
  if (!isConfigured) return null;
  return (
    <div className="stack">
      <p className="row">
        <Button disabled={isDisabled} run={asking} busyLabel="A language model is answering…">
          {label}
        </Button>
        <span className="small quiet">{note}</span>
      </p>
      <div aria-live="polite" className="contents">
        {result !== undefined && (
          <div className="stack">
            <UntrustedMarkdown label={answerLabel} text={result.text} />
            <p className="small quiet">
              Written by the language model {result.model}. It can be wrong: the terms, the documents and the
              chain decide.
            </p>
            {children?.(result.text)}
          </div>
        )}
      </div>
      <Failure text={failure} />
    </div>
  );
}
