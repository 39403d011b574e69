// What files are for: tasks and conversations with their parties, and the documents in which a wallet names its drafts.

import {
  type Address,
  formatTaskId,
  isTerminal,
  type Market,
  markets,
  type TaskKey,
  type TaskState,
} from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import { isWhole } from './chainRow.ts';
import type { Database } from './database.ts';
import { findRow } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';
import { listParties } from './taskRow.ts';
import { createTaskStore } from './tasks.ts';

export type TaskParties = {
  readonly state: TaskState;
  readonly isPrivate: boolean;
  /** Poster, worker and judge, in lower case. */
  readonly parties: readonly Address[];
  /** Unix seconds; null while it goes on. */
  readonly endedAt: number | null;
};

export type ConversationParties = {
  /** In lower case. */
  readonly parties: readonly Address[];
  /** When the relay looks whether it is still needed. */
  readonly keepUntil: number;
};

/** What a wallet wrote, with the task or conversation that it belongs to, or empty for an open listing. */
export type Naming = { readonly subject: string } & (
  | { readonly uri: string }
  /** As they were sent, also what is no document. */
  | { readonly documents: readonly unknown[] }
);

/** Far more than a wallet can write in the day that a draft lives. */
const mostNamings = 2_000;

const joined = raw(`SELECT tasks.number, events.args FROM tasks JOIN events
  ON events.market = tasks.market AND events.task_number = tasks.number`);
export type FileSubjects = ReturnType<typeof createFileSubjects>;

export function createFileSubjects(database: Database) {
  const tasks = createTaskStore(database);

  /** Tasks are found by their indexes: those posted since, and those worked on. */
  function selectUris(market: Market, wallet: Address, since: number): Sql {
    const ofMarket = sql`${isWhole} AND tasks.market = ${market}`;
    return sql`${joined} WHERE ${ofMarket} AND tasks.poster = ${wallet} AND tasks.created_at >= ${since}
        AND events.name = 'TaskPosted'
      UNION ALL ${joined} WHERE ${ofMarket} AND tasks.worker = ${wallet} AND events.block_time >= ${since}
      UNION ALL ${joined} WHERE ${ofMarket} AND tasks.poster = ${wallet} AND events.block_time >= ${since}
        AND events.contract = 'disputeCourt' LIMIT ${mostNamings}`;
  }

  return {
    /** Null where the rows of this chain have no such task. */
    async loadTask({ market, number }: TaskKey): Promise<TaskParties | null> {
      const stored = await tasks.loadTask(market, number);
      if (stored === null) return null;
      const { state, scope, updatedAt } = stored.task;
      const endedAt = isTerminal(state) ? updatedAt : null;
      return { state, isPrivate: scope === 'private', parties: listParties(stored.task), endedAt };
    },

    async loadConversation(root: Hex): Promise<ConversationParties | null> {
      type Row = { readonly opener: Address; readonly other: Address; readonly keepUntil: number };
      const place = { root: root.toLowerCase() };
      const row = await findRow<Row>(database.query, 'conversations', place);
      return row === undefined
        ? null
        : { parties: [row.opener, row.other].map(addressKey), keepUntil: row.keepUntil };
    },

    /** What a wallet wrote on chain and in messages since that moment, in Unix seconds. */
    async loadNamings(wallet: Address, since: number): Promise<Naming[]> {
      const key = addressKey(wallet);
      const messages = await database.query<{ root: string; wire: string }>(sql`SELECT root, wire
        FROM messages WHERE sender = ${key} AND received_at >= ${since} AND wire IS NOT NULL
         LIMIT ${raw(mostNamings)}`);
      const uris = [];
      for (const market of markets) {
        const rows = await database.query<{ number: number; args: string }>(selectUris(market, key, since));
        uris.push(...rows.flatMap((row) => readUri(market, row)));
      }
      return [
        ...uris,
        ...messages.map(({ root, wire }) => ({ subject: root, documents: readDocuments(wire) })),
      ];
    },
  };
}

function readUri(market: Market, { number, args }: { number: number; args: string }): Naming[] {
  const { uri } = JSON.parse(args) as { readonly uri?: unknown };
  if (typeof uri !== 'string' || uri === '') return [];
  return [{ subject: formatTaskId({ market, number: BigInt(number) }), uri }];
}

/** Those in a message. Files beside them were uploaded for the conversation. */
function readDocuments(wire: string): readonly unknown[] {
  const { document, documents } = (JSON.parse(wire) as SignedEnvelope).envelope.payload;
  return [document, ...(Array.isArray(documents) ? documents : [])];
}
