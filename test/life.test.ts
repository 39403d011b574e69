// Proves with plain viem that tasks follow the rules, and that the balances of every wallet add up to the wei.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { erc20Abi, type Hex, keccak256, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { markets } from '#sdk/domain/market.ts';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { indexOf, scopes } from '#sdk/domain/state.ts';
import {
  buildTermsTypedData,
  hashCriteria,
  hashMilestones,
  hashTerms,
  type TaskTerms,
} from '#sdk/domain/terms.ts';
import { type Cast, createCast, enter, type Party } from './support/cast.ts';
import { type RunningChain, startChain } from './support/devnet.ts';

/** Runs a task and returns how much TOK each wallet must have gained or lost. */
type Story = (cast: Cast) => Promise<ExpectedChange>;

const day = 86_400;
const text = {
  title: 'Name ten birds in a photograph',
  description: 'A photograph of a feeder in winter. Name every bird on it, left to right.',
  criteria: 'Ten names, English and Latin, in the order of the picture.',
  tags: ['birds', 'photography'],
};
const proof = keccak256(stringToHex('ten-birds.txt'));

type Holdings = {
  readonly tokWei: bigint;
  readonly usdc: bigint;
  readonly etherWei: bigint;
  /** Collateral on the market, locked or not. */
  readonly deposit: bigint;
  readonly locked: bigint;
};

type Role = 'poster' | 'worker' | 'arbitrator';
const roles: readonly Role[] = ['poster', 'worker', 'arbitrator'];

/** Changes in TOK wei. Apart from Ether paid for gas, nothing else may change. */
type ExpectedChange = Readonly<Record<Role, bigint>>;

type Snapshot = Readonly<Record<Role, Holdings & { readonly gasPaidWei: bigint }>>;

const playToCompletion: Story = async (cast) => {
  const { contracts, poster } = cast;
  const [first, rest] = [parseTok('2000'), parseTok('4000')];
  const id = await post(cast, [first, rest]);
  await poster.write(contracts.registry, 'fundTask', [id, first + rest]);
  await claimStartAndDeliver(cast, id);
  await poster.write(contracts.registry, 'acceptMilestone', [id, 0, await deliveredAt(cast, id)]);
  await poster.write(contracts.registry, 'completeTask', [id, await digestOf(cast, id)]);
  const fee = feeOf(cast);
  return { poster: -fee - first - rest, worker: -fee + first + rest, arbitrator: 0n };
};

const playToRuling: Story = async (cast) => {
  const { contracts, poster, worker, arbitrator } = cast;
  const total = parseTok('8000');
  const bond = total / 20n;
  const id = await post(cast, [total]);
  await poster.write(contracts.registry, 'fundTask', [id, total]);
  await claimStartAndDeliver(cast, id);
  const [complaint, answer] = ['complaint.txt', 'answer.txt'].map((name) => keccak256(stringToHex(name)));
  await poster.write(contracts.registry, 'openDispute', [
    id,
    await deliveredAt(cast, id),
    complaint as Hex,
    '',
  ]);
  await worker.write(contracts.court, 'answerDispute', [id, true, answer as Hex, '']);
  for (const party of [poster, worker]) {
    await party.write(contracts.court, 'proposeArbitrator', [id, arbitrator.address]);
  }
  const reason = keccak256(stringToHex('ruling.txt'));
  await arbitrator.write(contracts.court, 'resolveDispute', [id, 7_500, reason, '']);
  const fee = feeOf(cast);
  const toWorker = (total * 3n) / 4n;
  // The arbitrator's fee comes from both bonds: each side pays the share that it lost.
  const ofPoster = (bond * 3n) / 4n;
  return {
    poster: -fee - toWorker - ofPoster,
    worker: -fee + toWorker - (bond - ofPoster),
    arbitrator: bond,
  };
};

const playNegotiated: Story = async (cast) => {
  const { client, contracts, deployment, poster, worker } = cast;
  const { registry } = contracts;
  const totalAmount = parseTok('3000');
  const now = Number((await client.getBlock()).timestamp);
  const terms: TaskTerms = {
    poster: poster.address,
    worker: worker.address,
    totalAmount,
    milestonesHash: hashMilestones([]),
    criteriaHash: hashCriteria(text.criteria),
    deadline: BigInt(now + 10 * day),
    reviewPeriod: day,
    scope: 'private',
    salt: keccak256(stringToHex(`negotiation ${now}`)),
    acceptBy: BigInt(now + day),
  };
  const place = { chainId: deployment.chainId, registry: registry.address };
  const workerSig = await worker.account.signTypedData(buildTermsTypedData(terms, place));
  const encoded = { ...terms, scope: indexOf(scopes, terms.scope) };
  const receipt = await poster.write(registry, 'createTask', [encoded, [], '0x', workerSig, '', totalAmount]);
  const id = idFrom(receipt, cast);
  const task = await client.readContract({ ...registry, functionName: 'getTask', args: [id] });
  if (task.settlementDigest !== hashTerms(terms, place))
    throw new Error('The chain bound other terms than the worker signed.');
  await poster.write(registry, 'startWork', [id, task.settlementDigest]);
  await worker.write(registry, 'submitProof', [id, 0, proof, 'https://work.example/ten-birds.txt']);
  await poster.write(registry, 'acceptMilestone', [id, 0, await deliveredAt(cast, id)]);
  const fee = feeOf(cast);
  return { poster: -fee - totalAmount, worker: -fee + totalAmount, arbitrator: 0n };
};

const stories = {
  'posted, funded, claimed, started, delivered, accepted and completed': playToCompletion,
  'delivered, disputed, given to an arbitrator by both, and ruled': playToRuling,
  'created with both signatures, delivered and accepted': playNegotiated,
};

let chain: RunningChain;
before(async () => {
  chain = await startChain();
});
after(() => chain.stop());

for (const market of markets) {
  let cast: Cast;
  for (const [what, play] of Object.entries(stories)) {
    test(`on ${market} a task is ${what}, and every balance adds up to the wei`, async () => {
      if (cast === undefined) {
        cast = await createCast(chain.report.rpcUrl, market);
        await enter(cast);
      }
      const started = await takeSnapshot(cast);
      const expected = await play(cast);
      const ended = await takeSnapshot(cast);
      assert.deepEqual(findDifferences(started, ended, expected), []);
      const oneWeiMore = { ...expected, worker: expected.worker + 1n };
      assert.equal(findDifferences(started, ended, oneWeiMore).length, 1, 'one wei too many is found');
    });
  }
}

async function post(cast: Cast, amounts: readonly bigint[]): Promise<bigint> {
  const { client, contracts, poster } = cast;
  const { timestamp } = await client.getBlock();
  const receipt = await poster.write(contracts.registry, 'postTask', [
    {
      totalAmount: amounts.reduce((sum, amount) => sum + amount, 0n),
      deadline: timestamp + BigInt(10 * day),
      reviewPeriod: day,
      criteriaHash: hashCriteria(text.criteria),
      milestones: amounts.length === 1 ? [] : amounts,
      uri: buildTaskDocument(text).uri,
      fundNow: 0n,
    },
  ]);
  const id = idFrom(receipt, cast);
  return id;
}

async function claimStartAndDeliver(cast: Cast, id: bigint): Promise<void> {
  const { client, contracts, poster, worker } = cast;
  const { registry } = contracts;
  const digest: Hex = await client.readContract({
    ...registry,
    functionName: 'openDigest',
    args: [id, worker.address],
  });
  await worker.write(registry, 'claimTask', [id, digest]);
  await poster.write(registry, 'startWork', [id, digest]);
  await worker.write(registry, 'submitProof', [id, 0, proof, 'https://work.example/ten-birds.txt']);
}

function idFrom({ logs }: TransactionReceipt, { contracts }: Cast): bigint {
  const [posted] = parseEventLogs({ abi: contracts.registry.abi, logs, eventName: 'TaskPosted' });
  if (posted === undefined) throw new Error('No task was posted.');
  return posted.args.taskId;
}

async function digestOf({ client, contracts }: Cast, id: bigint): Promise<Hex> {
  const task = await client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });
  return task.settlementDigest;
}

async function deliveredAt({ client, contracts }: Cast, id: bigint): Promise<bigint> {
  const task = await client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });
  return task.updatedAt;
}

function feeOf({ market }: Cast): bigint {
  return marketParameters[market].accessFeeTokWei;
}

async function takeSnapshot(cast: Cast): Promise<Snapshot> {
  const entries = roles.map(async (role) => {
    const holdings = await readHoldings(cast, cast[role]);
    return [role, { ...holdings, gasPaidWei: cast[role].gasPaidWei() }] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Snapshot;
}

/** Lists every difference between the actual and the expected balances, to the wei. */
function findDifferences(before: Snapshot, after: Snapshot, expected: ExpectedChange): string[] {
  return roles.flatMap((role) => {
    const [was, is] = [before[role], after[role]];
    const wanted: Holdings = {
      tokWei: was.tokWei + expected[role],
      usdc: was.usdc,
      etherWei: was.etherWei - (is.gasPaidWei - was.gasPaidWei),
      deposit: was.deposit,
      locked: was.locked,
    };
    const names = Object.keys(wanted) as (keyof Holdings)[];
    return names
      .filter((name) => is[name] !== wanted[name])
      .map((name) => `${role}: ${name} is ${is[name]} and should be ${wanted[name]}`);
  });
}

async function readHoldings({ client, contracts }: Cast, { address }: Party): Promise<Holdings> {
  const balanceOf = (token: { readonly address: `0x${string}` }) =>
    client.readContract({
      address: token.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    });
  const [tokWei, usdc, etherWei, [account]] = await Promise.all([
    balanceOf(contracts.tok),
    balanceOf(contracts.usdc),
    client.getBalance({ address }),
    client.readContract({ ...contracts.deposits, functionName: 'accountOf', args: [address] }),
  ]);
  return { tokWei, usdc, etherWei, deposit: account.balance, locked: account.locked };
}
