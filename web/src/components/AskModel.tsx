// A button that asks the language model of this site, and the answer in a separate frame. Shown only where the site has a
// model; nothing is sent before the click.
import type { Market } from '@svc/sdk/domain';
import type { ChatAnswer } from '@svc/sdk/internal/schemas/chat';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSiteConfig } from '#data/market.ts';
import { Button, Failure } from './Form.tsx';
import { UntrustedMarkdown } from './Markdown.tsx';

type AskModelProps = {
  market: Market;
  label: string;
  answerLabel: string;
  /** What is sent. */
  note: string;
  ask: () => Promise<ChatAnswer>;
  isDisabled?: boolean;
  /** What the reader can do with the answer. */
  children?: (text: string) => ReactNode;
};

export function AskModel({ market, label, answerLabel, note, ask, isDisabled, children }: AskModelProps) {
  const isConfigured = useSiteConfig(market).data?.chat === true;
  const { data, error, isPending, mutate } = useMutation({ mutationFn: ask });
  if (!isConfigured) return null;
  return (
    <div className="stack">
      <p className="row">
        <Button
          disabled={isDisabled}
          isBusy={isPending}
          busyLabel="A language model is answering…"
          onClick={() => mutate()}
        >
          {label}
        </Button>
        <span className="small quiet">{note}</span>
      </p>
      <div aria-live="polite" className="contents">
        {data !== undefined && (
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
      <Failure text={error === null ? null : error.message} />
    </div>
  );
}
