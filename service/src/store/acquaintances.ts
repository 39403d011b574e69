// Who has become known to whom by a task that they share.
import type { Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Transaction } from './database.ts';
import { queryByKeys } from './rows.ts';

/**
 * Written with the tasks: a wallet that opened a conversation before it shared one with the other party is known from then on. The
 * unknown of a wallet have an index of their own and are limited, so that this costs little with any number of conversations.
 */
export async function saveAcquaintances(tx: Transaction, tasks: readonly Task[]): Promise<void> {
  const groups = tasks.map(({ poster, worker, dispute }) =>
    [poster, worker, dispute?.judge ?? null].filter((wallet) => wallet !== null).map<string>(addressKey),
  );
  const shared = groups.filter(({ length }) => length > 1);
  const ofChain = 'identity = (SELECT identity FROM chain WHERE id = 1)';
  const waiting = await queryByKeys<{ root: string; opener: string; other: string }>(
    tx,
    `SELECT root, opener, other FROM conversations
     WHERE ${ofChain} AND is_answered = 0 AND is_known = 0 AND other IN {keys}`,
    [],
    [...new Set(shared.flat())],
  );
  const roots = waiting
    .filter(({ opener, other }) => shared.some((group) => group.includes(opener) && group.includes(other)))
    .map(({ root }) => root);
  await queryByKeys(
    tx,
    `UPDATE conversations SET is_known = 1 WHERE ${ofChain} AND root IN {keys}`,
    [],
    roots,
  );
}
