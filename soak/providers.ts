// `npm run soak:providers`: a site behind providers with the two habits that matter most, each with figures.
//
// 1. A limit: 25 calls a second, each call of a batch counted, 500 blocks, batches of 10. How long 3,125 blocks of history
//    take, from the start of the process, and what the limit itself allows for as many calls.
// 2. A lag: every second answer is four blocks behind, under load. Counts false reorganisations and answers that go backwards.
//
// --minutes n   duration of the second part; default 10. Use --seconds n for a short run
// --only part   limit or lag; default both
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildPosterTransactions, buildPostTransaction, type Chain, startChain } from '../bench/chain.ts';
import { type Site, startSite, waitFor } from '../bench/site.ts';
import { type FaultyProxy, startFaultyProxy } from '../test/support/faultyProxy.ts';

const historyBlocks = 3_125;
const historySeconds = 60;
const callsPerSecond = 25;
/** One task in this many blocks. */
const postEvery = 25;
const blockMs = 500;
const readers = 8;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string' },
    only: { type: 'string', default: 'both' },
  },
});
const seconds = values.seconds === undefined ? 60 * Number(values.minutes) : Number(values.seconds);
if (!(seconds > 0)) throw new Error('--minutes and --seconds take a number above 0.');
const { only } = values;
if (!['limit', 'lag', 'both'].includes(only)) throw new Error('--only takes limit or lag.');

const folder = mkdtempSync(join(tmpdir(), 'svc-providers-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const chain = await startChain('anywhere');
const proxy = await startFaultyProxy(chain.rpcUrl);
try {
  await chain.setPace('still');
  const posts = Math.ceil(historyBlocks / postEvery + (seconds * 1_000) / blockMs) + 1;
  await chain.send(buildPosterTransactions(chain.deployment, posts));
  const problems = [
    ...(only === 'lag' ? [] : await measureLimit(chain, proxy)),
    ...(only === 'limit' ? [] : await measureLag(chain, proxy)),
  ];
  for (const problem of problems) console.log(`BAD  ${problem}`);
  console.log(problems.length === 0 ? 'The site follows such providers.' : `${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  proxy.close();
  await chain.close();
}

async function measureLimit(chain: Chain, proxy: FaultyProxy): Promise<string[]> {
  console.log(`… mining ${historyBlocks.toLocaleString('en')} blocks`);
  const { number: first, time } = await chain.readHead();
  for (let head = first; head < BigInt(historyBlocks); head++) {
    if (Number(head) % postEvery === 0)
      await chain.send([buildPostTransaction(chain.deployment, Number(head), time)]);
    else await chain.mine();
  }
  proxy.setFault('25 calls a second, 500 blocks, batches of 10');
  const [calls, limited] = [proxy.calls(), proxy.limited()];
  const site = await startSite({ ...chain, rpcUrl: proxy.url }, join(folder, 'limit'));
  await waitFor(async () => (await readHealth(site)).history?.complete === true, 100);
  const taken = (performance.now() - site.startedAt) / 1_000;
  await site.close();
  const needed = proxy.calls() - calls;
  console.log(
    `limit: complete after ${taken.toFixed(1)} s with ${needed} calls, ${proxy.limited() - limited} requests refused; ` +
      `${callsPerSecond} calls a second alone take ${(needed / callsPerSecond).toFixed(1)} s`,
  );
  return taken < historySeconds ? [] : [`${historyBlocks} blocks took ${taken.toFixed(1)} s.`];
}

async function measureLag(chain: Chain, proxy: FaultyProxy): Promise<string[]> {
  console.log(`… every second answer four blocks behind for ${seconds} s`);
  proxy.setFault('every second answer four blocks behind');
  const site = await startSite({ ...chain, rpcUrl: proxy.url }, join(folder, 'lag'));
  const end = performance.now() + seconds * 1_000;
  const seen: Seen = { answers: 0, refused: 0, block: 0, task: 0, backwards: [] };
  const [blocks] = await Promise.all([
    mineUntil(chain, end),
    ...Array.from({ length: readers }, () => readUntil(site, end, seen)),
  ]);
  const { number: head } = await chain.readHead();
  const reached = await waitUpTo(10_000, async () => (await readHealth(site)).block >= Number(head));
  const events = await countFollowed(site);
  await site.close();
  const reorgs = (events.get('reorg') ?? 0) + (events.get('lost') ?? 0);
  console.log(
    `lag: ${blocks} blocks, ${proxy.requests().toLocaleString('en')} requests to the provider, ` +
      `${seen.answers.toLocaleString('en')} answers of the site (${seen.refused} refused), ` +
      `${events.get('moved') ?? 0} steps, ${events.get('failed') ?? 0} repeated; ` +
      `${reorgs} false reorganisations, ${seen.backwards.length} answers went backwards`,
  );
  return [
    ...(reorgs === 0 ? [] : [`${reorgs} reorganisations that never were.`]),
    ...seen.backwards.slice(0, 20),
    ...(reached ? [] : [`The site did not reach block ${head}.`]),
  ];
}

/** The newest that an answer has shown so far. */
type Seen = { answers: number; refused: number; block: number; task: number; readonly backwards: string[] };

/** Each block has a post. Returns their number. */
async function mineUntil(chain: Chain, end: number): Promise<number> {
  let blocks = 0;
  while (performance.now() < end) {
    const { time } = await chain.readHead();
    await chain.send([buildPostTransaction(chain.deployment, blocks++, time)]);
    await pause(blockMs);
  }
  return blocks;
}

/** What was shown before a request was sent must still be there in its answer. */
async function readUntil(site: Site, end: number, seen: Seen): Promise<void> {
  while (performance.now() < end) {
    const { block: knownBlock, task: knownTask } = seen;
    const response = await fetch(`${site.url}/api/market/open?limit=1`);
    const body = (await response.json()) as { readonly tasks?: readonly { readonly id: string }[] };
    if (!response.ok) {
      seen.refused++;
      continue;
    }
    const block = Number(response.headers.get('svc-block'));
    const task = Number(body.tasks?.[0]?.id.split(':').at(-1) ?? 0);
    if (block < knownBlock || task < knownTask)
      seen.backwards.push(`block ${block} and task ${task} after ${knownBlock} and ${knownTask}`);
    seen.answers++;
    seen.block = Math.max(seen.block, block);
    seen.task = Math.max(seen.task, task);
  }
}

async function waitUpTo(milliseconds: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await pause(100);
  }
  return true;
}

type Health = { readonly block: number; readonly history?: { readonly complete: boolean } };

async function readHealth(site: Site): Promise<Health> {
  return (await (await fetch(`${site.url}/health`)).json()) as Health;
}

/** What the follower did, by kind of event. */
async function countFollowed(site: Site): Promise<Map<string, number>> {
  const text = await (await fetch(`${site.url}/metrics`)).text();
  const lines = [...text.matchAll(/^svc_follower_total\{event="(\w+)"\} (\d+)$/gm)];
  return new Map(lines.map(([, event = '', count]) => [event, Number(count)]));
}
