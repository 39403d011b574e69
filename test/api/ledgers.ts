// Ledgers, rebuilt a second time from the chain itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEventLogs } from 'viem';
import { escrowVaultAbi } from '#contracts/generated/abi/escrowVault.ts';
import { type Address, isSameAddress } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { ledgerSchema } from '#sdk/schemas/wallets.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { contractsOf, readTasks } from '../support/marketReader.ts';
import type { TestSite } from '../support/site.ts';
import { assertFits } from './fits.ts';
import { chainOf, site } from './site.ts';

const amountFields = [
  'fundedTokWei',
  'lockedTokWei',
  'releasedTokWei',
  'refundedTokWei',
  'feesTokWei',
] as const;
type Amounts = Record<(typeof amountFields)[number], bigint>;

for (const market of markets) {
  test(`every wallet’s ledger on ${market} adds up to what the chain says`, async () => {
    const chain = await readChain(site.devnet.deployment, market);
    const totals = { funded: 0n, released: 0n };
    for (const { address } of accounts) {
      const ledger = await site.getJson(`/api/get-market-ledger?address=${address}&market=${market}`);
      assertFits(ledgerSchema, ledger, address);
      const asPoster = sumUp(chain.tasks.filter((task) => isSameAddress(task.poster, address)));
      const paid = chain.paidTo(address);
      assert.equal(ledger.account, address);
      for (const field of amountFields) {
        assert.equal(ledger.asPoster[field], String(asPoster[field]), `${field} of ${address}`);
        const whole = BigInt(ledger.asPoster[field]) + BigInt(ledger.asWorker[field]);
        assert.equal(ledger[field], String(whole), `${field} in both parts of ${address}`);
        assert.equal(ledger[field], sumEntries(ledger.entries, field), `${field} over entries`);
      }
      assert.equal(ledger.asWorker.releasedTokWei, String(paid), `paid to ${address}`);
      assert.equal(ledger.pendingTokWei, sumLocked(ledger.entries, ['CLAIMED', 'ACTIVE', 'DELIVERED']));
      assert.equal(ledger.disputedTokWei, sumLocked(ledger.entries, ['DISPUTED']));
      for (const state of ['completed', 'disputed', 'resolved', 'cancelled'] as const) {
        const own = ledger.entries.filter((entry: { state: string }) => entry.state === state.toUpperCase());
        assert.equal(ledger[state], own.length, `${state} of ${address}`);
      }
      totals.funded += BigInt(ledger.asPoster.fundedTokWei);
      totals.released += BigInt(ledger.asWorker.releasedTokWei);
    }
    const all = sumUp(chain.tasks);
    assert.equal(totals.funded, all.fundedTokWei, 'the posters together funded everything');
    assert.equal(
      totals.released,
      all.releasedTokWei,
      'the workers together got everything that was released',
    );
    assert.ok(all.lockedTokWei > 0n && all.releasedTokWei > 0n && all.refundedTokWei > 0n);
  });
}

type Deployment = TestSite['devnet']['deployment'];

async function readChain(deployment: Deployment, market: Market) {
  const client = chainOf();
  const contracts = contractsOf(deployment, market);
  const tasks = await readTasks(client, contracts);
  const logs = await client.getLogs({ address: contracts.escrow.address, fromBlock: 0n });
  const released = parseEventLogs({ abi: escrowVaultAbi, eventName: 'Released', logs });
  return {
    tasks,
    /** What escrow has sent to a wallet, by its own logs. */
    paidTo: (address: Address) =>
      released
        .filter(({ args }) => isSameAddress(args.to, address))
        .reduce((sum, { args }) => sum + args.amount, 0n),
  };
}

type ChainTask = Awaited<ReturnType<typeof readTasks>>[number];

function sumUp(tasks: readonly ChainTask[]): Amounts {
  const sum = (pick: (task: ChainTask) => bigint) => tasks.reduce((total, task) => total + pick(task), 0n);
  return {
    fundedTokWei: sum(({ funded }) => funded),
    lockedTokWei: sum(({ funded, released, refunded, fees }) => funded - released - refunded - fees),
    releasedTokWei: sum(({ released }) => released),
    refundedTokWei: sum(({ refunded }) => refunded),
    feesTokWei: sum(({ fees }) => fees),
  };
}

type Entry = Readonly<Record<(typeof amountFields)[number] | 'state', string>>;

function sumEntries(entries: readonly Entry[], field: (typeof amountFields)[number]): string {
  return String(entries.reduce((sum, entry) => sum + BigInt(entry[field]), 0n));
}

function sumLocked(entries: readonly Entry[], states: readonly string[]): string {
  return sumEntries(
    entries.filter(({ state }) => states.includes(state)),
    'lockedTokWei',
  );
}
