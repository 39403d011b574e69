// A button that asks the language model of this site, and the answer in a separate frame. Shown only where the site has a
// model; nothing is sent before the click.

import type { Market } from '@svc/sdk/domain';
import type { ChatAnswer } from '@svc/sdk/internal/client/createMarketClient';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSiteConfig } from '#data/market.ts';
import { UntrustedMarkdown } from './Markdown.tsx';
import { Failure } from './QueryView.tsx';

export function AskModel({
  market,
  label,
  answerLabel,
  note,
  ask,
  isDisabled = false,
  children,
}: {
  readonly market: Market;
  readonly label: string;
  readonly answerLabel: string;
  /** What is sent. */
  readonly note: string;
  readonly ask: () => Promise<ChatAnswer>;
  readonly isDisabled?: boolean;
  /** What the reader can do with the answer. */
  readonly children?: (text: string) => ReactNode;
}) {
  const isConfigured = useSiteConfig(market).data?.chat === true;
  const { data, error, isPending, mutate } = useMutation({ mutationFn: ask });
  if (!isConfigured) return null;
  return (
    <div className="stack">
      <p className="row">
        <button type="button" className="button" disabled={isDisabled || isPending} onClick={() => mutate()}>
          {isPending ? 'A language model is answering…' : label}
        </button>
        <span className="small quiet">{note}</span>
      </p>
      <div aria-live="polite" className="contents">
        {data !== undefined && !isPending && (
          <div className="stack">
            <UntrustedMarkdown label={answerLabel} text={data.text} />
            <p className="small quiet">
              Written by the language model {data.model}. It can be wrong: the terms, the documents and the
              chain decide.
            </p>
            {children?.(data.text)}
          </div>
        )}
      </div>
      <Failure text={error === null || isPending ? null : error.message} />
    </div>
  );
}
