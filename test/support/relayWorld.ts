// A relay over rows, with a clock and standings that a test sets, and two wallets that write.
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Address } from '#sdk/domain/address.ts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import type { Task } from '#sdk/domain/task.ts';
import { type Head, noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { createRelay } from '#service/relay/acceptMessage.ts';
import { createMailboxService } from '#service/relay/mailbox.ts';
import { createMailSweep } from '#service/relay/mailSweep.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import { createConversationStore } from '#service/store/conversations.ts';
import type { Database } from '#service/store/database.ts';
import { createMailboxStore } from '#service/store/mailboxes.ts';
import { headAfter, nowSeconds, poster, registries, worker, write } from './negotiating.ts';

const key = `0x${'07'.repeat(32)}` as const;
export const gateway = privateKeyToAccount(key).address;

export function createWorld(database: Database) {
  const world = {
    now: nowSeconds,
    members: new Set<Address>([poster.address, worker.address]),
    shared: [] as Partial<Task>[],
    /** Of all members; null: for long. */
    fresh: null as { since: number; holders: readonly string[]; isLookedFor: boolean } | null,
    isInDispute: false,
    asked: 0,
  };
  const store = createMailboxStore(database);
  const loadShared = async () => world.shared as Task[];
  const relay = createRelay({
    store: createConversationStore(database),
    standing: {
      findStanding: async (wallet) => {
        if (world.shared.length > 0) return { kind: 'shared' };
        if (!world.members.has(wallet)) return null;
        const settled = { since: 0, holders: [wallet.toLowerCase()], isLookedFor: false };
        return { kind: 'collateral', ...(world.fresh ?? settled) };
      },
      loadShared,
      isInDispute: async () => world.isInDispute,
      hasProposed: async () => false,
    },
    isBlocked: store.isBlocked,
    contracts: {
      verify: async () => {
        world.asked++;
        return false;
      },
      hasCode: async () => false,
    },
    key,
    registries,
    now: () => world.now,
    clock: () => world.now,
    block: () => 41,
  });
  const sweep = createMailSweep({ store, loadShared, isShown: async () => true });
  return {
    world,
    relay,
    store,
    mailbox: createMailboxService(store, createConversationListStore(database), () => world.now),
    send: (signed: SignedEnvelope) => relay.accept(toCanonical(signed), null, () => undefined),
    sweep: () => sweep(world.now, new AbortController().signal),
  };
}

export type World = ReturnType<typeof createWorld>;
type Changes = NonNullable<Parameters<typeof write>[4]>;

export const note = (
  by: PrivateKeyAccount,
  text: string,
  head: Head = noHead,
  changes: Changes = {},
  to?: Address,
) => write(by, 'Note', { text, ...(to && { to }) }, head, changes);
/** Of a conversation of its own. */
export const apart = (): Changes => ({ negotiationId: crypto.randomUUID() });

export const codeOf = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

/** Sends messages of these wallets, each after the one before; returns them. */
export async function say({ send }: World, after: Head, ...said: [by: PrivateKeyAccount, text: string][]) {
  const sent: SignedEnvelope[] = [];
  for (const [by, text] of said) {
    const signed = await note(by, text, sent.length === 0 ? after : headAfter(sent.at(-1)));
    await send(signed);
    sent.push(signed);
  }
  return sent;
}

/** An opening and its answer; returns the answer. */
export async function converse({ send }: World, changes: Changes = {}): Promise<SignedEnvelope> {
  const first = await note(poster, 'Hello', noHead, changes);
  const second = await note(worker, 'Good day', headAfter(first), changes);
  await send(first);
  await send(second);
  return second;
}

const counted = `WITH RECURSIVE counted (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < $1)`;

/** Messages of the poster to the worker that were held a moment ago. */
export const fillMessages = (database: Database, count: number, bytes: number, isDispute = 0) =>
  database.write(
    `${counted} INSERT INTO messages (hash, root, sequence, sender, recipient, wire, bytes, is_dispute, received_at, block)
     SELECT $5 || number, $5 || number, 2, $2, $3, '', $4, $6, $7, 0 FROM counted`,
    [
      ...[count, poster.address.toLowerCase(), worker.address.toLowerCase(), bytes],
      ...[crypto.randomUUID(), isDispute, nowSeconds],
    ],
  );

export const fillOpenings = (database: Database, count: number, opener: Address, isAnswered: number) =>
  database.write(
    `${counted} INSERT INTO conversations (root, negotiation_id, opener, other, head_sequence, head_hash, is_answered,
       is_known, opened_at, last_at, keep_until)
     SELECT 'root ' || number, 'x', $2, $3, 3, '0x', $5, 0, $4, 0, 0 FROM counted`,
    [count, opener.toLowerCase(), worker.address.toLowerCase(), nowSeconds, isAnswered],
  );
