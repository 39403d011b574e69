// Events of the chain as rows, with the payments that they contain.
import { parseAddress, type TaskKey } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { type Purchase, readPurchases } from '@svc/sdk/internal/domain/posting';
import { isWhole } from './chainRow.ts';
import { rewindAbove } from './collateral.ts';
import type { Query, Transaction } from './database.ts';
import { saveMoves } from './moves.ts';
import { insertRows } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

export type EventRow = ReturnType<typeof buildEventRow>;

export function buildEventRow(event: ChainEvent) {
  const { market, contract, name, address, blockHash, blockTime, txHash, logIndex } = event;
  return {
    blockNumber: Number(event.blockNumber),
    logIndex,
    blockHash,
    blockTime,
    txHash,
    market,
    contract,
    address,
    name,
    taskNumber: event.taskNumber === null ? null : Number(event.taskNumber),
    args: JSON.stringify(event.args),
  };
}

export function parseEventRow(row: EventRow): ChainEvent {
  return {
    ...row,
    blockNumber: BigInt(row.blockNumber),
    taskNumber: row.taskNumber === null ? null : BigInt(row.taskNumber),
    args: JSON.parse(row.args),
  };
}

/** Events that are shown; `where` is the rest of the condition, and the order. */
export async function queryEvents({ query }: { readonly query: Query }, where: Sql): Promise<ChainEvent[]> {
  const rows = await query<EventRow>(sql`SELECT * FROM events WHERE ${isWhole} AND ${where}`);
  return rows.map(parseEventRow);
}

export type PurchaseRow = Omit<Purchase, 'blockNumber'> & { readonly blockNumber: number };

export function buildPurchaseRow(purchase: Purchase): PurchaseRow {
  return {
    ...purchase,
    txHash: purchase.txHash.toLowerCase() as Purchase['txHash'],
    payer: addressKey(purchase.payer),
    blockNumber: Number(purchase.blockNumber),
  };
}

export function parsePurchaseRow(row: PurchaseRow): Purchase {
  return { ...row, payer: parseAddress(row.payer), blockNumber: BigInt(row.blockNumber) };
}

export function keyOfTask({ market, number }: TaskKey): string {
  return `${market}:${number}`;
}

/** Each task that the events are about, once. */
export function listTasks(events: readonly ChainEvent[]): TaskKey[] {
  return distinctTasks(
    events.flatMap(({ market, taskNumber }) => (taskNumber === null ? [] : [{ market, number: taskNumber }])),
  );
}

export function distinctTasks(keys: readonly TaskKey[]): TaskKey[] {
  return [...new Map(keys.map((key) => [keyOfTask(key), key])).values()];
}

/** Events that are known already stay as they are. */
export async function saveEvents(tx: Transaction, events: readonly ChainEvent[]): Promise<void> {
  const rows = events.map((event) => buildEventRow(event));
  await insertRows(tx, 'events', rows, {});
  await saveMoves(tx, events);
  const purchases = readPurchases(events).map(buildPurchaseRow);
  await insertRows(tx, 'purchases', purchases, {});
}

/** A stretch of blocks, without its first one. */
export type BlockStretch = { readonly above: bigint; readonly upTo: bigint };

export async function removeEvents(tx: Transaction, { above, upTo }: BlockStretch): Promise<void> {
  await rewindAbove(tx, above);
  for (const table of ['events', 'moves', 'purchases'])
    await tx.query(
      sql`DELETE FROM ${raw(table)} WHERE block_number > ${Number(above)}
        AND block_number <= ${Number(upTo)}`,
    );
}
