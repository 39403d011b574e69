// Pages of lists.
import type { Address, Market } from '@svc/sdk/domain';
import type { LogPlace } from '../store/chainRow.ts';

/** Asks for a page of what a wallet has on one market. */
export type WalletPage = {
  readonly market: Market;
  readonly address: Address;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** The page of what was found with one more than asked for, which shows whether there is a next page. */
export function cutPage<Row>(found: readonly Row[], limit: number, formatPlace: (last: Row) => string) {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return { shown, nextCursor: last === undefined ? null : formatPlace(last) };
}

/** The cursor of a list of logs. */
export function formatLogPlace(place: { readonly blockNumber: bigint | number; readonly logIndex: number }) {
  return `${place.blockNumber}.${place.logIndex}`;
}

export function parseLogPlace(cursor: string): LogPlace {
  const [blockNumber = '', logIndex = ''] = cursor.split('.');
  return { blockNumber: BigInt(blockNumber), logIndex: Number(logIndex) };
}
