// Amounts of money: exact TOK, approximate USD in grey, a field for both, and a bar that shows where a task's money is.

import { parseTaskRecord } from '@svc/sdk/actions';
import { parseTok } from '@svc/sdk/domain';
import { groupThousands } from '@svc/sdk/internal/domain/amount';
import { payRuling } from '@svc/sdk/internal/domain/ruling';
import { Fragment } from 'react';
import { useTokPrice } from '../data/client.ts';
import { showCents, showMoments, showRoundTok, showTok, showUsd, tokAmounts, toTok } from '../data/format.ts';
import type { Task } from '../data/market.ts';
import { orNull } from '../data/orNull.ts';
import { NumberField } from './Form.tsx';

export function Tok({ wei, hasUsd = false }: { readonly wei: string | bigint; readonly hasUsd?: boolean }) {
  return (
    <span className="tok">
      {showTok(wei)} <span className="unit">TOK</span>
      {hasUsd && <Usd wei={wei} />}
    </span>
  );
}

/** What is signed: all digits of the TOK, and their dollars. */
export function Exact({ wei }: { readonly wei: string | bigint }) {
  const price = useTokPrice();
  return (
    <b className="tok">
      {showTok(wei)} TOK{price !== null && ` (${showCents(toTok(wei) * price)})`}
    </b>
  );
}

/** The approximate value in grey; nothing without a price, and nothing for nothing. */
export function Usd({ wei }: { readonly wei: string | bigint }) {
  const price = useTokPrice();
  return price === null || BigInt(wei) === 0n ? null : (
    <>
      {/* Outside of the span, so that a line may break here and nowhere else. */}{' '}
      <span className="usd">≈ {showUsd(toTok(wei) * price)}</span>
    </>
  );
}

type DollarsProps = {
  readonly wei: string | bigint;
  /** With the TOK. */
  readonly isExact?: boolean;
  /** With all digits of the TOK: it is signed. */
  readonly isSigned?: boolean;
};

/** Dollars, and beside them the TOK; TOK alone where there is no price. */
export function Dollars({ wei, isSigned = false, isExact = isSigned }: DollarsProps) {
  const price = useTokPrice();
  const tok = `${isSigned ? showTok(wei) : showRoundTok(wei, 2)} TOK`;
  if (price === null) return <span className="dollars">{tok}</span>;
  return (
    <>
      <span className="dollars" title={`${showTok(wei)} TOK`}>
        {showCents(toTok(wei) * price)}
      </span>
      {isExact && (
        <>
          {' '}
          <span className="exact">{tok}</span>
        </>
      )}
    </>
  );
}

type SumProps = { readonly wei: string | bigint; readonly note?: string; readonly isAlone?: boolean };

/** The one amount that a card is about; `note` says where it is, `isAlone` leaves the TOK out. */
export function Sum({ wei, note = '', isAlone = false }: SumProps) {
  const price = useTokPrice();
  const tok = `${showRoundTok(wei, 2)} TOK`;
  if (price === null) return <span className="sum">{tok}</span>;
  const usd = toTok(wei) * price;
  return (
    <>
      <span className="sum">{usd >= 1_000 ? showUsd(usd) : showCents(usd).replace(/\.00$/, '')}</span>
      {!isAlone && (
        <span className="exact">
          {tok} {note}
        </span>
      )}
    </>
  );
}

/** For a button: whole dollars from $20 on, never more than it is; TOK without a price. */
export function useRoundDown(wei: bigint | null): string | null {
  const price = useTokPrice();
  if (wei === null) return null;
  if (price === null) return `${showRoundTok(wei, 2)} TOK`;
  const cents = Math.floor(Math.round(toTok(wei) * price * 1e6) / 1e4);
  return cents >= 2_000
    ? `$${Math.floor(cents / 100).toLocaleString('en-US')}`
    : showCents(cents / 100).replace(/\.00$/, '');
}

/** A balance that nobody signs: two digits, and all of them in the title. */
export function RoundTok({ wei }: { readonly wei: string | bigint }) {
  return (
    <span className="tok" title={`${showTok(wei)} TOK`}>
      {showRoundTok(wei, 2)} <span className="unit">TOK</span>
      <Usd wei={wei} />
    </span>
  );
}

/** A sentence of ours, with the value in USD behind each of its amounts in TOK. */
export function TokText({ text }: { readonly text: string }) {
  return showMoments(text)
    .split(tokAmounts)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no id
      <Fragment key={index}>
        {/* Every second part is an amount. */}
        {index % 2 === 1 ? (
          <>
            {groupThousands(part)}
            <TypedUsd amount={part.replace(/[, TOK]/g, '')} />
          </>
        ) : (
          part
        )}
      </Fragment>
    ));
}

/** Warnings of ours, each in its box. */
export function Notices({ is, texts }: { is: 'time' | 'risk'; texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} className="notice" data-is={is}>
      <TokText text={text} />
    </p>
  ));
}

/** Of an amount in TOK while it is typed; nothing while it is no amount. */
export function TypedUsd({ amount }: { amount: string }) {
  const wei = amount === '' ? null : orNull(() => parseTok(amount));
  return wei === null ? null : <Usd wei={wei} />;
}

/** An amount in TOK, with its value in USD while it is typed. */
export function TokField(props: Parameters<typeof NumberField>[0]) {
  return (
    <div>
      <NumberField {...props} />
      <TypedUsd amount={props.value.trim()} />
    </div>
  );
}

/** Who gets how much of an amount; the contracts round the worker's share down. */
export function Split({ wei, workerBps }: { readonly wei: string | bigint; readonly workerBps: number }) {
  const share = (BigInt(wei) * BigInt(workerBps)) / 10_000n;
  return <Shares worker={share} poster={BigInt(wei) - share} />;
}

type RuledSplitProps = { readonly task: Task; readonly workerBps: number; readonly isLate?: boolean };

/**
 * The same of a ruling, less the fee that is taken from a side without a bond; nothing without a dispute. A late ruling takes none:
 * after it no fee was paid.
 */
export function RuledSplit({ task, workerBps, isLate = task.feesTokWei === '0' }: RuledSplitProps) {
  const { dispute } = parseTaskRecord(task);
  return dispute && <Shares {...payRuling(dispute, workerBps, isLate)} />;
}

type SharesProps = { readonly worker: bigint; readonly poster: bigint; readonly fee?: bigint };

function Shares({ worker, poster, fee = 0n }: SharesProps) {
  return (
    <>
      <Tok wei={worker} hasUsd /> to the worker, <Tok wei={poster} hasUsd /> to the poster
      {fee > 0n && (
        <>
          , <Tok wei={fee} hasUsd /> as a fee
        </>
      )}
    </>
  );
}
