// A worker: proposes for listings that it can do, signs where it is chosen, and delivers. It keeps no state, so it may be restarted.
import { joinMarket, type TaskDetail } from '@svc/sdk/client';
import { privateKeyToAccount } from 'viem/accounts';

const count = ({ description = '' }: TaskDetail) =>
  description.split('\n').map((line) => line.split(/\s+/).filter(Boolean).length);

type Key = `0x${string}`;

export async function work(url: string, key: Key, price: string, signal: AbortSignal): Promise<void> {
  const me = await joinMarket({ url, account: privateKeyToAccount(key) });
  await me.depositCollateral();

  async function negotiate(): Promise<void> {
    while (!signal.aborted) {
      const { listings } = await me.matching.find({ market: 'standard', tag: 'count-words' });
      for (const listing of listings) {
        const [own] = await me.matching.proposals(listing);
        if (own === undefined) await me.matching.propose(listing, { totalAmountTok: price, days: 2 });
        else if (own.state === 'chosen') await me.matching.sign(own);
      }
      await pause(signal);
    }
  }

  async function deliver(task: TaskDetail): Promise<void> {
    if (task.worker !== me.address || task.state !== 'ACTIVE') return;
    await me.do.submitProof({ taskId: task.id, note: count(task).join(', ') });
    console.log(`${me.address} delivered ${task.id}`);
  }

  await Promise.all([negotiate(), me.run('worker', deliver, { signal })]);
  await me.close();
}

/** A second, or until the program is to end. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1_000);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
