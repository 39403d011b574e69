// The figures of a run of many agents: tasks and money from the site, spending from each policy's log and from the chain,
// and the result of `svc audit`.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRpc } from '@svc/sdk/chain';
import type { MarketClient } from '@svc/sdk/client';
import { type Address, formatTok, formatUsdc } from '@svc/sdk/domain';
import { encodeEventTopics, erc20Abi, padHex } from 'viem';
import { svcScript } from '#app/packageFiles.ts';
import { createLedger } from '#policy/decisionLog.ts';
import { judge, sumUp } from '#policy/judge.ts';
import { parsePolicy } from '#policy/policyFile.ts';
import type { DemoAgent, Reply } from './demoAgent.ts';
import type { Member } from './swarmCast.ts';
import type { Fault } from './swarmFaults.ts';
import type { SwarmMarket } from './swarmMarket.ts';

export type SwarmTask = Awaited<ReturnType<MarketClient['posterTasks']>>['tasks'][number];
type Amounts = { readonly tok: string; readonly usdc: string };

export type Spender = {
  readonly name: string;
  readonly role: string;
  readonly market: string;
  readonly address: Address;
  readonly calls: number;
  readonly limit: Amounts;
  /** What its policy counted. */
  readonly counted: Amounts;
  /** What left the wallet on chain. */
  readonly left: Amounts;
  /** Requests that its policy left to an owner. */
  readonly asked: number;
  readonly breaches: readonly string[];
};

export type SwarmReport = {
  readonly agents: number;
  readonly minutes: number;
  readonly seed: number;
  readonly startedAt: string;
  readonly seconds: number;
  readonly processes: {
    readonly startMs: { readonly median: number; readonly most: number };
    /** Null where the system does not say. */
    readonly memoryMb: { readonly median: number; readonly most: number; readonly all: number } | null;
  };
  /** Days by which the clock of the chain was moved ahead at the end. */
  readonly clockMovedDays: number;
  readonly tasks: {
    readonly total: number;
    readonly private: number;
    readonly states: Readonly<Record<string, number>>;
    readonly outcomes: Readonly<Record<string, number>>;
  };
  readonly volume: {
    readonly postedTok: string;
    readonly paidTok: string;
    readonly refundedTok: string;
    readonly escrowTok: string;
  };
  readonly disputes: { readonly total: number; readonly outcomes: Readonly<Record<string, number>> };
  readonly events: Readonly<Record<string, number>>;
  /** Why steps of agents failed, each tried again. */
  readonly failures: Readonly<Record<string, number>>;
  readonly spending: readonly Spender[];
  readonly breaches: number;
  readonly faults: readonly Fault[];
  readonly tools: {
    readonly calls: number;
    readonly tokens: number;
    readonly byTool: Readonly<Record<string, number>>;
  };
  readonly audit: { readonly tasks: number; readonly differences: number; readonly text: string };
};

export function count<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return sortCounts(counts);
}

/** The largest first. */
export function sortCounts(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([, left], [, right]) => right - left));
}

export function sumTok(
  tasks: readonly SwarmTask[],
  field: 'totalAmountTokWei' | 'releasedTokWei' | 'refundedTokWei' | 'lockedTokWei',
): string {
  return formatTok(tasks.reduce((sum, task) => sum + BigInt(task[field]), 0n));
}

/** All tasks of these posters, private ones included. */
export async function loadTasks(site: MarketClient, posters: readonly Member[]): Promise<SwarmTask[]> {
  const lists = posters.flatMap(({ address, markets }) =>
    markets.map((market) => site.posterTasks(address, { market, limit: 100 })),
  );
  return (await Promise.all(lists)).flatMap(({ tasks }) => tasks);
}

/** How a task ended, in words. */
function outcomeOf({ state, dispute }: SwarmTask): string {
  if (dispute !== null)
    return dispute.outcome === null
      ? 'dispute still open'
      : (disputeWords[dispute.outcome] ?? dispute.outcome);
  const words: Readonly<Record<string, string>> = {
    COMPLETED: 'delivered and paid',
    CANCELLED: 'withdrawn, money returned',
    RESOLVED: 'ended by the clock',
  };
  return words[state] ?? 'not ended';
}

const disputeWords: Readonly<Record<string, string>> = {
  ruling: 'ruled on by an arbitrator',
  default: 'lost without an answer',
  concededByPoster: 'conceded by the poster',
  concededByWorker: 'conceded by the worker',
  settled: 'settled by both',
  silence: 'left undecided by every arbitrator',
};

export function describeTasks(
  tasks: readonly SwarmTask[],
): Pick<SwarmReport, 'tasks' | 'volume' | 'disputes'> {
  const disputed = tasks.filter(({ dispute }) => dispute !== null);
  return {
    tasks: {
      total: tasks.length,
      private: tasks.filter(({ scope }) => scope === 'private').length,
      states: count(tasks, ({ state }) => state),
      outcomes: count(tasks, outcomeOf),
    },
    volume: {
      postedTok: sumTok(tasks, 'totalAmountTokWei'),
      paidTok: sumTok(tasks, 'releasedTokWei'),
      refundedTok: sumTok(tasks, 'refundedTokWei'),
      escrowTok: sumTok(tasks, 'lockedTokWei'),
    },
    disputes: { total: disputed.length, outcomes: count(disputed, outcomeOf) },
  };
}

/** Compares what a wallet was allowed, what its policy counted, and what really left it. */
export async function auditSpending(
  member: Member,
  agent: DemoAgent,
  { devnet }: SwarmMarket,
): Promise<Spender> {
  const policy = parsePolicy(JSON.stringify(member.policy), member.name);
  const ledger = createLedger(join(agent.dataDir, 'policy.sqlite'));
  const entries = ledger.loadSpent(member.address);
  const asked = ledger.list(10_000).filter(({ kind }) => kind === 'asked').length;
  ledger.close();
  const counted = sumUp(entries.flatMap(({ spendings }) => spendings));
  const { tokToken, usdc } = devnet.deployment;
  const [tok, dollars] = await Promise.all(
    [tokToken, usdc].map((token) => readOutgoing(devnet, token, member.address)),
  );
  const left = { tok: tok ?? 0n, usdc: dollars ?? 0n };
  const breaches = entries.flatMap(({ spendings, requestId }, at) => {
    const before = entries.slice(0, at).flatMap((entry) => entry.spendings);
    return judge(policy, spendings, before).map((reason) => `${requestId}: ${reason}`);
  });
  for (const token of ['tok', 'usdc'] as const) {
    if (left[token] > counted[token]) breaches.push(`more ${token} left the wallet than its policy counted`);
    if (left[token] > policy.perDay[token]) breaches.push(`more ${token} left the wallet than perDay allows`);
  }
  return {
    name: member.name,
    role: member.role,
    market: member.markets.join(', '),
    address: member.address,
    calls: agent.spent().calls,
    limit: show(policy.perDay),
    counted: show(counted),
    left: show(left),
    asked,
    breaches,
  };
}

function show({ tok, usdc }: { readonly tok: bigint; readonly usdc: bigint }): Amounts {
  return { tok: formatTok(tok), usdc: formatUsdc(usdc) };
}

const [transfer] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });

/** The sum of all transfers of a token from a wallet, from the logs of the chain. */
async function readOutgoing(devnet: SwarmMarket['devnet'], token: Address, from: Address): Promise<bigint> {
  const { chainId, genesisHash } = devnet.deployment;
  const rpc = createRpc({ urls: [devnet.rpcUrl], chainId, genesisHash });
  try {
    return await rpc.ask({
      method: 'eth_getLogs',
      params: [
        {
          address: token,
          fromBlock: '0x0',
          toBlock: 'latest',
          topics: [transfer, padHex(from, { size: 32 })],
        },
      ],
      parse: (logs) => (logs as Reply[]).reduce((sum, { data }) => sum + BigInt(data), 0n),
    });
  } finally {
    rpc.close();
  }
}

/** Runs `svc audit` as a process of its own. */
export function runAudit({ siteUrl, devnet }: SwarmMarket): Promise<SwarmReport['audit']> {
  const args = [svcScript, 'audit', '--json', '--site', siteUrl, '--rpc', devnet.rpcUrl];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: {} }, (error, out, err) => {
      const { tasks = 0, differences = [] } = readJson(out);
      const isFailed = error !== null && differences.length === 0;
      resolve({
        tasks,
        differences: isFailed ? 1 : differences.length,
        text: isFailed
          ? `svc audit failed: ${err.trim()}`
          : `${tasks} tasks compared with the chain, state and history: ${differences.length === 0 ? 'no' : differences.length} differences`,
      });
    });
  });
}

function readJson(text: string): { readonly tasks?: number; readonly differences?: readonly unknown[] } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Resident memory of the processes in MB, where the system shows it as a file. */
export function measureProcesses(agents: readonly DemoAgent[]): SwarmReport['processes'] {
  const starts = agents.map(({ startMs }) => startMs()).sort((left, right) => left - right);
  const sizes = agents.flatMap(({ pid }) => readMemory(pid()) ?? []).sort((left, right) => left - right);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return {
    startMs: { median: middle(starts), most: starts.at(-1) ?? 0 },
    memoryMb: sizes.length === 0 ? null : { median: middle(sizes), most: sizes.at(-1) ?? 0, all },
  };
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function readMemory(pid: number | null): number | null {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}
