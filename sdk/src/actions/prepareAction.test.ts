// Proves that bad arguments of any action are refused in words, before any chain is looked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import { marketParameters } from '../domain/parameters.ts';
import { actions } from './catalog.ts';
import { prepareAction } from './prepareAction.ts';

const address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

/** Whatever gets as far as the chain was not refused. */
const noChain = async () => assert.fail('the chain was asked');

async function refusalOf(name: string, args: unknown): Promise<string> {
  const error = await prepareAction(name, args, noChain).then(
    () => assert.fail(`${name} took ${JSON.stringify(args)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SvcError, String(error));
  assert.equal(error.code, 'ARGUMENTS_INVALID', error.message);
  assert.doesNotMatch(error.message, /\bat .*:\d+|node_modules|Invalid input|undefined|\[object/);
  return error.message;
}

/** Good for its argument, so that only the one under test is bad. */
const good: Readonly<Record<string, unknown>> = {
  market: 'standard',
  from: address,
  address,
  agent: address,
  arbitrator: address,
  to: address,
  poster: address,
  worker: '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199',
  taskId: 'v2:standard:1',
  amountUsdc: '5',
  workerBps: '5000',
  proofHash: `0x${'ab'.repeat(32)}`,
  deadline: '+7d',
  tier: 'basic',
  criteria: 'text',
  terms: {},
  artifacts: [{ name: 'a', mediaType: 'text/plain', bytes: 1, sha256: 'ab'.repeat(32) }],
};

/** What no argument takes. */
const hostile: readonly unknown[] = [
  null,
  { toString: 'x' },
  [['x']],
  Symbol.iterator.description,
  '\u0000',
  `${'9'.repeat(400)}`,
  '-1',
  '1e5',
  '0x',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1.5,
];

/** Texts may be anything that is text. */
const texts = new Set(['title', 'description', 'criteria', 'uri', 'note', 'evidenceText', 'reasonText']);

const loose = new Set(['tags', 'terms', 'milestones']);

for (const action of actions) {
  const names = Object.keys(action.input.shape);
  const sample = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(good, name) ? [[name, good[name]]] : [])),
  );

  test(`${action.name} refuses what is missing, by name`, async () => {
    const required = names.filter((name) => !action.input.shape[name].safeParse(undefined).success);
    for (const name of required) {
      const { [name]: _, ...rest } = sample;
      assert.match(await refusalOf(action.name, rest), new RegExp(`  ${name}: is required`));
    }
  });

  test(`${action.name} refuses what is malformed or hostile, by name`, async () => {
    for (const name of names.filter((one) => !texts.has(one))) {
      for (const value of hostile) {
        if (loose.has(name) && action.input.shape[name].safeParse(value).success) continue;
        assert.match(await refusalOf(action.name, { ...sample, [name]: value }), new RegExp(`  ${name}`));
      }
    }
    const unknown = await refusalOf(action.name, { ...sample, 'un\u001bknown': 1 });
    assert.match(unknown, / {2}un known: there is no such field/);
    for (const args of [null, undefined, 'text', 7, [], [sample]]) await refusalOf(action.name, args);
  });
}

test('a number that JSON may have rounded is no amount', async () => {
  const amounts = JSON.parse(
    '[1500000000000000001, 123456789012345678901, 9007199254740992, 0.12345678901234567]',
  );
  for (const amountTokWei of amounts)
    assert.match(
      await refusalOf('stake', { from: address, amountTokWei }),
      /amountTokWei: must be a text, so that no digit is lost/,
    );
  const stake = actions.find(({ name }) => name === 'stake');
  for (const amountTok of [1_500, 0.25, 0.001])
    assert.equal(stake?.input.safeParse({ from: address, amountTok }).success, true, String(amountTok));
});

test('prototypes cannot be reached through arguments', async () => {
  const args = JSON.parse(`{"criteria":"x","__proto__":{"polluted":true},"constructor":{"prototype":{}}}`);
  await refusalOf('hash-criteria', args);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  await assert.rejects(prepareAction('__proto__', {}, noChain), { code: 'ACTION_UNKNOWN' });
  await assert.rejects(prepareAction('constructor', {}, noChain), { code: 'ACTION_UNKNOWN' });
});

test('arguments that contradict each other are refused', async () => {
  const both = { from: address, amountTok: '1', amountTokWei: '1' };
  const chainless = async () => ({ contracts: { standard: {}, micro: {} }, reads: {} }) as never;
  await assert.rejects(prepareAction('stake', both, chainless), { message: /amountTokWei, not both/ });
  await assert.rejects(
    prepareAction('cancel-task', { from: address, market: 'micro', taskId: 'v2:standard:1' }, chainless),
    { code: 'MARKET_MISMATCH' },
  );
});

test('terms, posts and splits that contradict themselves are refused by name', async () => {
  const { poster, worker, artifacts, proofHash } = good;
  const now = 1_900_000_000;
  const amounts = { funded: 9n, released: 0n, refunded: 0n, fees: 0n };
  const task = {
    market: 'standard',
    scope: 'open',
    number: 1n,
    poster,
    worker,
    state: 'ACTIVE',
    round: 0,
    milestone: 0,
    updatedAt: now,
    ...amounts,
  };
  const reads = {
    readNow: async () => now,
    readFigures: async (market: Market) => marketParameters[market],
    readTask: async () => ({ ...task, dispute: null }),
  };
  const contracts = { standard: { taskRegistry: poster }, micro: {} };
  const connect = async () => ({ chainId: 1, contracts, reads }) as never;
  const pay = { totalAmountTok: '1500', deadline: '+7d' };
  const work = { poster, worker, title: 'x', ...pay };
  const built = await prepareAction('build-task-terms', { ...work, criteria: 'Ten.' }, connect);
  const { terms, document } = built as unknown as {
    terms: { settlementDigest: string };
    document: object;
  };
  const { settlementDigest: _, ...figures } = terms;
  const tooLong = { ...figures, acceptBy: now + 15 * 86_400 };
  const byWorker = { from: worker, terms, posterSignature: `0x${'1b'.repeat(65)}` };
  const split = { taskId: 'v2:standard:1', workerBps: '5000', from: poster };
  const delivery = { taskId: 'v2:standard:1', from: worker, note: 'Done.' };
  const refusals: Readonly<Record<string, readonly (readonly [args: object, says: RegExp])[]>> = {
    'build-task-terms': [
      [{ ...work, totalAmountTok: undefined }, /totalAmountTok: is required/],
      [{ ...work, title: undefined }, /title: give it, or criteriaHash/],
      [{ ...work, criteria: 'Ten.', worker: poster }, /terms: /],
      [{ ...work, acceptBy: '+90d' }, /acceptBy/],
      [{ ...work, acceptBy: now - 1 }, /acceptBy: must be later than now/],
      [
        { ...work, deadline: '2020-01-31T12:00Z' },
        /deadline: must be later than now, which is 20\d\d-.*Z on/,
      ],
      [{ ...work, deadline: '+366d' }, /deadline: must be within 365 days/],
      [{ ...work, reviewPeriod: 1 }, /reviewPeriod: must be 12h to 30d/],
      [{ ...work, market: 'micro', reviewPeriod: '8d' }, /reviewPeriod: must be 4h to 7d/],
      [{ ...work, totalAmountTok: '99.9' }, /totalAmountTok: must be 100 TOK or more/],
      [{ ...work, totalAmountTok: undefined, milestones: ['241', '9'] }, /must each be 10 TOK or more/],
    ],
    'create-task': [
      [{ from: poster, terms: { ...terms, deadline: 1 } }, /settlementDigest/],
      [{ from: poster, terms: { terms, settlementDigest: proofHash } }, /settlementDigest/],
      [{ from: `0x${'77'.repeat(20)}`, terms }, /neither poster nor worker/],
      [{ from: poster, terms }, /workerSignature: is required/],
      [{ from: worker, terms }, /posterSignature: is required/],
      [{ ...byWorker, uri: 'ipfs://x' }, /uri: only the poster/],
      [{ ...byWorker, fundNowTok: '1' }, /only the poster funds/],
      [{ from: poster, sign: true, terms: tooLong }, /acceptBy, must be within 14 days/],
      [{ from: poster, terms: { terms, document: { title: 1 } } }, /no svc-task-v1 document/],
      [{ from: poster, terms: { terms, document: { ...document, title: 'y' } } }, /document/],
    ],
    'post-task': [
      [{ deadline: '+7d', title: 'x' }, /totalAmountTok: is required/],
      [{ ...pay, title: 'x', uri: 'ipfs://x' }, /not both/],
      [{ ...pay, artifacts }, /artifacts: give a title/],
      [{ ...pay }, /title: is required, or uri/],
      [{ ...pay, title: 'x', criteriaHash: proofHash }, /with a title it is/],
      [{ ...pay, uri: 'ipfs://x', criteria: 'x', criteriaHash: proofHash }, /is not the hash of/],
    ],
    'submit-proof': [
      [{ ...delivery, note: undefined }, /note: give it, links or artifacts/],
      [{ ...delivery, proofHash }, /proofHash: give it, or note/],
      [{ ...delivery, uri: 'https://work.example/1' }, /uri: must be \/v1\/files\//],
      [{ ...delivery, uri: `/v1/files/${'5e'.repeat(32)}` }, /uri: must be \/v1\/files\//],
    ],
    'mutual-settle': [
      [split, /validUntil: is required/],
      [{ ...split, validUntil: '+1d' }, /must be the moment that was signed/],
      [{ ...split, sign: true, validUntil: String(now) }, /validUntil: must be later than now/],
      [{ ...split, validUntil: String(now + 60) }, /workerSignature: is required/],
    ],
  };
  for (const [name, rows] of Object.entries(refusals))
    for (const [args, message] of rows) {
      const given = name === 'post-task' ? { from: poster, ...args } : args;
      await assert.rejects(prepareAction(name, given, connect), { code: 'ARGUMENTS_INVALID', message });
    }
  const long = prepareAction('submit-proof', { ...delivery, note: 'x'.repeat(5_000) }, connect);
  await assert.rejects(long, { code: 'DOCUMENT_TOO_LARGE', message: /has 5\d{3} bytes; 4096 are allowed/ });
});

test('the examples of all 44 actions fit their own arguments', () => {
  assert.equal(actions.length, 44);
  for (const { name, input, example } of actions) {
    const { file, ...args } = example;
    const terms = { ...args, ...(args.terms !== undefined && { terms: {} }) };
    const given = file === undefined ? terms : { ...terms, artifacts: good.artifacts };
    const parsed = input.safeParse(given);
    assert.ok(parsed.success, `${name}: ${parsed.error?.message}`);
  }
});
