// The task that came out of a conversation, for lists of conversations: that of any of its offers, as the chain has it now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import type { Address } from '#sdk/domain/address.ts';
import { createMailboxService } from '#service/relay/mailbox.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import { createMailboxStore } from '#service/store/mailboxes.ts';
import { hashOf, saveMessage } from '../support/conversations.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf } from '../support/indexer/fakeChain.ts';
import { createFollowedChain } from '../support/indexer/rows.ts';

type Parties = readonly [Address, Address];
const digestOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const move = { kind: 'claim', market: 'standard' } as const;

onBothDatabases(({ create }) => {
  test('a conversation names the task of any of its offers between its two parties, until a fork removes it', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    const mailboxes = createMailboxStore(database);
    const mailbox = createMailboxService(mailboxes, createConversationListStore(database), () => 1);
    const post = { kind: 'post', market: 'standard', poster: 1, isPrivate: true } as const;
    chain.mine([post, post]);
    const digest = digestOf('e');
    await chain.next([{ ...move, task: 2, digest: `0x${'E'.repeat(64)}` }]);
    const task = chain.tasks().find(({ number }) => number === 2n) ?? assert.fail();
    const [poster, worker, stranger] = [addressOf(1), task.worker as Address, addressOf(77)];
    let previousHash = hashOf(0);
    const send = async (root: Hex, [sender, recipient]: Parties, sequence: number, settlementDigest: Hex) => {
      const hash = sequence === 1 ? root : hashOf(sequence);
      const wire = '{"envelope":{"payload":{},"sender":{}}}';
      const place = { hash, root, sequence, previousHash, sender, recipient, wire, receivedAt: sequence };
      const known = { isKnown: true, isTerms: true, isAnswer: true };
      await saveMessage(database, { ...place, ...known, settlementDigest });
      previousHash = hash;
    };
    const root = digestOf('a');
    const read = async (of = root, wallet = poster) => {
      const newest = { before: Number.MAX_SAFE_INTEGER, limit: 9, isTerms: false };
      return (await mailbox.readConversation(wallet, of, newest)).taskId;
    };
    await send(root, [worker, poster], 1, digestOf('b'));
    assert.equal(await read(), null);
    await send(root, [worker, poster], 2, digest);
    assert.equal(await read(), 'v2:standard:2');
    await send(root, [worker, poster], 3, digestOf('c'));
    assert.equal(await read(), 'v2:standard:2', 'a later offer hides no task');
    // Of others, who know the digest.
    await send(digestOf('d'), [stranger, poster], 1, digest);
    assert.equal(await read(digestOf('d')), null);
    const all = { senders: 'all', isUnread: false, limit: 9 } as const;
    const rows = await createConversationListStore(database).load(poster, all);
    const tasks = Object.fromEntries(rows.map((row) => [row.root, row.task]));
    assert.deepEqual(tasks, { [digestOf('d')]: null, [root]: 'standard:2' });
    await chain.fork();
    assert.equal(await read(), null);
    await mailboxes.removeConversation(root, 3);
    assert.deepEqual(await database.query('SELECT digest FROM offers WHERE root = $1', [root]), []);
  });
});
