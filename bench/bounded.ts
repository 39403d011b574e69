// Measures that work stays bounded: how long /health takes while wallets sign in on a market with very many deposits, and how
// large and how long the answers about a wallet with very many tasks are.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseUsdc } from '#sdk/domain/amount.ts';
import type { ChainEvent } from '#sdk/domain/event.ts';
import { addCollateral, rewindAbove } from '#service/store/collateral.ts';
import { saveEvents } from '#service/store/eventRows.ts';
import { ask } from '../test/support/devnet.ts';
import { startGateway, type TestGateway } from '../test/support/gateway.ts';
import { addressOf } from '../test/support/indexer/fakeChain.ts';
import { copyTask, pathsOf } from '../test/support/manyTasks.ts';
import { type Figure, quantile } from './figure.ts';
import type { Setup } from './setup.ts';

const signInEveryMs = 300;
const blockEveryMs = 2_000;
const askEveryMs = 25;
/** Deposits are spread over this many wallets. */
const depositors = 5_000;

export async function measureBounded({ sizes: { bounded }, say }: Setup): Promise<Figure[]> {
  const gateway = await startGateway({ isSeeded: true });
  try {
    say('asking for /health at rest');
    const rest = await timeHealth(gateway, bounded.seconds / 3);
    say(`storing ${bounded.deposits} deposits`);
    await storeDeposits(gateway, bounded.deposits);
    say('signing in, with blocks');
    const busy = await besiege(gateway, bounded.seconds);
    const [restMs, busyMs] = [quantile(rest, 0.99), quantile(busy, 0.99)];
    say(`storing ${bounded.tasks} tasks of one wallet`);
    const { largest, longestMs } = await weighReads(gateway, bounded.tasks);
    return [
      { name: '/health at rest: 99 of 100', value: restMs, unit: 'milliseconds' },
      { name: '/health while wallets sign in: 99 of 100', value: busyMs, unit: 'milliseconds' },
      {
        name: '/health while wallets sign in, in that at rest',
        value: busyMs / restMs,
        unit: 'ratio',
        atMost: 3,
      },
      {
        name: `${largest.path}: largest answer`,
        value: largest.bytes / 1e3,
        unit: 'kilobytes',
        atMost: 1_000,
      },
      {
        name: `${longestMs.path}: most CPU between two turns of the event loop`,
        value: longestMs.milliseconds,
        unit: 'milliseconds',
        atMost: 50,
      },
    ];
  } finally {
    await gateway.close();
  }
}

/** Milliseconds of each answer. */
async function timeHealth(gateway: TestGateway, seconds: number): Promise<number[]> {
  const found: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const startedAt = performance.now();
    await (await fetch(`${gateway.url()}/health`)).arrayBuffer();
    found.push(performance.now() - startedAt);
    await sleep(askEveryMs);
  }
  return found;
}

async function storeDeposits(gateway: TestGateway, count: number): Promise<void> {
  const { database } = gateway.site().market;
  const [chain] = await database.query<{ startBlock: number; headNumber: number }>(
    'SELECT start_block, head_number FROM chain',
  );
  const [first, last] = [chain?.startBlock ?? 0, chain?.headNumber ?? 0];
  const hash = `0x${'12'.repeat(32)}` as const;
  const amount = String(parseUsdc('25'));
  const events = Array.from({ length: count }, (_, at): ChainEvent => {
    // Spread over the older blocks: the newest are compared with the chain again.
    const blockNumber = BigInt(first + Math.floor(((last - first) * 0.8 * at) / count));
    const place = { blockNumber, logIndex: 1_000 + at };
    const args = { agent: addressOf(10_000 + (at % depositors)), amount };
    return {
      ...{ market: 'standard', contract: 'depositVault', name: 'Deposited', address: addressOf(1), args },
      ...{ taskNumber: null, blockHash: hash, txHash: hash, blockTime: 1_700_000_000 + at, ...place },
    };
  });
  await database.chain.transaction(async (tx) => {
    await saveEvents(tx, events);
    // They are older than those that have rows: all are made again, as on a living market one by one.
    await rewindAbove(tx, -1n);
    while (await addCollateral(tx));
  });
}

/** Asks for /health while a new wallet signs in every 300 ms and blocks come. */
async function besiege(gateway: TestGateway, seconds: number): Promise<number[]> {
  const client = createPublicClient({ transport: http(gateway.devnet.rpcUrl) });
  const signing = setInterval(() => {
    gateway.signIn(privateKeyToAccount(generatePrivateKey())).catch(() => undefined);
  }, signInEveryMs);
  const mining = setInterval(
    () => void ask(client as never, 'evm_mine').catch(() => undefined),
    blockEveryMs,
  );
  try {
    return await timeHealth(gateway, seconds);
  } finally {
    clearInterval(signing);
    clearInterval(mining);
  }
}

/** Of the reads about the two wallets of a task that stands there very often. */
async function weighReads(gateway: TestGateway, count: number) {
  const { database, drain } = gateway.site().market;
  drain();
  const { poster, worker } = await copyTask(database, count);
  const largest = { path: '', bytes: 0 };
  const longestMs = { path: '', milliseconds: 0 };
  for (const path of [poster, worker].flatMap(pathsOf)) {
    const turn = watchTurns();
    const body = await (await fetch(gateway.url() + path)).arrayBuffer();
    const milliseconds = turn.end();
    if (body.byteLength > largest.bytes)
      Object.assign(largest, { path: path.split('?')[0], bytes: body.byteLength });
    if (milliseconds > longestMs.milliseconds)
      Object.assign(longestMs, { path: path.replace(/0x\w+/, '…'), milliseconds });
  }
  return { largest, longestMs };
}

/** The most CPU that this thread uses from one turn of its event loop to the next: other load on the machine does not count. */
function watchTurns() {
  let most = 0;
  let last = process.threadCpuUsage();
  let isOver = false;
  function look(): void {
    const { user, system } = process.threadCpuUsage(last);
    most = Math.max(most, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  }
  setImmediate(look);
  return {
    end: () => {
      isOver = true;
      return most;
    },
  };
}
