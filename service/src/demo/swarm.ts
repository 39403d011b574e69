// Runs a market of many agents: starts chain, servers and agents, lets them trade among faults, closes the market, and
// reports.

import { createRpc } from '@svc/sdk/chain';
import { type Market, protocolConstants, sleep } from '@svc/sdk/domain';
import { createSiteClient } from '#app/connect.ts';
import { listWorkSamples } from '#devnet/seed/seedFiles.ts';
import { createDemoAgent, type DemoAgent } from './demoAgent.ts';
import { createArbitrator } from './swarmArbitrator.ts';
import { castMembers, getMemberReady, type Member } from './swarmCast.ts';
import { type Fault, playFaults } from './swarmFaults.ts';
import { createSwarmMarket, type SwarmMarket } from './swarmMarket.ts';
import {
  createRandom,
  createSteadyAgent,
  type Phase,
  type Player,
  playOn,
  type Strategy,
} from './swarmPlayer.ts';
import { createPoster, deadlineDays } from './swarmPoster.ts';
import {
  auditSpending,
  count,
  describeTasks,
  loadTasks,
  measureProcesses,
  runAudit,
  type SwarmReport,
  type SwarmTask,
  sortCounts,
  sumTok,
} from './swarmReport.ts';
import { createWorker } from './swarmWorker.ts';

export type SwarmOptions = {
  readonly agents: number;
  readonly minutes: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** What happens, in a line. */
  readonly say: (line: string) => void;
  /** The state of the market, in a line; each replaces the one before. */
  readonly show: (line: string) => void;
};

/** Processes that start at the same time, on a machine with few cores. */
const startedAtOnce = 4;
/** Between two steps of an agent: so many milliseconds for each agent of the market. */
const pacePerAgentMs = 120;
const shortestPaceMs = 1_000;
/** No more than this many faults in a run, and not faster than one in this time. */
const mostFaults = 14;
const shortestFaultMs = 5_000;
/** The market is quiet when no task has changed for this long. */
const quietMs = 8_000;
const longestWaitMs = 60_000;
const day = 86_400;
/** A little longer than what a task waits for, because of the time that the agents need. */
const spareSeconds = 3_600;
const mostClockMoves = 5;

export async function runSwarm(options: SwarmOptions): Promise<SwarmReport> {
  const { agents: size, minutes, seed, say, signal } = options;
  const startedAt = new Date();
  const begunAt = performance.now();
  const market = await createSwarmMarket(signal);
  const members = castMembers(size);
  const agents: DemoAgent[] = [];
  try {
    say(`Chain, site and gateway run. Starting ${size} agents: ${describeRoles(members)}.`);
    await startAgents(members, agents, market);
    const processes = measureProcesses(agents);
    say(describeProcesses(processes));
    signal.throwIfAborted();
    const { faults, events, failures, clockMovedDays } = await trade(options, market, members, agents);
    signal.throwIfAborted();
    say('Comparing every task with the chain, and every wallet with its policy.');
    const tasks = await loadTasks(createSiteClient(market.siteUrl), posters(members));
    const spending = await Promise.all(
      members.map((member, at) => auditSpending(member, agents[at] as DemoAgent, market)),
    );
    const spent = agents.map((agent) => agent.spent());
    const tools = agents.flatMap((agent) =>
      [...agent.callsByTool()].flatMap(([tool, calls]) => Array<string>(calls).fill(tool)),
    );
    return {
      agents: size,
      minutes,
      seed,
      startedAt: startedAt.toISOString(),
      seconds: Math.round((performance.now() - begunAt) / 1_000),
      processes: { ...processes, memoryMb: measureProcesses(agents).memoryMb },
      clockMovedDays,
      ...describeTasks(tasks),
      events: sortCounts(events),
      failures: sortCounts(failures),
      spending,
      breaches: spending.reduce((sum, { breaches }) => sum + breaches.length, 0),
      faults,
      tools: {
        calls: spent.reduce((sum, { calls }) => sum + calls, 0),
        tokens: spent.reduce((sum, { tokens }) => sum + tokens, 0),
        byTool: count(tools, (tool) => tool),
      },
      audit: await runAudit(market),
    };
  } finally {
    await Promise.all(agents.map((agent) => agent.close()));
    await market.close();
  }
}

function posters(members: readonly Member[]): Member[] {
  return members.filter(({ role }) => role === 'poster');
}

function describeRoles(members: readonly Member[]): string {
  const sizes = Object.entries(count(members, ({ role }) => role));
  return sizes.map(([role, size]) => `${size} ${role}${size === 1 ? '' : 's'}`).join(', ');
}

function describeProcesses({ startMs, memoryMb }: SwarmReport['processes']): string {
  const memory = memoryMb === null ? '' : `, ${memoryMb.median} MB each, ${memoryMb.all} MB together`;
  return `Each agent is a process with its own key, folder and policy: started in ${startMs.median} ms (median)${memory}.`;
}

/** Money from the faucet of the embedded chain, a process for each, and what its role needs. */
async function startAgents(
  members: readonly Member[],
  agents: DemoAgent[],
  market: SwarmMarket,
): Promise<void> {
  const { chainId, genesisHash } = market.devnet.deployment;
  const rpc = createRpc({ urls: [market.devnet.rpcUrl], chainId, genesisHash });
  for (const { address, grants } of members)
    for (let at = 0; at < grants; at++)
      await rpc.ask({ method: 'svc_fund', params: [address], parse: () => null });
  rpc.close();
  for (let from = 0; from < members.length; from += startedAtOnce) {
    const group = members.slice(from, from + startedAtOnce);
    agents.push(...(await Promise.all(group.map((one) => createDemoAgent(market, one, one.policy)))));
  }
  await Promise.all(members.map((member, at) => getMemberReady(agents[at] as DemoAgent, member)));
}

type Traded = {
  readonly faults: readonly Fault[];
  readonly events: ReadonlyMap<string, number>;
  readonly failures: ReadonlyMap<string, number>;
  readonly clockMovedDays: number;
};

async function trade(
  { minutes, seed, signal, say, show }: SwarmOptions,
  market: SwarmMarket,
  members: readonly Member[],
  agents: readonly DemoAgent[],
): Promise<Traded> {
  let phase: Phase = 'trading';
  const events = new Map<string, number>();
  const failures = new Map<string, number>();
  const faults: Fault[] = [];
  const note = (what: string, text?: string) => {
    events.set(what, (events.get(what) ?? 0) + 1);
    if (text !== undefined) say(text);
  };
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  const paceMs = Math.max(shortestPaceMs, pacePerAgentMs * members.length);
  const playing = members.map((member, at) => {
    const player: Player = {
      agent: createSteadyAgent(agents[at] as DemoAgent, note),
      market: member.markets[0] as Market,
      random: createRandom(seed * 1_000 + at),
      phase: () => phase,
      note,
      fail: (reason) => failures.set(reason, (failures.get(reason) ?? 0) + 1),
    };
    return playOn(player, createStrategy(player, member, at), paceMs, stop);
  });

  const closing = AbortSignal.any([signal, AbortSignal.timeout(minutes * 60_000)]);
  const faultMs = Math.max(shortestFaultMs, (minutes * 60_000) / mostFaults);
  const scene = { market, agents, random: createRandom(seed) };
  const watching = watchMarket(market, members, agents, faults, show, stop);
  await playFaults(scene, faultMs, closing, (fault) => {
    faults.push(fault);
    say(`Fault: ${fault.kind} (${fault.detail})`);
  });
  phase = 'closing';
  say('The market closes: no new work. Agents finish what they have begun.');
  const onMoved = () => {
    phase = 'late';
  };
  const clockMovedDays = await closeMarket(market, members, { say, onMoved, signal });
  end.abort();
  await Promise.all([...playing, watching]);
  return { faults, events, failures, clockMovedDays };
}

function createStrategy(player: Player, { role, markets }: Member, place: number): Strategy {
  const samples = listWorkSamples();
  if (role === 'poster') return createPoster(player, samples);
  if (role === 'arbitrator') return createArbitrator(player, markets);
  return createWorker(player, { samples, isPaying: place % 3 === 0 });
}

const isEnded = ({ state }: SwarmTask) => ['COMPLETED', 'RESOLVED', 'CANCELLED'].includes(state);

/** Waits until nobody does anything any more; where tasks then wait for time to pass, the clock of the chain moves on. */
async function closeMarket(
  market: SwarmMarket,
  members: readonly Member[],
  { say, signal, onMoved }: Pick<SwarmOptions, 'say' | 'signal'> & { readonly onMoved: () => void },
): Promise<number> {
  const site = createSiteClient(market.siteUrl);
  const load = () => loadTasks(site, posters(members));
  let moved = 0;
  let before = '';
  await untilQuiet(load, signal);
  for (let at = 0; at < mostClockMoves; at++) {
    const left = (await load()).filter((task) => !isEnded(task));
    const now = describeStates(left);
    // What the last move did not change, the next one will not change either.
    if (left.length === 0 || now === before || signal.aborted) break;
    before = now;
    const seconds = chooseMove(left);
    await market.devnet.clock.advance(seconds);
    moved += seconds;
    onMoved();
    say(
      `${left.length} tasks wait for what does not come: the clock moves on by ${Math.floor(seconds / day)} days.`,
    );
    await untilQuiet(load, signal);
  }
  return Math.floor(moved / day);
}

/** To the end of the shortest phase that keeps a task open: review or answer, then arbitrators, then the deadline of the work. */
function chooseMove(left: readonly SwarmTask[]): number {
  const { answerWindowSeconds, fallbackWindowSeconds, deliveryGraceSeconds } = protocolConstants;
  const isWaiting = ({ state, dispute }: SwarmTask) =>
    state === 'DELIVERED' || dispute?.phase === 'ANSWERING';
  if (left.some(isWaiting)) return answerWindowSeconds + spareSeconds;
  if (left.some(({ state }) => state === 'DISPUTED')) return fallbackWindowSeconds + spareSeconds;
  return deadlineDays * day + deliveryGraceSeconds + spareSeconds;
}

function describeStates(tasks: readonly SwarmTask[]): string {
  return JSON.stringify(
    tasks.map(({ id, state, dispute }) => [id, state, dispute?.phase, dispute?.poster.pick]),
  );
}

async function untilQuiet(load: () => Promise<SwarmTask[]>, signal: AbortSignal): Promise<void> {
  const begunAt = performance.now();
  let [seen, changedAt] = ['', begunAt];
  while (!signal.aborted && performance.now() - begunAt < longestWaitMs) {
    const tasks = await load().catch(() => null);
    if (tasks?.every(isEnded)) return;
    const now = tasks === null ? seen : describeStates(tasks);
    if (now !== seen) [seen, changedAt] = [now, performance.now()];
    if (performance.now() - changedAt > quietMs) return;
    await sleep(500, signal);
  }
}

/** Shows the state of the market again and again. */
async function watchMarket(
  market: SwarmMarket,
  members: readonly Member[],
  agents: readonly DemoAgent[],
  faults: readonly Fault[],
  show: SwarmOptions['show'],
  signal: AbortSignal,
): Promise<void> {
  const site = createSiteClient(market.siteUrl);
  const begunAt = performance.now();
  while (!signal.aborted) {
    const tasks = await loadTasks(site, posters(members)).catch(() => null);
    if (tasks !== null) {
      const states = count(tasks, ({ state }) => state.toLowerCase());
      const calls = agents.reduce((sum, agent) => sum + agent.spent().calls, 0);
      const parts = [
        formatTime(performance.now() - begunAt),
        `${tasks.length} tasks`,
        ...Object.entries(states).map(([state, number]) => `${number} ${state}`),
        `${sumTok(tasks, 'lockedTokWei')} TOK held`,
        `${sumTok(tasks, 'releasedTokWei')} TOK paid`,
        `${calls} tool calls`,
        `${faults.length} faults`,
      ];
      show(parts.join(' · '));
    }
    await sleep(1_000, signal);
  }
}

function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
