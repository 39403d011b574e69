// A wallet that holds USDC alone claims a task: what it needs is named and bought in one batch, for a bounded price.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAbi } from 'viem';
import { explainCalls } from '#sdk/actions/explainCalls.ts';
import type { PreparedCalls } from '#sdk/actions/prepareAction.ts';
import { encodeCall } from '#sdk/chain/encodeCall.ts';
import type { Address } from '#sdk/domain/address.ts';
import { formatUsdc, parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import type { AccountName } from '#service/devnet/accounts.ts';
import { compileFixture, createOperator } from '../support/fixtureContract.ts';
import { offer, type Preparing } from '../support/preparing.ts';

const token = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
]);
/** Units of USDC for one TOK at the published price of 0.005 USD. */
const usual = 5_000n;
const plain = { ...offer, totalAmountTok: '300' };

type Needs = readonly {
  readonly token: string;
  readonly needed: string;
  readonly has: string;
  readonly how: string;
}[];

/** A pool at the usual price with a million TOK, whose price moves by command. */
type OpenedPool = {
  readonly tokPool: Address;
  readonly swapRouter: Address;
  readonly moveTo: (price: bigint) => Promise<unknown>;
};
export type PoolOpening = {
  readonly usual: bigint;
  readonly stock: bigint;
  readonly isNarrow: boolean;
  readonly contracts: TokenAddresses;
};
type TokenAddresses = { readonly tokToken: Address; readonly usdc: Address };
type Operator = ReturnType<typeof createOperator>;
export type OpenPool = (operator: Operator, opening: PoolOpening) => Promise<OpenedPool>;

const openStandIn: OpenPool = async (operator, { usual, stock, isNarrow, contracts }) => {
  const contract = compileFixture('SwapPool');
  const pool = await operator.deploy(contract, [usual, stock, isNarrow]);
  await operator.call(contracts.tokToken, token, 'transfer', [pool, stock]);
  const moveTo = (price: bigint) => operator.call(pool, contract.abi, 'moveTo', [price]);
  return { tokPool: pool, swapRouter: pool, moveTo };
};

export function testPurchases(get: () => Preparing, open = openStandIn): void {
  /** One pool for all tests, which leave it at the usual price. */
  let opened: ReturnType<typeof createPool> | undefined;
  const openPool = () => {
    opened ??= createPool();
    return opened;
  };
  const createPool = async (changed: Partial<PoolOpening> = {}) => {
    const { devnet, access } = get();
    const operator = createOperator(devnet.rpcUrl);
    const { standard, micro } = access.contracts;
    const opening = { usual, stock: parseTok('1000000'), isNarrow: false, contracts: standard, ...changed };
    const { moveTo, ...sale } = await open(operator, opening);
    return {
      contracts: { standard: { ...standard, ...sale }, micro: { ...micro, ...sale } },
      giveUsdc: (to: Address, amount: bigint) => operator.call(standard.usdc, token, 'mint', [to, amount]),
      moveTo,
    };
  };
  type Pool = Awaited<ReturnType<typeof createPool>>;

  const prepareAt = async ({ contracts }: Pool, name: string, who: AccountName, args = {}) => {
    const prepared = await get().prepare(name, { ...args, from: get().addressOf(who) }, { contracts });
    assert.equal(prepared.kind, 'calls');
    return prepared as PreparedCalls & { readonly needs?: Needs };
  };

  test('from USDC alone to a claimed task, in one batch', async () => {
    const { act, addressOf, walletOf, taskOf } = get();
    const pool = await openPool();
    const { taskId } = await act('post-task', 'newcomer', plain);
    await pool.giveUsdc(addressOf('keeper'), parseUsdc('40'));
    const before = await walletOf('keeper');
    assert.deepEqual([before.tokWei, before.deposit.balance], [0n, 0n], 'it has nothing but USDC and gas');
    const prepared = await prepareAt(pool, 'claim-task', 'keeper', { taskId, fromUsdc: true });
    assert.deepEqual(
      prepared.steps.map(({ summary }) => summary),
      [
        'Allow the router of the pool to take 5.25 USDC',
        'Buy 1000 TOK for at most 5.25 USDC',
        'Allow the deposit vault to take 25 USDC',
        'Add 25 USDC to your collateral',
        'Allow the payment gateway to take 1000 TOK',
        `Claim task ${taskId.split(':')[2]}`,
      ],
    );
    assert.ok(
      prepared.money.includes('5.25 USDC from your wallet to the pool (at most)'),
      prepared.money.join('\n'),
    );
    assert.ok(prepared.money.includes('1000 TOK from the pool to your wallet'));
    assert.deepEqual(prepared.needs?.map(({ token: name, needed, how }) => [name, needed, how]).slice(0, 2), [
      ['TOK', '1000', 'the calls buy what is missing'],
      ['USDC', '30.25', '25 into your collateral, which stays yours, at most 5.25 for TOK'],
    ]);
    assert.ok(Number(prepared.needs?.[2]?.needed) > 0, 'gas is named as an amount');
    await act('claim-task', 'keeper', { taskId, fromUsdc: true }, { contracts: pool.contracts });
    assert.equal((await taskOf(taskId)).worker, addressOf('keeper'));
    const { usdc, tokWei, deposit } = await walletOf('keeper');
    const paid = before.usdc - usdc - deposit.balance;
    assert.ok(paid > parseUsdc('5') && paid <= parseUsdc('5.25'), formatUsdc(paid));
    assert.equal(tokWei, 0n, 'it bought what the fee took');
    if (open === openStandIn) assert.equal(paid, parseUsdc('5.020066'), 'its price, its fee and its depth');
    await act('buy-tok', 'visitor', { amountTok: '1234.5' }, { contracts: pool.contracts });
    await act('buy-tok', 'visitor', { amountTokWei: '1' }, { contracts: pool.contracts });
    // Nearly all that a pool has.
    const narrow = await createPool({ isNarrow: true });
    await narrow.giveUsdc(addressOf('publisher'), parseUsdc('6000'));
    await act('buy-tok', 'publisher', { amountTok: '990000' }, { contracts: narrow.contracts });
  });

  /** Of keeper, which has USDC alone; answers what it bought. */
  const payFromUsdc = async (pool: Pool, name: string, args: object, bought: string) => {
    const { act, walletOf } = get();
    const before = await walletOf('keeper');
    assert.equal(before.tokWei, 0n, name);
    const done = await act(name, 'keeper', { ...args, fromUsdc: true }, { contracts: pool.contracts });
    const { purchase, money } = done.prepared as PreparedCalls;
    const after = await walletOf('keeper');
    assert.equal(after.tokWei, 0n, `${name} leaves nothing of what it bought`);
    assert.equal(purchase?.amountTok, bought, name);
    assert.ok(money.includes(`${bought} TOK from the pool to your wallet`), money.join('\n'));
    const added = after.deposit.balance - before.deposit.balance;
    assert.ok(added >= 0n, `${name} takes nothing from the deposit`);
    const paid = before.usdc - after.usdc - added;
    assert.equal(purchase.usdc, formatUsdc(paid), `${name} says exactly what the pool takes`);
    assert.ok(paid > 0n && paid <= parseUsdc(purchase.maxUsdc), name);
    return done;
  };

  test('a post, its escrow, an agreed task and a dispute are paid from USDC alone, each in one batch', async () => {
    const { act, prepare, addressOf, taskOf } = get();
    const pool = await openPool();
    await pool.giveUsdc(addressOf('keeper'), parseUsdc('200'));
    const posted = await payFromUsdc(pool, 'post-task', { ...plain, fundNowTok: '100' }, '1100');
    assert.deepEqual(
      (posted.prepared as PreparedCalls).steps.map(({ summary }) => summary.replace(/[\d.]+ USDC/, 'USDC')),
      [
        'Allow the router of the pool to take USDC',
        'Buy 1100 TOK for at most USDC',
        'Allow the payment gateway to take 1100 TOK',
        'Post a task of 300 TOK, with 100 TOK into escrow at once',
      ],
    );
    const { taskId } = posted;
    await payFromUsdc(pool, 'fund-task', { taskId, amountTokWei: '1' }, '0.000000000000000001');
    await payFromUsdc(pool, 'fund-task', { taskId }, '199.999999999999999999');
    assert.equal((await taskOf(taskId)).funded, parseTok('300'));
    await act('claim-task', 'visitor', { taskId });
    await act('start-work', 'keeper', { taskId });
    await act('submit-proof', 'visitor', { taskId, note: 'All of them.' });
    await payFromUsdc(pool, 'open-dispute', { taskId, evidenceText: 'It is empty.' }, '15');
    assert.equal((await taskOf(taskId)).state, 'DISPUTED');
    const parties = { poster: addressOf('keeper'), worker: addressOf('visitor') };
    const { terms } = await prepare('build-task-terms', { ...plain, ...parties });
    await act('approve-tok-router', 'visitor', { amountTok: '1000' });
    const signed = await act('create-task', 'visitor', { terms, sign: true });
    const created = { terms, workerSignature: signed.signature, fundNowTok: '300' };
    const { taskId: agreed } = await payFromUsdc(pool, 'create-task', created, '1300');
    assert.equal((await taskOf(agreed)).funded, parseTok('300'));
    await assert.rejects(
      prepare('create-task', { terms, sign: true, fromUsdc: true, from: addressOf('keeper') }),
      {
        message: /fromUsdc: goes without sign/,
      },
    );
  });

  test('no price beyond the bound is paid for a post or an escrow, and the deposit pays nothing', async () => {
    const { act, addressOf, access, prepare, walletOf } = get();
    const pool = await openPool();
    const from = addressOf('keeper');
    await pool.giveUsdc(from, parseUsdc('200'));
    const { taskId } = await payFromUsdc(pool, 'post-task', plain, '1000');
    const before = await walletOf('keeper');
    const tries = [
      ['post-task', { ...plain, fundNowTok: '300' }],
      ['fund-task', { taskId }],
      ['fund-task', { taskId, amountTokWei: '1' }],
    ] as const;
    for (const price of [usual * 2n, usual * 1_000_000n, usual * 10n ** 20n]) {
      await pool.moveTo(price);
      // One unit of USDC, the least, pays for a wei of TOK up to a very high price.
      for (const [name, args] of price < 10n ** 20n ? tries.slice(0, 2) : tries) {
        const { simulation, purchase } = await prepareAt(pool, name, 'keeper', { ...args, fromUsdc: true });
        assert.ok(simulation.status === 'reverted', `${name} ${price}`);
        assert.match(simulation.reason, /^The pool asks for more than the bound/);
        assert.equal(purchase?.usdc, null);
      }
    }
    await pool.moveTo(usual);
    // A price that moves between preparing and sending is stopped by the bytes, before anything is paid.
    for (const [name, args] of tries.slice(0, 2)) {
      const { calls, simulation } = await prepareAt(pool, name, 'keeper', { ...args, fromUsdc: true });
      assert.equal(simulation.status, 'success');
      await pool.moveTo(usual * 3n);
      const late = await access.reads.simulate(from, calls);
      assert.ok(late.status === 'reverted' && late.at === 1, name);
      await pool.moveTo(usual);
    }
    const paying = { ...tries[1][1], fromUsdc: true, from };
    const reads = { ...access.reads, readTokPrice: async () => null };
    await assert.rejects(prepare('fund-task', paying, { contracts: pool.contracts, reads }), {
      message: /maxUsdc: is required while the market publishes no price/,
    });
    await assert.rejects(prepareAt(pool, 'fund-task', 'keeper', { ...paying, maxUsdc: '1000' }), {
      message: /at most 1.8 can be given/,
    });
    // The most that a task may pay, and all that a number of the contracts holds.
    for (const amountTokWei of [String(2n ** 96n - 1n), String(parseTok('1000001'))]) {
      const { simulation } = await prepareAt(pool, 'fund-task', 'keeper', { ...paying, amountTokWei });
      assert.ok(simulation.status === 'reverted' && simulation.step === 1, amountTokWei);
      assert.match(simulation.reason, /USDC, but up to [\d.]+ USDC are needed|^The pool/);
    }
    // Without USDC in the wallet, what the deposit holds stays there.
    const all = await walletOf('keeper');
    assert.ok(all.deposit.balance >= parseUsdc('25'));
    const { usdc } = access.contracts.standard;
    const spender = createOperator(get().devnet.rpcUrl, 'keeper');
    await spender.call(usdc, token, 'transfer', [addressOf('publisher'), all.usdc]);
    const { simulation, calls } = await prepareAt(pool, 'fund-task', 'keeper', paying);
    assert.ok(simulation.status === 'reverted', 'nothing is left to pay with');
    assert.match(simulation.reason, /has 0 USDC, but up to [\d.]+ USDC are needed/);
    assert.ok(!calls.some(({ to }) => to === access.contracts.standard.depositVault));
    await pool.giveUsdc(from, all.usdc);
    assert.deepEqual((await walletOf('keeper')).deposit, before.deposit);
    // A wallet with enough TOK buys nothing.
    const { taskId: rich } = await act('post-task', 'newcomer', plain);
    const paid = await prepareAt(pool, 'fund-task', 'newcomer', { taskId: rich, fromUsdc: true });
    assert.equal(paid.purchase, undefined);
    assert.equal(paid.steps.length, 2);
    for (const [who, id] of [
      ['newcomer', rich],
      ['keeper', taskId],
    ] as const)
      await act('cancel-task', who, { taskId: id });
  });

  test('without a pool, the answer names what is missing and where to send it', async () => {
    const { act, prepare, addressOf } = get();
    const { taskId } = await act('post-task', 'newcomer', plain);
    const from = addressOf('keeper');
    for (const [action, args] of [
      ['claim-task', { taskId, from, fromUsdc: true }],
      ['buy-tok', { market: 'standard', amountTok: '1000', from }],
    ] as const)
      await assert.rejects(prepare(action, args), {
        code: 'ARGUMENTS_INVALID',
        message: new RegExp(`names no pool at which 1000 TOK could be bought.* send them .* to ${from}`),
      });
    const needs = (await prepare('claim-task', { taskId, from })).needs as Needs;
    assert.deepEqual(needs.map(({ token: name, needed, has }) => [name, needed, has]).slice(0, 1), [
      ['TOK', '1000', '0'],
    ]);
    await act('cancel-task', 'newcomer', { taskId });
  });

  test('a pool that asks for more than the bound sells nothing', async () => {
    const { addressOf, walletOf } = get();
    const pool = await openPool();
    await pool.giveUsdc(addressOf('publisher'), parseUsdc('1000'));
    const before = await walletOf('publisher');
    for (const price of [usual * 2n, usual * 1_000_000n, (usual * 1_06n) / 100n]) {
      await pool.moveTo(price);
      const { simulation } = await prepareAt(pool, 'buy-tok', 'publisher', { amountTok: '1000' });
      assert.ok(simulation.status === 'reverted', String(price));
      assert.equal(simulation.step, 1);
      assert.match(
        `${simulation.reason} ${simulation.fix?.text}`,
        /^The pool asks for more than the bound of 5.25 USDC. Wait until/,
      );
    }
    // A price that moves between preparing and sending is stopped by the bytes.
    await pool.moveTo(usual);
    const { calls, simulation } = await prepareAt(pool, 'buy-tok', 'publisher', { amountTok: '1000' });
    assert.equal(simulation.status, 'success');
    await pool.moveTo(usual * 3n);
    const late = await get().access.reads.simulate(addressOf('publisher'), calls);
    assert.equal(late.status, 'reverted');
    assert.deepEqual((await walletOf('publisher')).usdc, before.usdc);
    await pool.moveTo(usual);
  });

  test('the bound is that of the published price, also for the smallest and the largest amounts', async () => {
    const pool = await openPool();
    const boundOf = async (args: object) => {
      const { calls } = await prepareAt(pool, 'buy-tok', 'publisher', args);
      const [, buy] = await explainCalls(calls, get().addressOf('publisher'), {
        ...get().access,
        contracts: pool.contracts,
      });
      return buy?.facts?.amount;
    };
    assert.equal(await boundOf({ amountTokWei: '1' }), 1n, 'rounded up, never to nothing');
    assert.equal(await boundOf({ amountTok: '1000' }), parseUsdc('5.25'));
    assert.equal(await boundOf({ amountTok: '1000', maxUsdc: '6' }), parseUsdc('6'));
    assert.equal(await boundOf({ amountTok: '1000', maxUsdc: '0.01' }), parseUsdc('0.01'));
    for (const [args, mistake] of [
      [
        { amountTok: '1000', maxUsdc: '6.000001' },
        /worth 5 USDC at the published price; at most 6 can be given/,
      ],
      [{ amountTok: '1000', maxUsdc: '1000000' }, /at most 6 can be given/],
      [{ amountTok: '1000', maxUsdc: '0' }, /maxUsdc: must be above 0/],
      [{ amountTok: '0' }, /amountTok: must be above 0/],
      [{}, /amountTok: must be above 0/],
    ] as const)
      await assert.rejects(prepareAt(pool, 'buy-tok', 'publisher', args), { message: mistake });
    const reads = { ...get().access.reads, readTokPrice: async () => null };
    const buyBlindly = (args: object) =>
      get().prepare(
        'buy-tok',
        { from: get().addressOf('publisher'), amountTok: '1000', ...args },
        { contracts: pool.contracts, reads },
      );
    await assert.rejects(buyBlindly({}), { message: /maxUsdc: is required/ }, 'without a published price');
    assert.equal((await buyBlindly({ maxUsdc: '6' })).kind, 'calls');
  });

  test('what the wallet cannot pay and what the pool does not have are told apart, in a sentence', async () => {
    const { addressOf } = get();
    const pool = await openPool();
    await pool.giveUsdc(addressOf('publisher'), parseUsdc('1000'));
    const refusalAt = async (at: Pool, args: object, who: AccountName = 'publisher') => {
      const { simulation } = await prepareAt(at, 'buy-tok', who, args);
      assert.ok(simulation.status === 'reverted', JSON.stringify(args));
      assert.equal(simulation.step, 1);
      return `${simulation.reason} ${simulation.fix?.text}`;
    };
    const poor = /^0x\w+ has [\d.]+ USDC, but up to 525 USDC are needed for the TOK\. Send [\d.]+ USDC to 0x/;
    assert.match(await refusalAt(pool, { amountTok: '100000' }, 'drifter'), poor);
    // Nearly everything that the pool has, for which its price rises on the way: 105 % of the published price do not pay that.
    await pool.giveUsdc(addressOf('publisher'), parseUsdc('10000'));
    assert.match(await refusalAt(pool, { amountTok: '990000' }), /^The pool asks for more than the bound/);
    // More than there is at any price.
    await pool.giveUsdc(addressOf('publisher'), 2n ** 96n);
    for (const amountTokWei of [parseTok('1000001'), 2n ** 96n - 1n].map(String))
      assert.match(await refusalAt(pool, { amountTokWei }), /^The pool (asks for more|has too little TOK)/);
    // Of a pool within bounds everything can be bought, and nothing beyond.
    const narrow = await createPool({ isNarrow: true, stock: parseTok('10') });
    const { simulation } = await prepareAt(narrow, 'buy-tok', 'publisher', { amountTok: '9.9' });
    assert.equal(simulation.status, 'success', JSON.stringify(simulation));
    for (const amountTok of ['10.1', '1000000'])
      assert.match(await refusalAt(narrow, { amountTok }), /^The pool has too little TOK to sell\. Buy less/);
  });

  test('a purchase for another wallet, or of another token, is plain from its bytes', async () => {
    const { addressOf, access } = get();
    const { contracts } = await openPool();
    const { usdc, tokToken } = contracts.standard;
    const [from, other] = [addressOf('publisher'), addressOf('drifter')];
    const params = {
      tokenIn: usdc,
      tokenOut: tokToken,
      fee: 3_000,
      recipient: from,
      amountOut: 1n,
      amountInMaximum: 2n ** 200n,
      sqrtPriceLimitX96: 0n,
    };
    const explainBuy = async (changed: Partial<typeof params>) => {
      const { calls } = encodeCall(contracts.standard, 'SwapRouter', 'exactOutputSingle', [
        { ...params, ...changed },
      ]);
      const [one] = await explainCalls(calls, from, { ...access, contracts });
      return one?.dangers ?? [];
    };
    assert.deepEqual(await explainBuy({}), []);
    assert.match((await explainBuy({ recipient: other })).join(), /goes to another wallet/);
    assert.match((await explainBuy({ tokenOut: usdc })).join(), /other tokens than USDC for TOK/);
    assert.match((await explainBuy({ tokenIn: tokToken })).join(), /other tokens than USDC for TOK/);
  });
}
