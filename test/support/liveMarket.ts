// The embedded chain in this process, with people who are ready to trade, and its course under the test's control.
import { createRpc, type Rpc } from '#sdk/chain/rpc.ts';
import { createChainSource } from '#service/chain/source.ts';
import { createDevnet } from '#service/devnet/devnet.ts';
import { buildEntries } from '#service/devnet/seed/accountSteps.ts';
import { createReader } from './baseChain.ts';
import { ask } from './devnet.ts';
import { findQuietOffset } from './quietDay.ts';
import { createRandom } from './replay/random.ts';
import { playRandomly, scatterTasks, send } from './replay/randomRun.ts';

export type LiveMarket = Awaited<ReturnType<typeof startLiveMarket>>;

export async function startLiveMarket() {
  // Blocks come when the test says so: none by the clock, and none for the price.
  const devnet = await createDevnet({
    port: 0,
    isSeeded: false,
    clockOffsetSeconds: findQuietOffset(),
    isPriceKept: false,
  });
  const { deployment, rpcUrl } = devnet;
  const client = createReader(rpcUrl);
  const rpcs: Rpc[] = [];
  let games = 0;
  await ask(client, 'evm_setIntervalMining', 0);
  for (const transaction of buildEntries(deployment)) await send(client, transaction);
  return {
    devnet,
    deployment,
    client,
    /** Random moves on both markets, one block each; the same seed makes the same moves. */
    play: async (moves: number, seed = ++games) => {
      await playRandomly({ client, deployment, random: createRandom(seed) }, moves);
    },
    /** Posts tasks and leaves each somewhere on its way. */
    scatter: (tasks: number, seed = ++games) =>
      scatterTasks({ client, deployment, random: createRandom(seed) }, tasks),
    mineEmpty: async (blocks: number) => {
      for (let block = 0; block < blocks; block++) await ask(client, 'evm_mine');
    },
    /** Answers the way back to this very block. */
    remember: async () => {
      const id = await ask(client, 'evm_snapshot');
      return async () => {
        await ask(client, 'evm_revert', id);
      };
    },
    createSource: (url = rpcUrl) => {
      const { chainId, genesisHash } = deployment;
      const rpc = createRpc({ urls: [url], chainId, genesisHash, timeoutMs: 30_000 });
      rpcs.push(rpc);
      return { rpc, source: createChainSource(rpc, deployment) };
    },
    close: async () => {
      for (const rpc of rpcs) rpc.close();
      await devnet.close();
    },
  };
}
