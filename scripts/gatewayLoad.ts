// Loads a gateway with reads and claims over many connections, and fails on an error or a receipt that was used twice.
//
//   npm run gateway:load                     # 64 connections, 30 seconds
//   npm run gateway:load -- 8 5              # 8 connections, 5 seconds
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEventLogs } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { formatTaskId } from '#sdk/domain/taskId.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import { type Cast, createCast, enter } from '../test/support/cast.ts';

const [connections = 64, seconds = 30] = process.argv.slice(2).map(Number);

/** One in this many turns is a claim, the others are reads. */
const claimEvery = 8;
/** Each receipt is presented by this many at once. */
const presenters = 2;

const tally = { reads: 0, claims: 0, refusals: 0 };
const failures: string[] = [];
const uses = new Map<string, number>();
const milliseconds: number[] = [];

const { child, report, end } = await startMarket();
try {
  const cast = await createCast(report.rpcUrl, 'standard');
  await enter(cast);
  const taskId = await postTask(cast);
  // The gateway shows a task once it has seen its block.
  while ((await ask(`/v1/tasks/${taskId}`)).status !== 200) await pause(50);
  // And the boards, once it has read the whole history.
  while ((await ask('/v1/treasury')).status !== 200) await pause(50);
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      for (let turn = at; performance.now() < until && child.exitCode === null; turn++) {
        if (turn % claimEvery === 0) await claim(taskId, cast.worker.address);
        else await read(turn, taskId);
      }
    }),
  );
} finally {
  await end();
}
const twice = [...uses.values()].filter((count) => count > 1).length;
const unused = [...uses.values()].filter((count) => count === 0).length;
milliseconds.sort((left, right) => left - right);
const at = (share: number) => Math.round(milliseconds[Math.floor(milliseconds.length * share)] ?? 0);
console.log(
  [
    `${connections} connections for ${seconds} s: ${tally.reads} reads, ${tally.claims} claims answered, ` +
      `${tally.refusals} repeated ones refused.`,
    `Reads took ${at(0.5)} ms in the middle, ${at(0.99)} ms at worst but for one in a hundred.`,
    `Errors: ${failures.length}. Receipts used twice: ${twice}. Receipts refused though unused: ${unused}.`,
    ...failures.slice(0, 5),
  ].join('\n'),
);
process.exitCode = failures.length + twice + unused === 0 && tally.claims > 0 ? 0 : 1;

async function read(turn: number, taskId: string): Promise<void> {
  const paths = [
    '/v1/market/open',
    '/v1/market/recent?limit=10',
    `/v1/tasks/${taskId}`,
    '/v1/leaderboard/reputation',
    '/v1/treasury',
    '/v1/fees',
    '/api/market/open?market=micro',
    '/health',
  ];
  const startedAt = performance.now();
  const { status } = await ask(paths[turn % paths.length] as string);
  milliseconds.push(performance.now() - startedAt);
  if (status === 200) tally.reads++;
  else failures.push(`${paths[turn % paths.length]}: ${status}`);
}

async function claim(taskId: string, payer: string): Promise<void> {
  const given = await ask('/v1/payment-receipt', { payer, action: 'claim', taskId });
  if (given.status !== 200) return void failures.push(`receipt: ${given.status} ${given.body}`);
  const { header, receipt } = JSON.parse(given.body);
  const answers = await Promise.all(
    Array.from({ length: presenters }, () =>
      ask(`/v1/tasks/${taskId}/claim`, { payer }, { [header.name]: header.value }),
    ),
  );
  uses.set(receipt.nonce, answers.filter(({ status }) => status === 200).length);
  for (const { status, body } of answers) {
    if (status === 200) tally.claims++;
    else if (status === 402) tally.refusals++;
    else failures.push(`claim: ${status} ${body}`);
  }
}

async function ask(path: string, body?: object, headers: Record<string, string> = {}) {
  const init = body && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  try {
    const response = await fetch(report.gatewayUrl + path, init);
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return { status: 0, body: String((error as Error).cause ?? error) };
  }
}

async function postTask({ client, contracts, poster }: Cast): Promise<string> {
  const { timestamp } = await client.getBlock();
  const { logs } = await poster.write(contracts.registry, 'postTask', [
    {
      totalAmount: parseTok('1000'),
      deadline: timestamp + 86_400n,
      reviewPeriod: 86_400,
      criteriaHash: hashCriteria('As agreed.'),
      milestones: [],
      uri: 'https://work.example/brief.txt',
      fundNow: 0n,
    },
  ]);
  const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
  return formatTaskId({ market: 'standard', number: posted?.args.taskId ?? 0n });
}

type Report = { readonly rpcUrl: string; readonly gatewayUrl: string };

/** Starts the market as a user does, on free ports and with its own database. */
async function startMarket(): Promise<{ child: ChildProcess; report: Report; end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-load-'));
  const script = join(import.meta.dirname, '../service/bin/svc.mjs');
  const child = spawn(process.execPath, [script, 'start', '--json', '--port', '0'], {
    env: { PATH: process.env.PATH, SVC_DATA_DIR: folder, SVC_SITE_PORT: '0', SVC_GATEWAY_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { child, report: JSON.parse(text), end };
}
