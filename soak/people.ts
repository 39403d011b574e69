// People with wallets, who act as agents do: prepare an action, simulate it, and send it with a key.

import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import { prepareAction } from '#sdk/actions/prepareAction.ts';
import type { MarketAccess } from '#sdk/actions/reads.ts';
import { createActionReads, createClientAsker, readPostedTask } from '#sdk/actions/reads.ts';
import { contractsOfBoth } from '#sdk/chain/contracts.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { Address } from '#sdk/domain/address.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { type AccountName, accountOf, accounts } from '#service/devnet/accounts.ts';
import { buildAccountStep, buildEntries } from '#service/devnet/seed/accountSteps.ts';
import { buildTransaction, type DevTransaction } from '#service/devnet/transactions.ts';
import { createKeyWallet } from '#service/wallet/keyWallet.ts';
import { createRequestFile, type SavedRequest } from '#service/wallet/requestFile.ts';
import { buildWalletRequest } from '#service/wallet/walletInterface.ts';
import { ask } from '../test/support/devnet.ts';
import { send } from '../test/support/replay/randomRun.ts';
import type { Setup } from './setup.ts';

/** Refused by the simulation or by the chain: another account was faster, or it is too late. */
export type Acted =
  | { readonly outcome: 'done'; readonly hashes: readonly string[]; readonly taskId: string | null }
  | { readonly outcome: 'refused'; readonly reason: string };

export type Person = {
  readonly name: AccountName;
  readonly address: Address;
  readonly account: PrivateKeyAccount;
  readonly act: (action: string, args: Readonly<Record<string, unknown>>) => Promise<Acted>;
  /** Sends calls that another part prepared for this wallet. */
  readonly hand: (market: Market, request: CreateRequest) => Promise<Acted>;
};

export type People = Awaited<ReturnType<typeof createPeople>>;

const traderNames = accounts.slice(4, 14).map(({ name }) => name);
const arbitratorNames = ['umpire', 'referee', 'assessor', 'fallback'] as const;
const idleNames = ['drifter', 'umpire', 'referee', 'assessor', 'newcomer', 'visitor'] as const;

/** All have allowances and collateral for many tasks. */
export async function createPeople({ deployment, client, peopleProxy }: Setup) {
  for (const transaction of [...buildWealth(deployment), ...buildEntries(deployment)])
    await send(client, transaction);
  const { depositVault } = deployment.markets.standard;
  const usdcToken = { address: deployment.usdc, abi: testUsdcAbi };
  for (const name of idleNames) {
    const { address } = accountOf(name);
    await send(client, buildTransaction(address, usdcToken, 'approve', [depositVault, wealth.usdc]));
    await send(client, buildAccountStep(deployment, 'standard', name, ['deposit', 400]));
  }
  for (const market of markets) {
    for (const name of traderNames)
      await send(client, buildAccountStep(deployment, market, name, ['deposit', 400]));
    for (const name of arbitratorNames.slice(0, 3))
      await send(client, buildAccountStep(deployment, market, name, ['bond', 12_000, 0]));
  }
  // New collateral opens no conversation with a wallet that looks for nobody.
  await ask(client, 'evm_increaseTime', 86_401);
  await ask(client, 'evm_mine');
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [peopleProxy.url], chainId, genesisHash });
  const contracts = contractsOfBoth(deployment);
  const needs: MarketAccess = {
    chainId,
    contracts,
    reads: createActionReads(rpc, contracts),
    readQuota: async () => null,
  };

  const requests = createRequestFile();

  function createPerson(name: AccountName): Person {
    const { address, privateKey } = accountOf(name);
    const wallet = createKeyWallet({
      privateKey,
      rpc,
      chainId: 8_453,
      chain: genesisHash,
      requests,
    });

    async function hand(market: Market, request: CreateRequest): Promise<Acted> {
      // A request that a fault interrupted is finished first, or given up.
      for (const { id } of requests.loadOpen({ wallet: 'key', chain: genesisHash, request })) {
        await wallet.resume(id);
        requests.giveUp(requests.load(id) as SavedRequest);
      }
      const { error, transactionHashes: hashes } = await wallet.submit(request);
      if (error !== null) return { outcome: 'refused', reason: error };
      const taskId = await readPostedTask(rpc, market, contracts[market].taskRegistry, hashes);
      return { outcome: 'done', hashes, taskId };
    }

    return {
      name,
      address,
      account: privateKeyToAccount(privateKey),
      hand,
      act: async (action, args) => {
        const prepared = await prepareAction(action, { ...args, from: address }, async () => needs);
        if (prepared.kind !== 'calls') throw new Error(`${action} makes no calls`);
        const { simulation } = prepared;
        if (simulation.status === 'reverted') return { outcome: 'refused', reason: simulation.error };
        return hand(prepared.market as Market, buildWalletRequest(prepared));
      },
    };
  }

  return {
    traders: traderNames.map(createPerson),
    arbitrators: arbitratorNames.map(createPerson),
    /** Have collateral and do nothing by themselves. */
    idle: idleNames.map(createPerson),
    /** As the chain has it, whatever the people's provider answers. */
    readTask: createActionReads(createClientAsker(client), contracts).readTask,
    close: () => {
      requests.close();
      rpc.close();
    },
  };
}

/** Enough for hours of work. */
const wealth = { tok: parseTok('1000000'), usdc: parseUsdc('100000') };

function buildWealth({ tokToken, usdc }: Deployment): DevTransaction[] {
  const operator = accountOf('operator').address;
  return [...new Set([...traderNames, ...arbitratorNames, ...idleNames])].flatMap((name) => {
    const { address } = accountOf(name);
    return [
      buildTransaction(operator, { address: tokToken, abi: tokTokenAbi }, 'transfer', [address, wealth.tok]),
      buildTransaction(operator, { address: usdc, abi: testUsdcAbi }, 'mint', [address, wealth.usdc]),
    ];
  });
}
