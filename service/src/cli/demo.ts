// `svc demo`: three agents negotiate, work, dispute and are paid, through the tools of the market alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { readWallet } from '@svc/sdk/chain';
import { formatTok, formatUsdc, marketParameters, pollUntil, SvcError } from '@svc/sdk/domain';
import { type Connection, connect } from '#app/connect.ts';
import { createSite } from '#app/createSite.ts';
import { createLog } from '#app/log.ts';
import { createProgress } from '#app/progress.ts';
import { watchSignals } from '#app/serve.ts';
import { type Config, readConfig } from '#config.ts';
import { createDevnet } from '#devnet/devnet.ts';
import { createDemoAgent, type DemoAgent, waitFor } from './demoAgent.ts';
import { playConceded, playDefaulted, playRuled } from './demoDisputes.ts';
import { type Narrator, playNegotiated } from './demoStory.ts';
import { parseOptions, type Usage } from './options.ts';

export const usage = {
  command: 'demo',
  synopsis: ['[--json]'],
  about:
    'Plays four tasks on the embedded chain with three agents, each with its own key, mailbox and tool server (svc mcp): an agreement that is negotiated, worked on and paid; and three disputes, of which one is answered and ruled on, one conceded, and one not answered. For the last one the clock of the embedded chain moves on by three days. It uses the market of a running npm start, where you can watch it, or starts its own.',
  options: {},
  json: 'print the story on standard error, and {"siteUrl", "steps", "seconds"} at its end',
  examples: ['svc demo'],
} as const satisfies Usage;

const market = 'micro';

type Write = (line: string) => void;

export async function run(args: readonly string[]): Promise<number> {
  const { json } = parseOptions(usage, args).values;
  const write = json ? console.error : console.log;
  const startedAt = performance.now();
  const stop = watchSignals();
  const stage = await openStage(stop);
  const mailFolder = mkdtempSync(join(tmpdir(), 'svc-demo-mail-'));
  const agents: DemoAgent[] = [];
  try {
    for (const name of ['newcomer', 'visitor', 'assessor'] as const)
      agents.push(await createDemoAgent(stage.config, stage.connection, name, mailFolder));
    const steps = await play(stage, agents as [DemoAgent, DemoAgent, DemoAgent], write);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    write(`\nDone: ${steps} steps, four tasks, ${seconds} s.`);
    if (json) console.log(JSON.stringify({ siteUrl: stage.config.siteUrl, steps, seconds }));
  } finally {
    for (const agent of agents) await agent.close();
    rmSync(mailFolder, { recursive: true, force: true });
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
    publicRpcUrl: devnet.rpcUrl,
    chainName: 'svc embedded chain',
    dataDir,
    host: '127.0.0.1',
    port: 0,
    databaseUrl: undefined,
    now: devnet.clock.now,
    protocolVersion: 'v2',
    log: createLog('error'),
  });
  await pollUntil(() => site.isReady() || undefined, { everyMs: 20, signal });
  const config = readConfig({ SVC_SITE_URL: site.url, SVC_DATA_DIR: dataDir });
  const connection = await connect(config);
  return {
    config,
    connection,
    isOwn: true,
    close: async () => {
      connection.close();
      await site.close();
      await devnet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function play(
  { config, connection, isOwn }: Stage,
  agents: [DemoAgent, DemoAgent, DemoAgent],
  write: Write,
): Promise<number> {
  const [poster, worker, arbitrator] = agents;
  const chapter = (title: string) => write(`\n${styleText('bold', title)}`);
  const narrator = createNarrator(agents, connection, write);
  write(`Market at ${config.siteUrl}${isOwn ? ', started for this demo' : ''}\n`);
  for (const [role, { name, address }] of Object.entries({ poster, worker, arbitrator }))
    write(`     ${name.padEnd(8)}  ${role.padEnd(10)}  ${address}`);
  write('\nBelow a step: the task, its state, its escrow, and the TOK balance of each wallet.');
  chapter('Getting ready');
  await getReady(poster, narrator);
  await getReady(worker, narrator);
  chapter('A task that two agents negotiate');
  await playNegotiated(poster, worker, narrator);
  chapter('A dispute that is answered and ruled on');
  await playRuled(poster, worker, arbitrator, narrator);
  chapter('A dispute that the poster concedes');
  await playConceded(poster, worker, narrator);
  chapter('A dispute that nobody answers');
  await playDefaulted(poster, worker, (seconds) => moveClock(connection, seconds), narrator);
  return narrator.countSteps();
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
}

function createNarrator(
  agents: readonly DemoAgent[],
  { rpc, contracts }: Connection,
  write: Write,
): Narrator & { readonly countSteps: () => number } {
  const width = Math.max(...agents.map(({ name }) => name.length));
  const balances = new Map<string, bigint>();
  let count = 0;
  const say = ({ name }: DemoAgent, what: string) => {
    count++;
    write(`${String(count).padStart(3)}  ${styleText('cyan', name.padEnd(width))}  ${what}`);
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
        const { task: found } = await agent.call('svc_get_task', { taskId });
        return found.state === state && isShown(found) ? found : undefined;
      });
      const described = await Promise.all(agents.map(describeBalance));
      say(agent, what);
      const escrow = formatAmount(BigInt(task.lockedTokWei)).padStart(5);
      const line = `     ${taskId}  ${state.padEnd(9)}  escrow ${escrow} TOK   ${described.join('  ')}`;
      write(styleText('dim', line.trimEnd()));
    },
    countSteps: () => count,
  };
}

/** In TOK, with thousands separators. */
function formatAmount(wei: bigint): string {
  const [whole = '', ...fraction] = formatTok(wei < 0n ? -wei : wei).split('.');
  const grouped = [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
  return wei < 0n ? `-${grouped}` : grouped;
}
