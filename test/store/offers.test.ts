// The task that came out of a conversation, for lists of conversations: that of any of its offers, as the chain has it now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import type { Address } from '#sdk/domain/address.ts';
import { createMailboxService } from '#service/relay/mailbox.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import { createConversationStore } from '#service/store/conversations.ts';
import { createMailboxStore } from '#service/store/mailboxes.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, createFakeChain } from '../support/indexer/fakeChain.ts';
import { catchUp } from '../support/indexer/rows.ts';

const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const move = { kind: 'claim', market: 'standard' } as const;

onBothDatabases(({ create }) => {
  test('a conversation names the task of any of its offers between its two parties, until a fork removes it', async () => {
    const [database, chain] = [await create(), createFakeChain()];
    const { identity } = chain.source;
    const store = createConversationStore(database, identity);
    const mailboxes = createMailboxStore(database, identity);
    const mailbox = createMailboxService(mailboxes, createConversationListStore(database, identity), () => 1);
    const post = { kind: 'post', market: 'standard', poster: 1, isPrivate: true } as const;
    chain.mine([post, post]);
    const digest = hashOf('e');
    chain.mine([{ ...move, task: 2, digest: `0x${'E'.repeat(64)}` }]);
    await catchUp(chain.source, database);
    const task = chain.tasks().find(({ number }) => number === 2n) ?? assert.fail();
    const [poster, worker, stranger] = [addressOf(1), task.worker as Address, addressOf(77)];
    let previousHash = hashOf('0');
    const send = async (
      root: Hex,
      parties: readonly [Address, Address],
      sequence: number,
      offered: string | null,
    ) => {
      const hash = sequence === 1 ? root : hashOf(String(sequence));
      await store.append(
        {
          ...{
            hash,
            root,
            negotiationId: root,
            sequence,
            previousHash,
            wire: '{"envelope":{"payload":{},"sender":{}}}',
          },
          ...{ sender: parties[0], recipient: parties[1], bytes: 2, title: null, about: null },
          ...{ settlementDigest: offered, isKnown: true, isTerms: offered !== null, isAnswer: true },
          ...{ receivedAt: sequence, block: 1, keepUntil: 9 },
        },
        { since: 0, openSince: 0, openers: [] },
        () => false,
      );
      previousHash = hash;
    };
    const root = hashOf('a');
    const read = async (of = root, wallet = poster) => {
      const newest = { before: Number.MAX_SAFE_INTEGER, limit: 9, isTerms: false };
      return (await mailbox.readConversation(wallet, of, newest)).taskId;
    };
    await send(root, [worker, poster], 1, hashOf('b'));
    assert.equal(await read(), null);
    await send(root, [worker, poster], 2, digest);
    assert.equal(await read(), 'v2:standard:2');
    await send(root, [worker, poster], 3, hashOf('c'));
    assert.equal(await read(), 'v2:standard:2', 'a later offer hides no task');
    // Of others, who know the digest.
    await send(hashOf('d'), [stranger, poster], 1, digest);
    assert.equal(await read(hashOf('d')), null);
    const rows = await createConversationListStore(database, identity).load(poster, {
      senders: 'all',
      isUnread: false,
      limit: 9,
    });
    assert.deepEqual(
      new Map(rows.map((row) => [row.root, row.task])),
      new Map([
        [hashOf('d'), null],
        [root, 'standard:2'],
      ]),
    );
    chain.revert(1);
    chain.mine();
    chain.mine();
    await catchUp(chain.source, database);
    assert.equal(await read(), null);
    await mailboxes.removeConversation(root, 3);
    assert.deepEqual(await database.query('SELECT digest FROM offers WHERE root = $1', [root]), []);
  });
});
