// What a task brings its worker or costs its poster in the end: one line of money, for everybody who is about to bind itself.
import { formatTok, formatUsdc, groupThousands } from '../domain/amount.ts';
import { showUsd } from '../domain/dollars.ts';
import type { Figures } from './costs.ts';

export type Deal = {
  readonly as: 'poster' | 'worker';
  /** What the task still pays its worker. */
  readonly payTokWei: bigint;
};

export type Prices = {
  readonly figures: Pick<Figures, 'accessFeeTokWei' | 'bondUsdc'>;
  /** Whether Action Credits pay the access fee of this side. */
  readonly hasFreeFee: boolean;
  /** USD for one TOK, with 8 decimals; null where no price is in force. */
  readonly priceE8: bigint | null;
};

export type NetResult = {
  /** What the side gains or, below zero, spends in TOK. */
  readonly netTokWei: bigint;
  /** Such as `pays 300 TOK ($0.15), costs 1,000 TOK ($0.50); a bond of 5 USDC returns: you lose 700 TOK ($0.35)`. */
  readonly line: string;
  /** Why nobody should expect it to be worth it; null where it is. */
  readonly warning: string | null;
};

export function netOf({ as, payTokWei }: Deal, { figures, hasFreeFee, priceE8 }: Prices): NetResult {
  const { accessFeeTokWei: fee, bondUsdc } = figures;
  const show = (tokWei: bigint) => {
    const usd = priceE8 === null ? '' : ` (${showUsd(tokWei, priceE8)})`;
    return `${groupThousands(formatTok(tokWei))} TOK${usd}`;
  };
  const paid = hasFreeFee ? 0n : fee;
  const costs = hasFreeFee ? 'Action Credits pay the fee' : `costs ${show(fee)}`;
  const bond = `a bond of ${formatUsdc(bondUsdc)} USDC returns`;
  if (as === 'worker') {
    const netTokWei = payTokWei - paid;
    const end =
      netTokWei > 0n
        ? `you earn ${show(netTokWei)}`
        : netTokWei < 0n
          ? `you lose ${show(-netTokWei)}`
          : 'you earn nothing';
    const line = `pays ${show(payTokWei)}, ${costs}; ${bond}: ${end}`;
    return { netTokWei, line, warning: netTokWei > 0n ? null : `It is not worth it: it ${line}.` };
  }
  const spent = payTokWei + paid;
  const line = `pays the worker ${show(payTokWei)}, ${costs}; ${bond}: you spend ${show(spent)}`;
  const warning =
    payTokWei > fee
      ? null
      : `A worker pays an access fee of ${show(fee)} for it and gets ${show(payTokWei)}: only a worker with Action Credits gains by it.`;
  return { netTokWei: -spent, line, warning };
}
