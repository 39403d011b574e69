// The embedded chain with people on it who act through prepare and a wallet, as agents do.
import assert from 'node:assert/strict';
import { createPublicClient, http, type PublicClient } from 'viem';
import { type PreparedAction, type PreparedCalls, prepareAction } from '#sdk/actions/prepareAction.ts';
import type { MarketAccess } from '#sdk/actions/reads.ts';
import { createActionReads, createClientAsker, readPostedTask } from '#sdk/actions/reads.ts';
import { contractsOfBoth } from '#sdk/chain/contracts.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { Market } from '#sdk/domain/market.ts';
import type { Task } from '#sdk/domain/task.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createKeyWallet } from '#service/wallet/keyWallet.ts';
import { createRequestFile } from '#service/wallet/requestFile.ts';
import type { WalletAnswer } from '#service/wallet/walletInterface.ts';
import { buildWalletRequest } from '#service/wallet/walletInterface.ts';
import { createWordsCheck } from './approvalWords.ts';
import { ask } from './devnet.ts';
import { checkMovements } from './moneyLedger.ts';

/** A post that lacks only its amount. */
export const offer = {
  title: 'Count the birds',
  description: 'On the lake, at dawn.',
  criteriaText: 'Every species is named.',
  deadline: '+7d',
  reviewPeriod: '12h',
};

export type Done = WalletAnswer & { readonly prepared: PreparedAction; readonly taskId: string };

export type Preparing = Awaited<ReturnType<typeof startPreparing>>;

type Args = Readonly<Record<string, unknown>>;

export async function startPreparing() {
  const devnet: Devnet = await createDevnet({ port: 0, isSeeded: true, clockOffsetSeconds: 0 });
  const { deployment, rpcUrl } = devnet;
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [rpcUrl], chainId, genesisHash });
  const contracts = contractsOfBoth(deployment);
  const reads = createActionReads(rpc, contracts);
  const access: MarketAccess = { chainId, contracts, reads, readQuota: async () => null };
  // The ledger reads every account before and after each action: many calls in one request.
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) }) as PublicClient;
  const asker = createClientAsker(client);
  // No block may come between two reads: stakes grow with each.
  await ask(client, 'evm_setIntervalMining', 0);
  const ledgerAccess = { ...access, reads: createActionReads(asker, contracts) };
  const treasury = accountOf('treasury').address;
  const performed = new Set<string>();
  const requests = createRequestFile();
  const checkWords = createWordsCheck();

  /** Answers what was prepared, whatever a trial said. */
  const prepare = async (name: string, args: Args, changed: Partial<MarketAccess> = {}) => {
    const prepared = await prepareAction(name, args, async () => ({ ...access, ...changed }));
    if (prepared.kind === 'document') performed.add(name);
    return prepared;
  };

  const prepareCalls = async (name: string, who: AccountName, args: Args = {}): Promise<PreparedCalls> => {
    const prepared = await prepare(name, { ...args, from: accountOf(who).address });
    assert.equal(prepared.kind, 'calls');
    return prepared;
  };

  /** Prepares it, and has the wallet of that account send or sign it. */
  async function act(
    name: string,
    who: AccountName,
    args: Args = {},
    changed: Partial<MarketAccess> = {},
  ): Promise<Done> {
    const account = accountOf(who);
    const prepared = await prepare(name, { ...args, from: account.address }, changed);
    assert.notEqual(prepared.kind, 'document');
    if (prepared.kind === 'document') throw new Error('unreachable');
    if (prepared.kind === 'calls') assert.equal(prepared.simulation.status, 'success');
    const { privateKey } = account;
    const wallet = createKeyWallet({
      privateKey,
      rpc,
      chainId: 8_453,
      chain: genesisHash,
      requests,
    });
    if (prepared.kind === 'calls') await checkWords(prepared, args, { ...access, ...changed });
    const submit = () => wallet.submit(buildWalletRequest(prepared));
    const ledger = { rpc: asker, access: { ...ledgerAccess, ...changed }, treasury };
    const answer =
      prepared.kind === 'calls' ? await checkMovements(prepared, ledger, submit) : await submit();
    assert.equal(answer.status, 'settled', answer.error ?? '');
    if (prepared.kind === 'calls') {
      performed.add(name);
      await checkGas(prepared, answer.transactionHashes);
    }
    const market = prepared.market as Market;
    const posted = await readPostedTask(
      rpc,
      market,
      contracts[market].taskRegistry,
      answer.transactionHashes,
    );
    return { ...answer, prepared, taskId: posted ?? '' };
  }

  /** The trial has told about what it took: it knows nothing of what falls due by the time the block is mined. */
  async function checkGas({ action, simulation }: PreparedCalls, hashes: readonly string[]): Promise<void> {
    const used = await rpc.askAll(
      hashes.map((hash) => ({
        method: 'eth_getTransactionReceipt',
        params: [hash],
        parse: (receipt: unknown) => Number((receipt as { gasUsed: string }).gasUsed),
      })),
    );
    const told = Number(simulation.status === 'success' ? simulation.gas : 0);
    const ratio = told / used.reduce((sum, one) => sum + one, 0);
    assert.ok(ratio > 0.75 && ratio < 1.3, `${action}: told ${told}, used ${used}`);
  }

  async function taskOf(id: string): Promise<Task> {
    const { market, number } = parseTaskId(id);
    const task = await reads.readTask(market, number);
    assert.ok(task !== null);
    return task;
  }

  return {
    act,
    prepare,
    prepareCalls,
    taskOf,
    performed,
    walletOf: (who: AccountName, market: Market = 'standard') =>
      reads.readWallet(market, accountOf(who).address),
    addressOf: (who: AccountName) => accountOf(who).address,
    advance: (seconds: number) => devnet.clock.advance(seconds),
    devnet,
    rpc,
    access,
    close: async () => {
      rpc.close();
      await devnet.close();
    },
  };
}
