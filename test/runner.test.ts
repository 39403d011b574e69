// The runner on a real chain, killed, reloaded and restarted at every step, with each kind of wallet: nothing is sent twice,
// nothing is lost, and nothing is signed that was not shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Asker } from '#sdk/chain/rpc.ts';
import { SvcError } from '#sdk/domain/errors.ts';
import { giveUpRun, type RunEntry } from '#sdk/send/journal.ts';
import {
  createHouse,
  createProcess,
  createWish,
  Dead,
  type Death,
  type House,
  type Kind,
  startWorld,
  type World,
} from './runner/world.ts';
import { until } from './support/until.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Every step; without SVC_LONG_TESTS=1 one of several. */
const isLong = process.env.SVC_LONG_TESTS !== undefined;
const stride = isLong ? 1 : 9;
const randomRuns = isLong ? 200 : 8;
const kinds: readonly Kind[] = ['key', 'provider', 'batching', 'smart', 'owner', 'guarded'];
/** They always know what became of a question. */
const certain: readonly Kind[] = ['key', 'owner', 'guarded'];
const callCount = 2;
let wishes = 0;
const nextWish = (house: House, count = callCount, from = 0) =>
  createWish(house, `wish-${wishes++}`, count, from);

type Wish = Awaited<ReturnType<typeof createWish>>;

/** What a person does who is told to look: nothing is in the wallet, so that the run is given up. */
async function lookAtWallet(house: House): Promise<void> {
  const { journal } = createProcess(house);
  for (const entry of await journal.load(house.address))
    if (entry.end === null) await giveUpRun(journal, entry);
}

/** A process may die in its last step, in which it ends the run; then its caller wishes again for what is done. */
const isDone = (times: readonly number[]) => times.every((one) => one === 1);

/** Starts the wish again and again, as bots and people do; says how often a person had to look. */
async function insist(house: House, wish: Wish, deaths: readonly (Death | null)[]): Promise<number> {
  let looked = 0;
  for (const death of [...deaths, null, null, null]) {
    const before = await wish.done();
    const left = await createProcess(house).journal.load(house.address);
    if (isDone(before) && left.length === 0) return looked;
    const process = createProcess(house, death);
    const run = wish.start(process);
    const outcome = await run.done.catch((error: unknown) => error as Error);
    const now = await wish.done();
    assert.ok(
      now.every((times) => times <= 1),
      `sent twice: ${now}`,
    );
    if (!(outcome instanceof Error)) {
      assert.ok(isDone(now), 'done is said of what was done');
      return looked;
    }
    if (process.isDead()) continue;
    const state = run.state();
    assert.ok(state.is === 'failed', state.is);
    assert.equal(state.again, 'look-first', outcome.stack);
    assert.deepEqual(now, before, 'a run that is told to look sends nothing');
    await lookAtWallet(house);
    looked++;
  }
  return assert.fail('it never ended');
}

for (const kind of kinds) {
  test(`killed before and after every step of a run with ${kind}: every call is carried out once`, async () => {
    const house = createHouse(world, kind);
    const whole = createProcess(house);
    await (await nextWish(house)).start(whole).done;
    const steps = whole.steps();
    assert.ok(steps >= 10, String(steps));
    let looked = 0;
    for (let at = wishes % stride; at < steps; at += stride)
      for (const when of ['before', 'after'] as const) {
        const wish = await nextWish(house);
        const times = await insist(house, wish, [{ at, when }]);
        assert.ok(!certain.includes(kind) || times === 0, `${kind} always knows (${when} ${at})`);
        looked += times;
      }
    // Before the wallet heard of it: nobody but its owner can know that.
    assert.ok(looked <= 2 * callCount + 2, String(looked));
  });
}

test('processes that die at random, one after the other: every call is carried out once', async () => {
  const death = fc.record({ at: fc.nat(60), when: fc.constantFrom<Death['when']>('before', 'after') });
  const property = fc.asyncProperty(
    fc.constantFrom(...kinds),
    fc.integer({ min: 1, max: 4 }),
    fc.array(death, { maxLength: 4 }),
    async (kind, count, deaths) => {
      const house = createHouse(world, kind);
      await insist(house, await nextWish(house, count), deaths);
    },
  );
  await fc.assert(property, { numRuns: randomRuns, endOnFailure: true });
});

test('a wallet that forgets its batches: the chain knows them, and they are not sent again', async () => {
  const house = createHouse(world, 'batching');
  const wish = await nextWish(house);
  const found = createProcess(house);
  const { request } = house.device;
  let sent = 0;
  const lossy = {
    ...house.device,
    request: async (args: { method: string; params?: unknown }) => {
      const answer = await request(args);
      if (args.method === 'wallet_sendCalls') {
        sent++;
        house.device.forget();
        throw new Error('The connection was lost.');
      }
      return answer;
    },
  };
  const { transactionHashes } = await wish.start(createProcess({ ...house, device: lossy })).done;
  assert.equal(transactionHashes.length, 1);
  assert.equal(sent, 1);
  assert.deepEqual(await wish.done(), [1, 1]);
  assert.deepEqual(await found.journal.load(house.address), []);
});

test('a wallet that was never asked, as far as anybody can tell, is not asked again until a person has looked', async () => {
  const house = createHouse(world, 'provider');
  const wish = await nextWish(house, 1);
  const lost = {
    ...house.device,
    request: async (args: { method: string; params?: unknown }) => {
      if (args.method === 'eth_sendTransaction') throw new Error('The connection was lost.');
      return house.device.request(args);
    },
  };
  const first = wish.start(createProcess({ ...house, device: lost }));
  await assert.rejects(first.done, { code: 'ANSWER_LOST' });
  const other = await nextWish(house, 1, 1);
  await assert.rejects(wish.start(createProcess(house)).done, { code: 'ANSWER_LOST' });
  await assert.rejects(other.start(createProcess(house)).done, { code: 'RUN_OPEN' });
  assert.deepEqual([await wish.done(), await other.done()], [[0], [0]]);
  await lookAtWallet(house);
  await wish.start(createProcess(house)).done;
  assert.deepEqual(await wish.done(), [1]);
});

test('a wallet that declines: nothing was sent, and the next run asks again', async () => {
  const house = createHouse(world, 'provider');
  const wish = await nextWish(house);
  house.device.declineNext();
  const run = wish.start(createProcess(house));
  await assert.rejects(run.done, { code: 'WALLET_REJECTED', message: /its owner declined/ });
  const state = run.state();
  assert.ok(state.is === 'failed' && state.again === 'safe');
  await wish.start(createProcess(house)).done;
  assert.deepEqual(await wish.done(), [1, 1]);
});

test('nothing is signed before its plan is confirmed, nor after what is left costs more', async () => {
  const house = createHouse(world, 'provider');
  const wish = await nextWish(house);
  const run = wish.start(createProcess(house), 'by-caller');
  const shown = new Promise<void>((resolve) => {
    run.subscribe(() => {
      if (run.state().is === 'ready') resolve();
    });
  });
  await shown;
  run.confirm('0x00');
  assert.equal(house.device.asked.length, 0, 'another plan is not this one');
  const ready = run.state();
  assert.ok(ready.is === 'ready');
  const changed = new Promise<string>((resolve) => {
    run.subscribe(() => {
      const state = run.state();
      if (state.is === 'mining') wish.raiseCosts();
      if (state.is === 'changed') resolve(state.why);
    });
  });
  run.confirm(ready.plan.hash);
  assert.match(
    await changed,
    /^The costs have changed\. 2 TOK from your wallet to the market’s fees, instead of 1 TOK /,
  );
  assert.equal(house.device.asked.length, 1);
  const state = run.state();
  assert.ok(state.is === 'changed');
  assert.equal(state.plan.calls.length, 1, 'a mined call is no change');
  run.confirm(state.plan.hash);
  const { transactionHashes } = await run.done;
  assert.equal(transactionHashes.length, 2);
  assert.deepEqual(await wish.done(), [1, 1]);
});

test('a batch of which a part took effect against the promise: it is never sent again by itself', async () => {
  const house = createHouse(world, 'batching');
  const wish = await nextWish(house);
  house.device.breakNext();
  const run = wish.start(createProcess(house));
  await assert.rejects(run.done, { code: 'WALLET_REJECTED', message: /Only a part of the batch/ });
  const state = run.state();
  assert.ok(state.is === 'failed' && state.again === 'never');
  assert.deepEqual(await wish.done(), [1, 0]);
});

test('a stopped run asks for nothing more, and what was sent stays sent', async () => {
  const house = createHouse(world, 'provider');
  const wish = await nextWish(house);
  const run = wish.start(createProcess(house));
  run.subscribe(() => {
    if (run.state().is === 'mining') run.stop(new Error('You left.'));
  });
  await assert.rejects(run.done, { message: 'You left.' });
  assert.equal(house.device.asked.length, 1);
  await wish.start(createProcess(house)).done;
  assert.deepEqual(await wish.done(), [1, 1]);
});

test('two processes with one wish and one wallet: it is carried out once by each of them, and no call twice', async () => {
  const house = createHouse(world, 'key');
  const wish = await nextWish(house, 1);
  const other = await nextWish(house, 1, 1);
  await Promise.all([wish.start(createProcess(house)).done, other.start(createProcess(house)).done]);
  assert.deepEqual([await wish.done(), await other.done()], [[1], [1]]);
});

test('a run that was ended elsewhere sends no more', async () => {
  const house = createHouse(world, 'provider');
  const wish = await nextWish(house);
  const process = createProcess(house);
  const other = createProcess(house);
  const run = wish.start(process);
  let entries: readonly RunEntry[] = [];
  run.subscribe(() => {
    if (run.state().is !== 'mining' || entries.length > 0) return;
    void other.journal.load(house.address).then(async (loaded) => {
      entries = loaded;
      for (const entry of loaded)
        await other.journal.save({ ...entry, end: { is: 'given-up', error: null } });
    });
  });
  await assert.rejects(run.done, { code: 'RUN_ENDED' });
  assert.equal(house.device.asked.length, 1);
  assert.ok(!(await run.done.catch((error) => error instanceof Dead)));
});

test('a policy: what it allows is signed at once, what it does not goes to the owner whole, and stops no other wish', async () => {
  const house = { ...createHouse(world, 'guarded'), mostCalls: 1 };
  const [small, large] = [await nextWish(house, 1), await nextWish(house, 2, 1)];
  const asking = large.start(createProcess(house));
  const states: string[] = [];
  const shown = new Promise<void>((resolve) => {
    asking.subscribe(() => {
      const state = asking.state();
      states.push(state.is);
      if (state.is === 'signing' && state.approvalUrl !== null) resolve();
      if (state.is === 'signing' && state.approvalUrl !== null)
        assert.deepEqual(state.because, ['too many calls']);
    });
  });
  await shown;
  await small.start(createProcess(house)).done;
  assert.deepEqual(await small.done(), [1]);
  assert.equal(house.device.asked.length, 1, 'the owner is asked once, with all calls');
  assert.equal(house.device.asked[0]?.length, 2);
  const { transactionHashes } = await asking.done;
  assert.equal(transactionHashes.length, 2);
  assert.deepEqual(await large.done(), [1, 1]);
});

test('bytes that no policy has seen are judged before a guarded key signs them', async () => {
  const house = createHouse(world, 'guarded');
  const wish = await nextWish(house, 2);
  const { wallet } = createProcess({ ...house, mostCalls: 0 });
  const words = { action: 'x', summary: 'x', steps: [] };
  const answer = await wallet.send('a.0', [wish.callOf(0)], words);
  assert.equal(answer.is, 'waiting');
  assert.deepEqual(await wish.done(), [0, 0]);
});

test('another wish sends nothing of what an earlier one has signed, and waits until its end is known', async () => {
  let met = 0;
  for (let at = 8; at < 30; at++) {
    const house = createHouse(world, 'key');
    const [wish, other] = [await nextWish(house, 1), await nextWish(house, 1, 1)];
    const died = createProcess(house, { at, when: 'before' });
    await wish.start(died).done.catch(() => undefined);
    const isSigned = [...house.texts.keys()].some((name) => name.startsWith('svc-note:'));
    if (!died.isDead() || !isSigned || (await wish.done())[0] === 1) continue;
    met++;
    await assert.rejects(other.start(createProcess(house)).done, { code: 'RUN_OPEN' });
    assert.deepEqual([await wish.done(), await other.done()], [[0], [0]]);
    await wish.start(createProcess(house)).done;
    await other.start(createProcess(house)).done;
    assert.deepEqual([await wish.done(), await other.done()], [[1], [1]]);
  }
  assert.ok(met > 0, 'it died between signing and sending');
});

test('a chain that is away right after the receipt makes nobody believe that nothing was done', async () => {
  const house = createHouse(world, 'key');
  const wish = await nextWish(house, 1);
  const process = createProcess(house);
  let isAway = false;
  const away = async () => {
    if (isAway) throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it is away' });
  };
  const chain: Asker = {
    ask: async (question) => {
      await away();
      return process.chain.ask(question);
    },
    askAll: async (questions) => {
      await away();
      const answers = await process.chain.askAll(questions);
      isAway = questions.some(({ method }) => method === 'eth_getTransactionReceipt') && answers[0] !== null;
      return answers;
    },
  };
  const { block, transactionHashes } = await wish.start({ ...process, chain }).done;
  assert.deepEqual([block, transactionHashes.length], [null, 1]);
  assert.deepEqual(await createProcess(house).journal.load(house.address), []);
});

test('a key raises the fee of what waits below the fee of the chain, and one of the two is mined', async () => {
  const house = createHouse(world, 'key');
  const wish = await nextWish(house, 1);
  const ask = (method: string, ...params: unknown[]) =>
    world.chain.publicClient.request({ method: method as 'eth_chainId', params: params as never });
  await ask('evm_setAutomine', false);
  const run = wish.start(createProcess(house));
  const seen = new Set<string>();
  run.subscribe(() => {
    const state = run.state();
    if (state.is === 'mining') for (const hash of state.hashes) seen.add(hash);
  });
  try {
    await until(async () => seen.size === 1);
    const [hash = '0x'] = [...seen] as `0x${string}`[];
    const { maxFeePerGas = 0n } = await world.chain.publicClient.getTransaction({ hash });
    await ask('hardhat_setNextBlockBaseFeePerGas', `0x${(maxFeePerGas + 1n).toString(16)}`);
    await ask('evm_mine');
    assert.deepEqual(await wish.done(), [0]);
    await until(async () => seen.size === 2);
    await ask('evm_mine');
    await run.done;
  } finally {
    await ask('evm_setAutomine', true);
  }
  assert.deepEqual(await wish.done(), [1]);
});

test('a transaction that was cancelled in the wallet is named as such, and one that was sped up counts', async () => {
  const ask = (method: string, ...params: unknown[]) =>
    world.chain.publicClient.request({ method: method as 'eth_chainId', params: params as never });
  for (const isSame of [true, false]) {
    const house = createHouse(world, 'provider');
    const wish = await nextWish(house, 1);
    await ask('evm_setAutomine', false);
    try {
      const run = wish.start(createProcess(house));
      await until(async () => run.state().is === 'mining');
      const [hash] = (run.state() as { readonly hashes: readonly `0x${string}`[] }).hashes;
      const { nonce, maxFeePerGas = 0n } = await world.chain.publicClient.getTransaction({
        hash: hash ?? '0x',
      });
      const { to, data } = wish.callOf(0);
      await until(async () => (await entryOf(house))?.asked?.sentNonce === nonce);
      await house.signer.sendTransaction({
        ...(isSame ? { to, data } : { to: house.address, data: '0x' }),
        nonce,
        gas: 200_000n,
        maxFeePerGas: 3n * maxFeePerGas,
        maxPriorityFeePerGas: 3n * maxFeePerGas,
        chain: null,
      });
      await ask('evm_mine');
      if (isSame) assert.equal((await run.done).transactionHashes.length, 1);
      else await assert.rejects(run.done, { message: /You cancelled or replaced/ });
    } finally {
      await ask('evm_setAutomine', true);
    }
    assert.deepEqual(await wish.done(), [isSame ? 1 : 0]);
  }
});

async function entryOf(house: House): Promise<RunEntry | undefined> {
  return (await createProcess(house).journal.load(house.address))[0];
}
