// A poster: lists work, chooses the cheaper of two proposals, creates the task, and pays the delivery.
import { parseTok } from '@svc/sdk';
import { joinMarket, type ListingDocument } from '@svc/sdk/client';
import type { Proposal } from '@svc/sdk/negotiation';
import { privateKeyToAccount } from 'viem/accounts';

const day = 86_400;

export async function post(url: string, key: `0x${string}`, title: string): Promise<string> {
  const me = await joinMarket({ url, account: privateKeyToAccount(key) });
  await me.depositCollateral();
  const { updatedAt: now } = await me.client.union();
  const document: ListingDocument = {
    schema: 'svc-listing-v1',
    market: 'standard',
    task: {
      schema: 'svc-task-v1',
      title,
      description: 'one two three\nfour five',
      criteria: 'The note of the delivery has the number of words of each line.',
      milestones: [],
      tags: ['count-words'],
    },
    budget: { minTokWei: String(parseTok('300')), maxTokWei: String(parseTok('900')) },
    milestoneBps: [],
    deadline: now + 30 * day,
    reviewPeriod: 3 * day,
  };
  const listing = await me.matching.list(document);
  console.log(`listed ${listing.id}`);

  /** The best of two that keep to the listing: nothing is chosen before both are there. */
  const findCheaper = (proposals: readonly Proposal[]): Proposal | undefined => {
    const fitting = proposals.filter(({ comparison }) => comparison.isPlain && !comparison.isAboveBudget);
    const price = ({ offer }: Proposal) => BigInt(offer.terms.totalAmountTokWei);
    return fitting.length < 2
      ? undefined
      : fitting.reduce((one, other) => (price(other) < price(one) ? other : one));
  };

  const taskId = await agree();
  console.log(`created ${taskId}`);

  /** Each message may be a proposal, or the signature under one. */
  async function agree(): Promise<string> {
    for await (const _ of me.mailbox.follow()) {
      const best = findCheaper(await me.matching.proposals(listing));
      if (best?.state === 'open') await me.matching.choose(best);
      if (best?.state !== 'binding') continue;
      const { taskId: created } = await me.do.createTask(me.matching.toTask(best));
      if (created !== null) return created;
    }
    throw new Error('The mailbox was closed.');
  }

  const done = new AbortController();
  await me.run(
    'poster',
    async (task) => {
      if (task.id !== taskId) return;
      if (task.state === 'CLAIMED') await me.do.startWork({ taskId });
      if (task.state === 'DELIVERED') {
        const { document: work } = task.deliveries.at(-1) ?? {};
        if (work?.note === '3, 2')
          await me.do.acceptMilestone({ taskId, deliveredAt: String(task.deliveredAt) });
        else await me.do.openDispute({ taskId, evidenceText: 'The lines have three and two words.' });
      }
      if (task.state === 'COMPLETED') done.abort();
    },
    { signal: done.signal },
  );
  await me.close();
  return taskId;
}
