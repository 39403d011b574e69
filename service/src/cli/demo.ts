// `svc demo`: agents post, negotiate, work, dispute and are paid, over the tool server and the relay alone.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { formatTok, formatUsdc, isSameAddress, marketParameters } from '@svc/sdk/domain';
import { readWallet } from '@svc/sdk/internal/chain/readAgents';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { type Connection, connect, createSiteClient } from '../app/connect.ts';
import { createProgress } from '../app/progress.ts';
import { watchSignals } from '../app/serve.ts';
import { type Config, readConfig } from '../config.ts';
import {
  type AgentAccount,
  createDemoAgent,
  type DemoAgent,
  type Reply,
  type Spent,
  waitFor,
} from '../demo/demoAgent.ts';
import { playConceded, playDefaulted, playRuled } from '../demo/demoDisputes.ts';
import { market, type Narrator, playAccepted, playNegotiated, type Scene } from '../demo/demoStory.ts';
import { accountOf, accounts } from '../devnet/accounts.ts';
import { createDevnet } from '../devnet/devnet.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { serveEmbedded } from './embeddedMarket.ts';
import { defineRun, parseWhole, text, type Usage } from './options.ts';

const fewestAgents = 3;
const mostAgents = 41;

export const usage = {
  command: 'demo',
  synopsis: ['[--agents <n>] [--json]'],
  about:
    'Plays five tasks on the embedded chain with three agents. Each has its own process (svc mcp), data folder, key and spending policy; they use tools, and meet over the relay of the gateway. A delivery with a file that is read and paid; a dispute with evidence and files of both sides, which is ruled on with reasons; a private task that is negotiated and delivered with an encrypted file; a dispute that is conceded, and one that is not answered. For the last one the clock of the embedded chain moves on by three days. It uses the market of a running npm start, where you can watch it, or starts its own.',
  options: {
    agents: text(
      '<n>',
      `how many agents, ${fewestAgents} (default) to ${mostAgents}: one arbitrator, and pairs of poster and worker that play the same story at the same time`,
      parseWhole(mostAgents, fewestAgents),
      fewestAgents,
    ),
  },
  json: 'print the story on standard error, and {"siteUrl", "steps", "seconds", "stories"} at its end, with the tool calls and tokens of each story',
  examples: ['svc demo', 'svc demo --agents 9'],
} as const satisfies Usage;

type Write = (line: string) => void;
type Story = Spent & { readonly title: string; readonly steps: number };

export const run = defineRun(usage, async ({ values: { json, agents: size } }, config) => {
  const write = json ? console.error : console.log;
  const startedAt = performance.now();
  const stop = watchSignals();
  const stage = await openStage(config, stop);
  const agents: DemoAgent[] = [];
  try {
    const stories = await play(stage, Math.floor((size - 1) / 2), agents, write);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const steps = stories.reduce((sum, story) => sum + story.steps, 0);
    const tasks = agents.length === fewestAgents ? 'five' : String((5 * (agents.length - 1)) / 2);
    write(`\nDone: ${steps} steps, ${tasks} tasks, ${seconds} s.`);
    if (json) console.log(JSON.stringify({ siteUrl: stage.config.siteUrl, steps, seconds, stories }));
  } finally {
    for (const agent of agents) await agent.close();
    await stage.close();
  }
});

type Stage = {
  readonly config: Config;
  readonly connection: Connection;
  readonly isOwn: boolean;
  readonly close: () => Promise<void>;
};

/** The embedded market that is running, or a new one for the time of the demo. */
async function openStage(config: Config, signal: AbortSignal): Promise<Stage> {
  const running = await connect(config).catch(() => null);
  if (running === null) return startMarket(signal);
  if (!(await running.isEmbedded())) {
    running.close();
    throw new OperatorError('DEMO_NOT_HERE', { url: config.siteUrl });
  }
  return { config, connection: running, isOwn: false, close: async () => running.close() };
}

async function startMarket(stop: AbortSignal): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const progress = createProgress(process.stderr);
  const devnet = await createDevnet({
    port: 0,
    isSeeded: true,
    clockOffsetSeconds: 0,
    onProgress: (part, done, total) => progress.show(`Starting a market (${part})`, done, total),
    signal: stop,
  }).finally(progress.end);
  const own = { SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: 'error' };
  const market = await serveEmbedded(devnet, { ...readConfig(own), sitePort: 0, gatewayPort: 0 }, { stop });
  const { site, gateway } = market;
  const config = readConfig({ ...own, SVC_SITE_URL: site.url, SVC_GATEWAY_URL: gateway.url });
  const connection = await connect(config);
  return {
    config,
    connection,
    isOwn: true,
    close: async () => {
      connection.close();
      await market.close();
      await devnet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function play(
  { config, connection, isOwn }: Stage,
  size: number,
  agents: DemoAgent[],
  write: Write,
): Promise<readonly Story[]> {
  const enter = async (account: AgentAccount): Promise<DemoAgent> => {
    const agent = await createDemoAgent(config, account);
    agents.push(agent);
    return agent;
  };
  const pairs: Pick<Scene, 'poster' | 'worker'>[] = [];
  for (let number = 1; number <= size; number++) {
    const cast = await castPair(number, connection);
    const [poster, worker] = await Promise.all([enter(cast.poster), enter(cast.worker)]);
    pairs.push({ poster, worker });
  }
  const chosen = await chooseArbitrator(pairs[0]?.poster as DemoAgent);
  const arbitrator = await enter(accounts.find(({ address }) => address === chosen.address) as never);
  write(`Market at ${config.siteUrl}${isOwn ? ', started for this demo' : ''}\n`);
  const width = Math.max(...agents.map(({ name }) => name.length));
  for (const [role, { name, address }] of [
    ...pairs.flatMap(Object.entries<DemoAgent>),
    ['arbitrator', arbitrator] as const,
  ])
    write(`     ${name.padEnd(width)}  ${role.padEnd(10)}  ${address}`);
  write(
    '\nEach agent has its own process, data folder and spending policy. In brackets: tool calls since the last step.',
  );
  write('Below a step: the task, its state, its escrow, and the TOK balance of each wallet.');
  const narration = createNarration(agents, { config, connection }, write);
  const pass = createBarrier(size, (seconds) => moveClock(connection, seconds));
  const { resolved, pairs: judgedPairs, missed, bondTok } = chosen;
  const chapters: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
    'Getting ready': async ({ poster, worker, narrator }) => {
      const record = `${resolved} rulings between ${judgedPairs} pairs of parties, ${missed} missed, a bond of ${bondTok} TOK`;
      narrator.say(poster, `reads the list of arbitrators, and keeps ${arbitrator.name} in mind: ${record}`);
      for (const agent of [poster, worker]) await getReady(agent, narrator);
    },
    'A delivery with a file': playAccepted,
    'A dispute that is answered and ruled on': playRuled,
    'A private task that two agents negotiate': playNegotiated,
    'A dispute that the poster concedes': playConceded,
    'A dispute that nobody answers': playDefaulted,
  };
  const stories: Story[] = [];
  for (const [title, tell] of Object.entries(chapters)) {
    write(`\n${styleText('bold', title)}`);
    await Promise.all(
      pairs.map((pair) => {
        const narrator = narration.narrate([pair.poster, pair.worker, arbitrator]);
        return tell({ ...pair, arbitrator, narrator, pass });
      }),
    );
    const story = { title, ...narration.endStory() };
    stories.push(story);
    const tokens = `about ${Math.round(story.tokens / 100) * 100} tokens of calls and answers`;
    write(`     ${story.steps} steps, ${story.calls} tool calls, ${tokens}`);
  }
  return stories;
}

/** Poster and worker. The first pair are named accounts of the embedded chain; the others get new keys, and money from its faucet. */
async function castPair(
  number: number,
  { rpc }: Connection,
): Promise<Record<'poster' | 'worker', AgentAccount>> {
  if (number === 1) return { poster: accountOf('newcomer'), worker: accountOf('visitor') };
  const create = async (role: string) => {
    const privateKey = generatePrivateKey();
    const address = privateKeyToAddress(privateKey);
    await rpc.ask({ method: 'svc_fund', params: [address], parse: () => null });
    return { name: `${role} ${number}`, address, privateKey };
  };
  return { poster: await create('poster'), worker: await create('worker') };
}

/** Acts once all of `size` callers have arrived: the clock is the same for every pair. */
function createBarrier(size: number, act: (seconds: number) => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return async (seconds: number): Promise<void> => {
    arrived++;
    if (arrived === size) resolve(act(seconds));
    return promise;
  };
}

/** Those who may be named come first; this one is the first who takes a dispute of this size. */
async function chooseArbitrator(agent: DemoAgent): Promise<Reply> {
  const { arbitrators } = await agent.call('svc_list_arbitrators', { market });
  const chosen = arbitrators.find(
    ({ eligible, minHeldTok, address }: Reply) =>
      eligible && Number(minHeldTok) <= 800 && accounts.some((one) => isSameAddress(one.address, address)),
  );
  const failure = { tool: 'svc_list_arbitrators', reason: 'nobody may be named' };
  if (chosen === undefined) throw new OperatorError('TOOL_FAILED', failure);
  return chosen;
}

/** The embedded chain lets its clock be moved. */
async function moveClock({ rpc }: Connection, seconds: number): Promise<void> {
  await rpc.ask({ method: 'evm_increaseTime', params: [seconds], parse: () => null });
  await rpc.ask({ method: 'evm_mine', params: [], parse: () => null });
}

/** Deposits collateral where the checklist says that the agent is not ready. */
async function getReady(agent: DemoAgent, narrator: Narrator): Promise<void> {
  const { ready } = await agent.call('svc_onboarding_checklist', { address: agent.address, market });
  const amountUsdc = formatUsdc(marketParameters[market].recommendedUsdc);
  if (!ready) await agent.act('top-up', { market, amountUsdc });
  const { checks } = await agent.call('svc_onboarding_checklist', { address: agent.address, market });
  const missing = checks.filter(({ ok, required }: { ok: boolean; required: boolean }) => required && !ok);
  const outcome = missing.length === 0 ? 'ready' : `${missing.length} required checks fail`;
  const deposited = `deposits ${amountUsdc} USDC and reads the checklist: ${outcome}`;
  narrator.say(agent, ready ? 'reads the checklist: ready already' : deposited);
  const { conversations } = await agent.call('svc_inbox', { address: agent.address, limit: 0 });
  const read = `signs in at the gateway and reads its messages: ${conversations.length} conversations`;
  narrator.say(agent, read);
}

function createNarration(
  agents: readonly DemoAgent[],
  { config, connection }: Pick<Stage, 'config' | 'connection'>,
  write: Write,
) {
  const { rpc, contracts } = connection;
  const site = createSiteClient(config.siteUrl);
  const width = Math.max(...agents.map(({ name }) => name.length));
  const balances = new Map<string, bigint>();
  let [steps, calls] = [0, 0];
  let before = { steps: 0, calls: 0, tokens: 0 };
  const sumUp = (): Spent =>
    agents
      .map(({ spent }) => spent())
      .reduce((sum, one) => ({ calls: sum.calls + one.calls, tokens: sum.tokens + one.tokens }));
  const say = ({ name }: DemoAgent, what: string) => {
    steps++;
    const made = sumUp().calls - calls;
    calls += made;
    write(`${String(steps).padStart(3)}  ${styleText('cyan', name.padEnd(width))}  ${what} [${made}]`);
  };
  /** The balance, and its change since it was last shown. */
  const describeBalance = async ({ name, address }: DemoAgent): Promise<string> => {
    const { tokWei } = await readWallet(rpc, contracts[market], address);
    const change = tokWei - (balances.get(name) ?? tokWei);
    balances.set(name, tokWei);
    const changed = change === 0n ? '' : `${change > 0n ? '+' : ''}${formatAmount(change)}`;
    return `${name} ${formatAmount(tokWei).padStart(7)} ${changed.padEnd(6)}`;
  };
  return {
    /** Shows the balances of these agents after each step. */
    narrate: (shown: readonly DemoAgent[]): Narrator => ({
      say,
      show: async (agent, what, taskId, state, isShown = () => true) => {
        const task = await waitFor(`${taskId} in its new state`, async () => {
          const { task: found } = await site.task(taskId);
          return found.state === state && isShown(found) ? found : undefined;
        });
        const described = await Promise.all(shown.map(describeBalance));
        say(agent, what);
        const escrow = formatAmount(BigInt(task.lockedTokWei)).padStart(5);
        const line = `     ${taskId}  ${state.padEnd(9)}  escrow ${escrow} TOK   ${described.join('  ')}`;
        write(styleText('dim', line.trimEnd()));
      },
    }),
    endStory: () => {
      const [last, now] = [before, { steps, ...sumUp() }];
      before = now;
      const { steps: made, calls: asked, tokens } = now;
      return { steps: made - last.steps, calls: asked - last.calls, tokens: tokens - last.tokens };
    },
  };
}

/** In TOK, with thousands separators. */
function formatAmount(wei: bigint): string {
  return Number(formatTok(wei)).toLocaleString('en-US', { maximumFractionDigits: 18 });
}
