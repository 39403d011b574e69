// Proves the keeper as it is run: `svc keeper` with its options, and beside the embedded chain of `svc start`.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext, test } from 'node:test';
import { formatEther } from 'viem';
import { postedPriceFeedAbi } from '#contracts/generated/abi/postedPriceFeed.ts';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { markets } from '#sdk/domain/market.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { createCast, enter } from './support/cast.ts';
import { ask, startChain } from './support/devnet.ts';
import { type KeptMarket, startKeptMarket } from './support/keeperMarket.ts';
import { serve } from './support/listen.ts';
import { countLive } from './support/marketReader.ts';
import { postTask } from './support/posting.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

const day = 86_400;
const key = accountOf('keeper').privateKey;

let market: KeptMarket;
before(async () => {
  market = await startKeptMarket();
  await market.scatter(12, 3);
  await market.advance(30 * day);
});
after(() => market.close());

type Env = Readonly<Record<string, string>>;

function place(context: TestContext, env: Env = {}, deployment = market.deployment) {
  const cwd = createFolder(context);
  const file = join(cwd, 'deployment.json');
  writeFileSync(file, formatDeployment(deployment));
  return { cwd, env: { SVC_DEPLOYMENT: file, SVC_RPC_URL: market.devnet.rpcUrl, ...env } };
}

test('without a key it says which one is missing; a dry run needs none, lists open exits and sends nothing', async (context) => {
  const { exitCode: refused, err } = await runSvc(['keeper'], place(context));
  assert.equal(refused, 1);
  assert.match(err, /^SVC_KEEPER_KEY is not set/);
  const head = await market.client.getBlockNumber();
  const live = await market.countLive();
  const { exitCode, out } = await runSvc(['keeper', '--dry-run', '--json'], place(context));
  assert.equal(exitCode, 0);
  const { block, open } = JSON.parse(out) as { block: number; open: { taskId: string; gas: string }[] };
  assert.equal(block, Number(head));
  assert.equal(open.length, live);
  for (const { taskId, gas } of open) {
    assert.match(taskId, /^v2:(standard|micro):\d+$/);
    assert.ok(Number(gas) > 21_000);
  }
  assert.equal(await market.client.getBlockNumber(), head);
});

test('on contracts of another edition it ends with one sentence, and sends nothing, as audit and prepare do', async (context) => {
  const head = await market.client.getBlockNumber();
  const deployment = { ...market.deployment, marketLens: market.deployment.usdc };
  const env = { SVC_KEEPER_KEY: key };
  const stake = ['prepare', 'stake', '--amount-tok', '1', '--from', accountOf('coder').address];
  for (const args of [['keeper', '--once'], ['keeper', '--dry-run'], ['audit'], stake]) {
    const { exitCode, out, err } = await runSvc(args, place(context, env, deployment));
    assert.equal(exitCode, 1, err);
    // svc prepare writes what went wrong as JSON too.
    assert.match(out, /^$|"code": ?"CONTRACTS_DIFFER"/);
    assert.match(
      err,
      /^This build is for contracts of edition \S+, and these are of another one: marketLens differ\./,
    );
  }
  assert.equal(await market.client.getBlockNumber(), head);
});

test('--once calls open exits and ends; the next keeper can continue after one that was killed', async (context) => {
  const own = place(context, { SVC_KEEPER_KEY: key });
  const running = startSvc(['keeper', '--json', '--delay', '0'], own);
  const lines: string[] = [];
  createInterface({ input: running.child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    lines.push(line),
  );
  await until(() => lines.length > 1);
  running.child.kill('SIGKILL');
  await running.ended;
  const [started, called] = lines.map((line) => JSON.parse(line));
  assert.equal(started.event, 'started');
  for (const { time, service, instance } of [started, called]) {
    assert.ok(Math.abs(Date.now() - time) < day * 1_000);
    assert.deepEqual([service, instance], ['keeper', `${hostname()}:0`]);
  }
  assert.match(started.keeper, /^0x[0-9a-fA-F]{40}$/);
  assert.match(started.balanceWei, /^\d+$/);
  assert.equal(called.event, 'called');
  // That every task ends: keeperRaces.test.ts.
  await market.advance(10 * day);
  const left = await market.countLive();
  assert.ok(left > 0);
  const { exitCode, out, err } = await runSvc(['keeper', '--once', '--json'], own);
  assert.equal(exitCode, 0, out + err);
  assert.doesNotMatch(out + err, new RegExp(key.slice(2)));
  assert.ok((await market.countLive()) < left);
});

test('a running keeper serves its metrics, and ends at a signal', async (context) => {
  const running = startSvc(['keeper', '--metrics-port', '0'], place(context, { SVC_KEEPER_KEY: key }));
  context.after(() => running.child.kill('SIGKILL'));
  let printed = '';
  running.child.stderr?.on('data', (part) => {
    printed += part;
  });
  await until(() => printed.includes('/metrics\n'));
  const [url = ''] = /http\S+/.exec(printed) ?? [];
  const read = async () => (await fetch(url)).text();
  assert.match(await read(), /^svc_keeper_last_round \d{10}$/m);
  await until(async () => /^svc_keeper_open_exits \d+$/m.test(await read()));
  await until(async () => {
    const [, shown] = /^svc_keeper_ether (\S+)$/m.exec(await read()) ?? [];
    const { address } = accountOf('keeper');
    return Number(shown) === Number(formatEther(await market.client.getBalance({ address })));
  });
  running.child.kill('SIGINT');
  const { exitCode, out } = await running.ended;
  assert.equal(exitCode, 0);
  assert.match(out, /^The keeper 0x[0-9a-fA-F]{40} has [0-9.]+ ETH\./);
});

test('svc publish-price refuses what a source should not say, and of two at once one publishes', async (context) => {
  let answer = '';
  const { url, close } = await serve((_, response) => response.end(answer));
  context.after(close);
  const describe = (from: string, name: AccountName) =>
    [
      ['publish-price', '--source', from, '--min', '0.004', '--max', '0.006', '--json'],
      place(context, { PRIVATE_KEY: accountOf(name).privateKey }),
    ] as const;
  const publish = async (from: string, name: AccountName) => {
    const { exitCode, out } = await runSvc(...describe(from, name));
    return { exitCode, ...(JSON.parse(out) as { event: string; reason?: string }) };
  };
  const feed = { address: market.deployment.priceFeed, abi: postedPriceFeedAbi } as const;
  const readRound = () => market.client.readContract({ ...feed, functionName: 'latestRoundData' });
  const [round, price] = await readRound();
  assert.equal(price, 500_000n);
  const { timestamp: at } = await market.client.getBlock();
  for (const [text, event, reason] of [
    [`{"priceUsd":"0.5","at":${at}}`, 'refused', /outside of 0\.004 to 0\.006/],
    [`{"priceUsd":"NaN","at":${at}}`, 'failed', /gave no price: the price must be a decimal number/],
  ] as const) {
    answer = text;
    const found = await publish(url, 'publisher');
    assert.deepEqual([found.exitCode, found.event], [1, event], text);
    assert.match(found.reason ?? '', reason);
  }
  assert.equal((await readRound())[0], round, 'nothing was published');
  const stranger = await publish('fixed:0.0052', 'drifter');
  assert.deepEqual([stranger.exitCode, stranger.event], [1, 'failed']);

  const both = [1, 2].map(() => startSvc(...describe('fixed:0.0052', 'publisher')).ended);
  assert.ok((await Promise.all(both)).some(({ out }) => JSON.parse(out).event === 'published'));
  const [lastRound, lastPrice] = await readRound();
  assert.deepEqual([lastRound, lastPrice], [round + 1n, 520_000n]);
});

test('the embedded chain has a keeper: after a long time no task of either market is open', async () => {
  const chain = await startChain('--no-seed');
  try {
    const { publicClient, deployment } = chain;
    const live = () => countLive(publicClient, deployment);
    for (const of of markets) {
      const cast = await createCast(chain.report.rpcUrl, of);
      await enter(cast);
      await postTask(cast);
    }
    assert.equal(await live(), 2);
    await until(async () => {
      await ask(publicClient, 'evm_increaseTime', 10 * day);
      await ask(publicClient, 'evm_mine');
      return (await live()) === 0;
    });
  } finally {
    const { exitCode, err } = await chain.stop();
    assert.equal(exitCode, 0, err);
  }
});
