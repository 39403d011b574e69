// Proves that keepers do not fight, that failures of the chain's RPC only delay them, and that trying sends nothing.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Hex } from 'viem';
import type { Rpc } from '#sdk/chain/rpc.ts';
import { zeroAddress } from '#sdk/domain/address.ts';
import type { Round } from '#service/keeper/keeper.ts';
import { readSurvey } from '#service/keeper/trial.ts';
import { ask } from './support/devnet.ts';
import { type Fault, startFaultyProxy } from './support/faultyProxy.ts';
import {
  assertAllAccounted,
  type KeptMarket,
  startKeptMarket,
  type TestKeeper,
} from './support/keeperMarket.ts';
import { until } from './support/until.ts';

const tasks = 40;
const day = 86_400;

let market: KeptMarket;
let goBack: () => Promise<void>;
before(async () => {
  market = await startKeptMarket();
  await market.scatter(tasks, 31);
});
beforeEach(async () => {
  goBack = await market.remember();
});
afterEach(() => goBack());
after(() => market.close());

const count = ({ events }: TestKeeper, ...kinds: readonly string[]) =>
  events.filter(({ kind }) => kinds.includes(kind)).length;

test('two keepers that race end every task, and pay only for what they send', async () => {
  const keepers = [market.createKeeper('keeper'), market.createKeeper('visitor')] as const;
  const before = await Promise.all([market.countSent('keeper'), market.countSent('visitor')]);
  for (let days = 0; (await market.countLive()) > 0; days++) {
    assert.ok(days < 60, 'no task lasts this long');
    await market.advance(day);
    await Promise.all(keepers.map((keeper) => keeper.round()));
  }
  await assertAllAccounted(market);
  const sent = await Promise.all([market.countSent('keeper'), market.countSent('visitor')]);
  for (const [at, keeper] of keepers.entries()) {
    assert.equal((sent[at] as number) - (before[at] as number), count(keeper, 'called', 'lost'));
    assert.equal(count(keeper, 'failed', 'unreadable'), 0);
  }
  const called = keepers.flatMap(({ events }) =>
    events.flatMap((event) => ('exit' in event ? [event.exit] : [])),
  );
  const ways = new Set(called.map(({ state, action }) => `${state} ${action}`));
  for (const state of ['POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED'])
    assert.ok(ways.has(`${state} resolve-timed-out`), state);
  assert.ok(ways.has('DISPUTED escalate'));
});

test('a keeper that comes second finds that out by trying, and pays nothing', async () => {
  await market.advance(30 * day);
  const { rpc } = market.createKeeper('visitor');
  const { exits } = await readSurvey({ rpc, contracts: market.contracts, from: zeroAddress });
  assert.ok(exits.length > 10);
  // It has found and priced all exits; the other one calls them before it tries each for the last time.
  const first = market.createKeeper('keeper');
  let tries = 0;
  const late: Rpc = {
    ...rpc,
    ask: async (question) => {
      if (question.method === 'eth_estimateGas' && ++tries === exits.length + 1) await first.round();
      else if (question.method === 'eth_estimateGas' && tries > exits.length)
        await until(() => count(first, 'called') === exits.length);
      return rpc.ask(question);
    },
  };
  const second = market.createKeeper('visitor', { rpc: late });
  const sent = await market.countSent('visitor');
  assert.equal((await second.round()).called, 0);
  assert.equal(count(first, 'called'), exits.length);
  assert.equal(count(second, 'closed'), exits.length);
  assert.equal(await market.countSent('visitor'), sent);
});

test('exits are called cheapest first', async () => {
  await market.advance(30 * day);
  const { rpc } = market.createKeeper('keeper');
  const { exits } = await readSurvey({ ...market, rpc, from: zeroAddress });
  const isRising = (gas: readonly bigint[]) =>
    gas.every((one, at) => at === 0 || one >= (gas[at - 1] as bigint));
  assert.ok(isRising(exits.map(({ gas }) => gas)));
  // Each is priced, and then tried once more right before it is sent: in which order they are sent is seen there.
  const prices = new Map<string, bigint>();
  const tried: bigint[] = [];
  const watched: Rpc = {
    ...rpc,
    ask: async (question) => {
      if (question.method !== 'eth_estimateGas') return rpc.ask(question);
      const exit = JSON.stringify(question.params);
      const price = prices.get(exit);
      if (price !== undefined) tried.push(price);
      const answer = await rpc.ask(question);
      prices.set(exit, BigInt(String(answer)));
      return answer;
    },
  };
  const keeper = market.createKeeper('keeper', { rpc: watched });
  await keeper.round();
  assert.equal(count(keeper, 'called'), exits.length);
  assert.equal(tried.length, exits.length);
  assert.ok(isRising(tried), tried.join(', '));
});

test('while gas costs more than the limit nothing is sent, and open exits are called when it is cheap again', async () => {
  await market.advance(30 * day);
  const price = await market.client.getGasPrice();
  const capped = market.createKeeper('keeper', { maxGasPriceWei: price - 1n });
  const sent = await market.countSent('keeper');
  const { open, called } = await capped.round();
  assert.equal(called, 0);
  assert.deepEqual(
    capped.events.map((event) => event.kind === 'expensive' && event.exits),
    [open],
  );
  assert.equal(await market.countSent('keeper'), sent);
  const rounds: Round[] = [];
  const onRound = (round: Round) => void rounds.push(round);
  const willing = market.createKeeper('keeper', { maxGasPriceWei: 1_000n * price, onRound });
  assert.equal((await willing.round()).called, open);
  assert.deepEqual(
    rounds.map((round) => round.called),
    [open],
  );
});

test('whatever the RPC does, and however often the keeper restarts, every task ends', async () => {
  const proxy = await startFaultyProxy(market.devnet.rpcUrl);
  const faults: readonly Fault[] = [
    'down',
    'garbage',
    'null results',
    'other genesis',
    'lagging',
    'flapping',
  ];
  let troubles = 0;
  try {
    for (let days = 0; (await market.countLive()) > 0; days += 4) {
      assert.ok(days < 120, 'no task lasts this long');
      await market.advance(4 * day);
      const fault = faults[(days / 4) % faults.length] as Fault;
      const stop = new AbortController();
      const keeper = market.createKeeper('keeper', { url: proxy.url, pollMs: 5 });
      const running = keeper.run(stop.signal);
      await until(() => proxy.requests() > 0);
      proxy.setFault(fault);
      const asked = proxy.requests();
      await until(() => proxy.requests() > asked + 10);
      proxy.setFault('none');
      // The last one begins where the one before may have been cut off in the middle.
      stop.abort();
      await running;
      troubles += count(keeper, 'failed', 'unreadable');
      const heir = market.createKeeper('keeper', { url: proxy.url });
      await until(async () => (await heir.round()).open === 0);
    }
  } finally {
    proxy.close();
  }
  assert.ok(troubles > 0, 'the faults were felt');
  await assertAllAccounted(market);
});

test('what was sent before a restart is waited for, and not sent again', async () => {
  await market.advance(30 * day);
  await ask(market.client, 'evm_setAutomine', false);
  const stop = new AbortController();
  const first = market.createKeeper('keeper', { pollMs: 5 });
  const sent = await market.countSent('keeper');
  const running = first.run(stop.signal);
  const pending = async () =>
    market.client.getTransactionCount({ address: market.addressOf('keeper'), blockTag: 'pending' });
  await until(async () => (await pending()) >= sent + 8);
  stop.abort();
  await running;
  const waiting = (await pending()) - sent;
  const second = market.createKeeper('keeper');
  assert.equal((await second.round()).called, 0);
  assert.deepEqual(second.events, [{ kind: 'waiting', transactions: waiting }]);
  await ask(market.client, 'evm_setAutomine', true);
  await ask(market.client, 'evm_mine');
  for (let open = 1; open > 0; ) ({ open } = await second.round());
  assert.equal(count(second, 'lost', 'failed'), 0, 'nothing was called twice');
});

test('a round that is stopped sends nothing more, and reports what it has sent', async () => {
  await market.advance(30 * day);
  const stop = new AbortController();
  const sent = await market.countSent('keeper');
  const keeper = market.createKeeper('keeper', {
    onEvent: (event) => {
      keeper.events.push(event);
      stop.abort();
    },
  });
  const { open, called } = await keeper.round(stop.signal);
  assert.ok(open > 8, String(open));
  assert.equal(called, count(keeper, 'called'));
  assert.ok(called >= 1);
  const grown = (await market.countSent('keeper')) - sent;
  assert.ok(grown <= 8, 'that many are under way at a time');
  assert.equal(keeper.events.length, count(keeper, 'called', 'left'));
  assert.equal(keeper.events.length, grown);
  await assert.rejects(keeper.round(stop.signal), (error) => error === stop.signal.reason);
});

test('what is not mined for too long is replaced under the same nonces, for higher fees', async () => {
  await market.advance(30 * day);
  await ask(market.client, 'evm_setAutomine', false);
  const stuck = await market.sendIdly('keeper', 3);
  const keeper = market.createKeeper('keeper', { waitMs: 0 });
  const round = keeper.round();
  await until(() => count(keeper, 'stuck') === 1);
  // Mined only once nothing of the old is left in the pool.
  const isReplaced = async (hash: Hex) =>
    (await market.client.getTransaction({ hash }).catch(() => null)) === null;
  await until(async () => (await Promise.all(stuck.map(isReplaced))).every(Boolean));
  await ask(market.client, 'evm_mine');
  await ask(market.client, 'evm_setAutomine', true);
  assert.equal((await round).called, 3);
  for (let open = 1; open > 0; ) ({ open } = await keeper.round());
  assert.equal(count(keeper, 'lost', 'failed'), 0);
});

test('a stopped keeper also reports the replacements that it leaves', async () => {
  await market.advance(30 * day);
  await ask(market.client, 'evm_setAutomine', false);
  const stuck = await market.sendIdly('keeper', 2);
  const stop = new AbortController();
  const keeper = market.createKeeper('keeper', { waitMs: 0 });
  const round = keeper.round(stop.signal);
  const listPending = async () => {
    const waiting = (await ask(market.client, 'eth_pendingTransactions')) as { hash: Hex }[];
    return waiting.map(({ hash }) => hash);
  };
  await until(async () => !(await listPending()).some((hash) => stuck.includes(hash)));
  stop.abort();
  await round.catch((error) => assert.equal(error, stop.signal.reason));
  assert.deepEqual(
    keeper.events.flatMap((event) => (event.kind === 'left' ? [event.transaction] : [])).sort(),
    (await listPending()).sort(),
  );
  await ask(market.client, 'evm_mine');
  await ask(market.client, 'evm_setAutomine', true);
});

test('a replacement offers no more than the cap, and where that is too little the stuck ones are waited for', async () => {
  await market.advance(30 * day);
  await ask(market.client, 'evm_setAutomine', false);
  const stuck = await market.sendIdly('keeper', 3);
  const offered = (await market.client.getTransaction({ hash: stuck[0] as Hex })).maxFeePerGas as bigint;
  const readOffers = async () => {
    const waiting = (await ask(market.client, 'eth_pendingTransactions')) as { maxFeePerGas: Hex }[];
    return waiting.map(({ maxFeePerGas }) => BigInt(maxFeePerGas));
  };
  const sparing = market.createKeeper('keeper', { waitMs: 0, maxGasPriceWei: offered });
  const refused = sparing.round();
  await until(
    async () => sparing.events.length > 1 || (await readOffers()).some((offer) => offer !== offered),
  );
  assert.deepEqual(await readOffers(), [offered, offered, offered], 'nothing was replaced');
  assert.equal((await refused).called, 0);
  assert.deepEqual(sparing.events, [
    { kind: 'stuck', transactions: 3 },
    { kind: 'capped', transactions: 3 },
  ]);
  const cap = (offered * 3n) / 2n;
  const keeper = market.createKeeper('keeper', { waitMs: 0, maxGasPriceWei: cap });
  const round = keeper.round();
  await until(async () => (await readOffers()).every((offer) => offer > offered));
  assert.deepEqual(await readOffers(), [cap, cap, cap], 'twice the usual fee would be more');
  await ask(market.client, 'evm_mine');
  await ask(market.client, 'evm_setAutomine', true);
  assert.equal((await round).called, 3);
  assert.equal(count(keeper, 'capped', 'failed'), 0);
});
