// A market full of tasks for keepers: people with enough collateral, a clock to move, and the sums at the end.
import assert from 'node:assert/strict';
import { type Hex, numberToHex } from 'viem';
import { contractsOfBoth } from '#sdk/chain/contracts.ts';
import { createRpc, type Rpc } from '#sdk/chain/rpc.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { createKeySender } from '#sdk/send/keySender.ts';
import { type AccountName, accountOf, accounts } from '#service/devnet/accounts.ts';
import { buildAccountStep } from '#service/devnet/seed/accountSteps.ts';
import { createKeeper, type Keeper, type KeeperEvent, type KeeperOptions } from '#service/keeper/keeper.ts';
import { ask } from './devnet.ts';
import { type LiveMarket, startLiveMarket } from './liveMarket.ts';
import { contractsOf, countLive, readBalance, readSupply, readTasks } from './marketReader.ts';
import { send } from './replay/randomRun.ts';

export type KeptMarket = Awaited<ReturnType<typeof startKeptMarket>>;

export type TestKeeper = Keeper & { readonly rpc: Rpc; readonly events: KeeperEvent[] };

const traders = accounts.slice(4, 15).map(({ name }) => name);

export async function startKeptMarket() {
  const market = await startLiveMarket();
  const { client, deployment, devnet } = market;
  const { chainId, genesisHash } = deployment;
  for (const of of markets) {
    for (const name of traders) await send(client, buildAccountStep(deployment, of, name, ['deposit', 400]));
    for (const name of ['umpire', 'referee', 'assessor'] as const)
      await send(client, buildAccountStep(deployment, of, name, ['bond', 12_000, 0]));
  }
  const contracts = contractsOfBoth(deployment);
  const rpcs: Rpc[] = [];
  return {
    ...market,
    contracts,
    addressOf: (name: AccountName) => accountOf(name).address,
    advance: async (seconds: number) => {
      await ask(client, 'evm_increaseTime', seconds);
      await ask(client, 'evm_mine');
    },
    /** With the account's own key; `url` may be that of a proxy. */
    createKeeper: (
      name: AccountName,
      { url = devnet.rpcUrl, ...options }: Partial<KeeperOptions> & { readonly url?: string } = {},
    ): TestKeeper => {
      const rpc = createRpc({ urls: [url], chainId, genesisHash });
      rpcs.push(rpc);
      const { privateKey } = accountOf(name);
      const sender = createKeySender(rpc, privateKey, chainId);
      const events: KeeperEvent[] = [];
      const onEvent = (event: KeeperEvent) => void events.push(event);
      const keeper = createKeeper({ rpc, sender, contracts, onEvent, sweepMs: 0, ...options });
      return { ...keeper, rpc, events };
    },
    /** Of both markets. */
    countLive: () => countLive(client, deployment),
    /** Sends nothing to itself, this many times, for the fee that is usual now; answers the transactions' hashes. */
    sendIdly: async (name: AccountName, times: number) => {
      const { address } = accountOf(name);
      const { baseFeePerGas } = await client.getBlock();
      const tip = await client.estimateMaxPriorityFeePerGas();
      const fees = {
        maxFeePerGas: numberToHex(2n * (baseFeePerGas ?? 0n) + tip),
        maxPriorityFeePerGas: numberToHex(tip),
      };
      const idle = { from: address, to: address, value: '0x0', gas: numberToHex(21_000), ...fees };
      const hashes: Hex[] = [];
      for (let sent = 0; sent < times; sent++)
        hashes.push((await ask(client, 'eth_sendTransaction', idle)) as Hex);
      return hashes;
    },
    countSent: (name: AccountName) => client.getTransactionCount({ address: accountOf(name).address }),
    close: async () => {
      for (const rpc of rpcs) rpc.close();
      await market.close();
    },
  };
}

/** Nothing is held for any task, no bond is locked, and every token is with somebody. */
export async function assertAllAccounted({ client, deployment }: LiveMarket): Promise<void> {
  const { tokToken, usdc } = deployment;
  for (const of of markets) await assertMarketEmpty(of);
  for (const token of [tokToken, usdc]) {
    const { held, supply } = await readSupply(client, deployment, token);
    assert.equal(held, supply, 'every token is with somebody');
  }

  async function assertMarketEmpty(of: Market): Promise<void> {
    const contracts = contractsOf(deployment, of);
    const { escrow, deposits, court } = contracts;
    for (const task of await readTasks(client, contracts)) {
      const [funded, released, refunded, fees] = await client.readContract({
        ...escrow,
        functionName: 'ledger',
        args: [task.id],
      });
      assert.equal(funded, released + refunded + fees, `${of} ${task.id} pays out what came in`);
    }
    assert.equal(await readBalance(client, tokToken, escrow.address), 0n, 'escrow is empty');
    const bonded = await client.readContract({ ...court, functionName: 'totalBonded' });
    const inCourt = await readBalance(client, tokToken, court.address);
    assert.equal(inCourt, bonded, 'the court holds arbitrators’ bonds alone');
    let deposited = 0n;
    for (const { address, name } of accounts) {
      const [account] = await client.readContract({
        ...deposits,
        functionName: 'accountOf',
        args: [address],
      });
      assert.deepEqual([account.locked, account.engagements], [0n, 0], `${name} is bound by nothing`);
      deposited += account.balance;
    }
    assert.equal(await readBalance(client, usdc, deposits.address), deposited, 'collateral is all there');
  }
}
