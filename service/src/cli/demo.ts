// `svc demo`: three agents post, negotiate, work, dispute and are paid, over the tool server and the relay alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { readWallet } from '@svc/sdk/chain';
import { formatTok, formatUsdc, isSameAddress, marketParameters, pollUntil, SvcError } from '@svc/sdk/domain';
import { type Connection, connect, createSiteClient } from '#app/connect.ts';
import { createGateway, readGatewayOptions } from '#app/createGateway.ts';
import { createSite } from '#app/createSite.ts';
import { createLog } from '#app/log.ts';
import { createProgress, eraseLine } from '#app/progress.ts';
import { watchSignals } from '#app/serve.ts';
import { type Config, readConfig } from '#config.ts';
import { createDemoAgent, type DemoAgent, type Reply, type Spent, waitFor } from '#demo/demoAgent.ts';
import { playConceded, playDefaulted, playRuled } from '#demo/demoDisputes.ts';
import { market, type Narrator, playAccepted, playNegotiated } from '#demo/demoStory.ts';
import { runSwarm } from '#demo/swarm.ts';
import { fewestAgents, mostAgents } from '#demo/swarmCast.ts';
import { renderSwarmPage } from '#demo/swarmPage.ts';
import { accountOf, accounts } from '#devnet/accounts.ts';
import { createDevnet } from '#devnet/devnet.ts';
import { exitCodes } from './failure.ts';
import { parseOptions, parseWhole, parseWithin, text, type Usage } from './options.ts';

const defaultReport = 'svc-demo-report.html';

export const usage = {
  command: 'demo',
  synopsis: ['[--json]', '--agents <n> [--minutes <m>] [--seed <n>] [--report <file>] [--json]'],
  about:
    'Plays five tasks on the embedded chain with three agents. Each has its own process (svc mcp), data folder, key and spending policy; they use tools, and meet over the relay of the gateway. A delivery with a file that is read and paid; a dispute with evidence and files of both sides, which is ruled on with reasons; a private task that is negotiated and delivered with an encrypted file; a dispute that is conceded, and one that is not answered. For the last one the clock of the embedded chain moves on by three days. It uses the market of a running npm start, where you can watch it, or starts its own.',
  options: {
    agents: text(
      '<n>',
      `run a market of so many agents instead, ${fewestAgents} to ${mostAgents}, with faults, on a chain of its own`,
      parseWithin(fewestAgents, mostAgents, true),
    ),
    minutes: text('<m>', 'with --agents: how long they trade; default 3', parseWithin(0.2, 60), 3),
    seed: text('<n>', 'with --agents: another seed makes other choices; default 1', parseWhole(1_000_000), 1),
    report: text('<file>', `with --agents: the report; default ${defaultReport}, and .json beside it`),
  },
  json: 'print the story on standard error, and {"siteUrl", "steps", "seconds", "stories"} at its end, with the tool calls and tokens of each story; with --agents the report',
  notes: [
    'With --agents, posters, workers and arbitrators follow fixed strategies, without a language model: they post, negotiate, claim (some by x402), deliver well or badly, dispute, answer, concede, rule. Meanwhile agents and the gateway are killed and started again, the gateway stops for seconds, and the chain answers late or not. At the end the clock of the embedded chain moves on, so that what nobody answered runs out. The report has tasks, volumes, disputes, what each wallet spent against its policy, and the result of svc audit. It ends with 1 if a policy was exceeded or the audit finds a difference.',
  ],
  examples: ['svc demo', 'svc demo --agents 20 --minutes 3'],
} as const satisfies Usage;

type Write = (line: string) => void;
type Story = Spent & { readonly title: string; readonly steps: number };

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseOptions(usage, args);
  const { json, agents } = values;
  return agents === undefined ? playStory(json) : playSwarm({ ...values, agents });
}

type SwarmChoice = {
  readonly agents: number;
  readonly minutes: number;
  readonly seed: number;
  readonly report: string | undefined;
  readonly json: boolean;
};

/** A market of many agents, and its report as a page and as JSON. */
async function playSwarm({ report: file = defaultReport, json, ...choice }: SwarmChoice): Promise<number> {
  const write = json ? console.error : console.log;
  const terminal = createLiveLines(process.stderr, write);
  const signal = watchSignals();
  const report = await runSwarm({ ...choice, signal, ...terminal })
    .catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    })
    .finally(terminal.end);
  if (report === null) return exitCodes.failed;
  const base = file.replace(/\.html$/, '');
  writeFileSync(`${base}.html`, renderSwarmPage(report));
  writeFileSync(`${base}.json`, `${JSON.stringify(report, null, 2)}\n`);
  const { tasks, volume, disputes, breaches, audit, faults, tools } = report;
  write(
    `\nDone: ${tasks.total} tasks, ${volume.paidTok} TOK paid, ${disputes.total} disputes, ${tools.calls} tool calls, ${faults.length} faults, ${report.seconds} s.`,
  );
  write(`Policy breaches: ${breaches}. Audit: ${audit.text}.`);
  write(`Report: ${base}.html, ${base}.json`);
  if (json) console.log(JSON.stringify(report));
  return breaches === 0 && audit.differences === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Events as lines, and below them a line with the state, which redraws itself on a terminal and comes now and then elsewhere. */
function createLiveLines(output: NodeJS.WriteStream, write: Write) {
  const everyMs = 10_000;
  let state = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  const isLive = output.isTTY === true;
  return {
    say: (line: string) => {
      if (isLive) output.write(eraseLine);
      write(line);
      if (isLive) output.write(state);
    },
    show: (line: string) => {
      state = line.slice(0, (output.columns ?? 1_000) - 1);
      if (isLive) output.write(`${eraseLine}${state}`);
      else if (performance.now() - shownAt >= everyMs) {
        shownAt = performance.now();
        write(line);
      }
    },
    end: () => {
      if (isLive) output.write(eraseLine);
      state = '';
    },
  };
}

async function playStory(json: boolean): Promise<number> {
  const write = json ? console.error : console.log;
  const startedAt = performance.now();
  const stop = watchSignals();
  const stage = await openStage(stop);
  const agents: DemoAgent[] = [];
  try {
    const stories = await play(stage, agents, write);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const steps = stories.reduce((sum, story) => sum + story.steps, 0);
    write(`\nDone: ${steps} steps, five tasks, ${seconds} s.`);
    if (json) console.log(JSON.stringify({ siteUrl: stage.config.siteUrl, steps, seconds, stories }));
  } finally {
    for (const agent of agents) await agent.close();
    await stage.close();
  }
  return 0;
}

type Stage = {
  readonly config: Config;
  readonly connection: Connection;
  readonly isOwn: boolean;
  readonly close: () => Promise<void>;
};

/** The embedded market that is running, or a new one for the time of the demo. */
async function openStage(signal: AbortSignal): Promise<Stage> {
  const config = readConfig();
  const running = await connect(config).catch(() => null);
  if (running === null) return startMarket(signal);
  if (!(await running.isEmbedded())) {
    running.close();
    throw new SvcError('DEMO_NOT_HERE', { url: config.siteUrl });
  }
  return { config, connection: running, isOwn: false, close: async () => running.close() };
}

async function startMarket(signal: AbortSignal): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const progress = createProgress(process.stderr);
  const devnet = await createDevnet({
    port: 0,
    isSeeded: true,
    clockOffsetSeconds: 0,
    onProgress: (part, done, total) => progress.show(`Starting a market (${part})`, done, total),
    signal,
  }).finally(progress.end);
  const site = await createSite({
    deployment: devnet.deployment,
    rpcUrls: [devnet.rpcUrl],
    publicChain: devnet.publicChain,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    databaseUrl: undefined,
    now: devnet.clock.now,
    protocolVersion: 'v2',
    log: createLog('error'),
  });
  const gateway = await createGateway({
    ...readGatewayOptions(readConfig({ SVC_DATA_DIR: dataDir }), accountOf('treasury').privateKey),
    market: site.market,
    site: site.app,
    rpcUrls: [devnet.rpcUrl],
    port: 0,
    portsTried: 1,
  });
  // Messages and files need the whole history: it says who has a part in the market.
  const history = async () => (await createSiteClient(site.url).health()).history?.complete === true;
  await pollUntil(async () => (site.isReady() && (await history())) || undefined, { everyMs: 50, signal });
  const config = readConfig({
    SVC_SITE_URL: site.url,
    SVC_GATEWAY_URL: gateway.url,
    SVC_DATA_DIR: dataDir,
  });
  const connection = await connect(config);
  return {
    config,
    connection,
    isOwn: true,
    close: async () => {
      connection.close();
      await gateway.close();
      await site.close();
      await devnet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function play(
  { config, connection, isOwn }: Stage,
  agents: DemoAgent[],
  write: Write,
): Promise<readonly Story[]> {
  const enter = async (account: ReturnType<typeof accountOf>): Promise<DemoAgent> => {
    const agent = await createDemoAgent(config, account);
    agents.push(agent);
    return agent;
  };
  const [poster, worker] = await Promise.all([enter(accountOf('newcomer')), enter(accountOf('visitor'))]);
  const chosen = await chooseArbitrator(poster);
  const arbitrator = await enter(accounts.find(({ address }) => address === chosen.address) as never);
  write(`Market at ${config.siteUrl}${isOwn ? ', started for this demo' : ''}\n`);
  for (const [role, { name, address }] of Object.entries({ poster, worker, arbitrator }))
    write(`     ${name.padEnd(8)}  ${role.padEnd(10)}  ${address}`);
  write(
    '\nEach agent has its own process, data folder and spending policy. In brackets: tool calls since the last step.',
  );
  write('Below a step: the task, its state, its escrow, and the TOK balance of each wallet.');
  const narrator = createNarrator([poster, worker, arbitrator], { config, connection }, write);
  const chapters: readonly (readonly [title: string, play: () => Promise<void>])[] = [
    [
      'Getting ready',
      async () => {
        const { resolved, missed, bondTok } = chosen;
        const record = `${resolved} rulings, ${missed} missed, a bond of ${bondTok} TOK`;
        narrator.say(
          poster,
          `reads the list of arbitrators, and keeps ${arbitrator.name} in mind: ${record}`,
        );
        for (const agent of [poster, worker]) await getReady(agent, narrator);
      },
    ],
    ['A delivery with a file', () => playAccepted(poster, worker, narrator)],
    ['A dispute that is answered and ruled on', () => playRuled(poster, worker, arbitrator, narrator)],
    ['A private task that two agents negotiate', () => playNegotiated(poster, worker, narrator)],
    ['A dispute that the poster concedes', () => playConceded(poster, worker, narrator)],
    [
      'A dispute that nobody answers',
      () => playDefaulted(poster, worker, (seconds) => moveClock(connection, seconds), narrator),
    ],
  ];
  const stories: Story[] = [];
  for (const [title, tell] of chapters) {
    write(`\n${styleText('bold', title)}`);
    await tell();
    const story = { title, ...narrator.endStory() };
    stories.push(story);
    const tokens = Math.round(story.tokens / 100) * 100;
    write(
      `     ${story.steps} steps, ${story.calls} tool calls, about ${tokens} tokens of calls and answers`,
    );
  }
  return stories;
}

/** Those who may be named come first; this one is the first who takes a dispute of this size. */
async function chooseArbitrator(agent: DemoAgent): Promise<Reply> {
  const { arbitrators } = await agent.call('svc_list_arbitrators', { market });
  const chosen = arbitrators.find(
    ({ eligible, minHeldTok, address }: Reply) =>
      eligible && Number(minHeldTok) <= 800 && accounts.some((one) => isSameAddress(one.address, address)),
  );
  if (chosen === undefined)
    throw new SvcError('TOOL_FAILED', { tool: 'svc_list_arbitrators', reason: 'nobody may be named' });
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
  narrator.say(
    agent,
    ready
      ? 'reads the checklist: ready already'
      : `deposits ${amountUsdc} USDC and reads the checklist: ${outcome}`,
  );
  const { conversations } = await agent.call('svc_inbox', { address: agent.address, limit: 0 });
  narrator.say(
    agent,
    `signs in at the gateway and reads its messages: ${conversations.length} conversations`,
  );
}

type Told = Spent & { readonly steps: number };

function createNarrator(
  agents: readonly DemoAgent[],
  { config, connection }: Pick<Stage, 'config' | 'connection'>,
  write: Write,
): Narrator & { readonly endStory: () => Told } {
  const { rpc, contracts } = connection;
  const site = createSiteClient(config.siteUrl);
  const width = Math.max(...agents.map(({ name }) => name.length));
  const balances = new Map<string, bigint>();
  let count = 0;
  let calls = 0;
  let before: Told = { steps: 0, calls: 0, tokens: 0 };
  const sumUp = (): Spent =>
    agents
      .map(({ spent }) => spent())
      .reduce((sum, one) => ({ calls: sum.calls + one.calls, tokens: sum.tokens + one.tokens }));
  const say = ({ name }: DemoAgent, what: string) => {
    count++;
    const made = sumUp().calls - calls;
    calls += made;
    write(`${String(count).padStart(3)}  ${styleText('cyan', name.padEnd(width))}  ${what} [${made}]`);
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
    say,
    show: async (agent, what, taskId, state, isShown = () => true) => {
      const task = await waitFor(`${taskId} in its new state`, async () => {
        const { task: found } = await site.task(taskId);
        return found.state === state && isShown(found) ? found : undefined;
      });
      const described = await Promise.all(agents.map(describeBalance));
      say(agent, what);
      const escrow = formatAmount(BigInt(task.lockedTokWei)).padStart(5);
      const line = `     ${taskId}  ${state.padEnd(9)}  escrow ${escrow} TOK   ${described.join('  ')}`;
      write(styleText('dim', line.trimEnd()));
    },
    endStory: () => {
      const now = { steps: count, ...sumUp() };
      const told = {
        steps: now.steps - before.steps,
        calls: now.calls - before.calls,
        tokens: now.tokens - before.tokens,
      };
      before = now;
      return told;
    },
  };
}

/** In TOK, with thousands separators. */
function formatAmount(wei: bigint): string {
  const [whole = '', ...fraction] = formatTok(wei < 0n ? -wei : wei).split('.');
  const grouped = [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
  return wei < 0n ? `-${grouped}` : grouped;
}
