// One comparison of an audit: what the API answers, what the chain says, and how both are asked until they are of one block.
import { isDeepStrictEqual } from 'node:util';
import type { BlockRef } from '../store/chainRow.ts';

/** The block of the chain that an answer is compared at. */
export type AuditBlock = BlockRef;

export type ApiRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** A page of a list, and the block and the time that the API says it shows. */
export type ApiPage = {
  readonly records: readonly ApiRecord[];
  readonly nextCursor: string | null;
  readonly block: bigint;
  readonly now: (blockTime: number) => number;
};

/** Boards of a gateway that are compared, by the end of their path. */
export type Board = 'leaderboard/reputation' | 'leaderboard/verifiers' | 'treasury' | 'treasury/history';

export type Difference = {
  /** Of a task, a wallet, or a part of a board. */
  readonly id: string;
  /** Which list or answer it was found in. */
  readonly where: 'recent' | 'open' | 'task' | 'timeline' | 'ledger' | Board;
  /** `(missing)` and `(unexpected)` stand for the whole task. */
  readonly field: string;
  readonly api: unknown;
  readonly chain: unknown;
  readonly block: number;
};

export type Check = {
  readonly ids: readonly string[];
  readonly block: bigint;
  readonly differences: readonly Difference[];
};

/** An answer may be newer than the block it names, until that is known everywhere: such a difference goes away. */
const attempts = 7;
const firstPauseMs = 50;
const longestPauseMs = 800;

export type Pauses = { readonly pause: (milliseconds: number) => Promise<unknown> };

/** Asks both again until they agree; what still differs then is a difference. */
export async function settle<T extends Check>({ pause }: Pauses, check: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const result = await check().catch((error: unknown) => {
      if (attempt === attempts) throw error;
      return null;
    });
    if (result !== null && (result.differences.length === 0 || attempt === attempts)) return result;
    await pause(Math.min(firstPauseMs * 2 ** attempt, longestPauseMs));
  }
}

/** In order, and with exactly the same fields. */
export function compareLists(
  page: Pick<ApiPage, 'records' | 'block'>,
  expected: readonly ApiRecord[],
  where: Difference['where'],
): Difference[] {
  const note = (id: string, field: string, api: unknown, chain: unknown): Difference => ({
    id,
    where,
    field,
    api: api ?? null,
    chain: chain ?? null,
    block: Number(page.block),
  });
  const answered = new Map(page.records.map((record) => [record.id, record]));
  const wanted = new Map(expected.map((record) => [record.id, record]));
  const differences = [...new Set([...wanted.keys(), ...answered.keys()])].flatMap((id) => {
    const [api, chain] = [answered.get(id), wanted.get(id)];
    if (api === undefined) return note(id, '(missing)', null, chain);
    if (chain === undefined) return note(id, '(unexpected)', api, null);
    return [...new Set([...Object.keys(api), ...Object.keys(chain)])]
      .filter((field) => !isDeepStrictEqual(api[field], chain[field]))
      .map((field) => note(id, field, api[field], chain[field]));
  });
  if (differences.length > 0) return differences;
  const [first, second] = [page.records, expected].map((records) => records.map(({ id }) => id).join());
  return first === second ? [] : [note('', '(order)', first, second)];
}

export function toJson(record: object): ApiRecord {
  return JSON.parse(JSON.stringify(record));
}
