// Texts in which a wallet may have named its drafts: uris of its own events, and messages that it sent.
import { type Address, addressKey, formatTaskId, type Market, markets } from '@svc/sdk/domain';
import type { Database } from './database.ts';
import { shownGeneration } from './generation.ts';

export type NamingText = {
  /** The task or the conversation that the text belongs to. */
  readonly subject: string;
  readonly text: string;
};

/** Far more than a wallet can write in the day that a draft lives. */
const most = 2_000;

const ofMarket = `tasks.generation = ${shownGeneration(1)} AND tasks.market = $2`;
const joined = `SELECT tasks.number, events.args FROM tasks JOIN events
  ON events.generation = tasks.generation AND events.market = tasks.market AND events.task_number = tasks.number`;
// Tasks are found by their indexes: those posted since, and those worked on.
const selectUris = `${joined} WHERE ${ofMarket} AND tasks.poster = $3 AND tasks.created_at >= $4
    AND events.name = 'TaskPosted'
  UNION ALL ${joined} WHERE ${ofMarket} AND tasks.worker = $3 AND events.block_time >= $4
    AND events.name = 'ProofSubmitted'
  UNION ALL ${joined} WHERE ${ofMarket} AND tasks.poster = $3 AND events.block_time >= $4
    AND events.contract = 'disputeCourt'
  UNION ALL ${joined} WHERE ${ofMarket} AND tasks.worker = $3 AND events.block_time >= $4
    AND events.contract = 'disputeCourt'
  LIMIT ${most}`;

/** Everything since that moment, in Unix seconds. */
export async function loadNamingTexts(
  database: Pick<Database, 'query'>,
  identity: string,
  wallet: Address,
  since: number,
): Promise<NamingText[]> {
  const key = addressKey(wallet);
  const messages = await database.query<{ root: string; wire: string }>(
    `SELECT root, wire FROM message
     WHERE identity = $1 AND sender = $2 AND received_at >= $3 AND wire IS NOT NULL LIMIT ${most}`,
    [identity, key, since],
  );
  const texts = messages.map(({ root, wire }) => ({ subject: root, text: wire }));
  for (const market of markets) {
    const rows = await database.query<{ number: number; args: string }>(selectUris, [
      identity,
      market,
      key,
      since,
    ]);
    texts.push(...rows.flatMap((row) => readUri(market, row)));
  }
  return texts;
}

function readUri(market: Market, { number, args }: { number: number; args: string }): NamingText[] {
  const { uri } = JSON.parse(args) as { readonly uri?: unknown };
  if (typeof uri !== 'string' || uri === '') return [];
  return [{ subject: formatTaskId({ market, number: BigInt(number) }), text: uri }];
}
