// Three lives of a task, played with real keys against a running chain.
import { type Hex, keccak256, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { buildDocumentUri } from '#sdk/domain/document.ts';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { indexOf, scopes } from '#sdk/domain/state.ts';
import {
  buildTermsTypedData,
  hashCriteria,
  hashMilestones,
  hashTerms,
  type TaskTerms,
} from '#sdk/domain/terms.ts';
import type { ExpectedChange } from './balances.ts';
import type { Cast, Party } from './cast.ts';

/** Told after each step: who did what. */
export type Tell = (who: Party, what: string) => Promise<void> | void;

/** Plays itself and answers how much TOK each wallet must have won or lost by it. */
export type Story = (cast: Cast, tell: Tell) => Promise<ExpectedChange>;

const day = 86_400;
const collateral = parseUsdc('45');
const text = {
  title: 'Name ten birds in a photograph',
  description: 'A photograph of a feeder in winter. Name every bird on it, left to right.',
  criteria: 'Ten names, English and Latin, in the order of the picture.',
  tags: ['birds', 'photography'],
};
const proof = keccak256(stringToHex('ten-birds.txt'));

/** Allowances and collateral, as far as they are missing. */
export async function enter({ client, contracts, poster, worker }: Cast, tell: Tell): Promise<void> {
  const { tok, usdc, deposits, gateway } = contracts;
  for (const party of [poster, worker]) {
    const [account] = await client.readContract({
      ...deposits,
      functionName: 'accountOf',
      args: [party.address],
    });
    await party.write(tok, 'approve', [gateway.address, parseTok('100000')]);
    if (account.balance < collateral) {
      await party.write(usdc, 'approve', [deposits.address, collateral - account.balance]);
      await party.write(deposits, 'topUp', [collateral - account.balance]);
    }
    await tell(party, 'allows the router 100,000 TOK and keeps 45 USDC as collateral');
  }
}

export const playToCompletion: Story = async (cast, tell) => {
  const { contracts, poster } = cast;
  const [first, rest] = [parseTok('2000'), parseTok('4000')];
  const id = await post(cast, [first, rest], tell);
  await poster.write(contracts.registry, 'fundTask', [id, first + rest]);
  await tell(poster, 'funds the task with 6,000 TOK');
  await claimStartAndDeliver(cast, id, tell);
  await poster.write(contracts.registry, 'acceptMilestone', [id, 0]);
  await tell(poster, 'accepts the first milestone, which pays 2,000 TOK');
  await poster.write(contracts.registry, 'completeTask', [id]);
  await tell(poster, 'completes the task early, which pays the other 4,000 TOK');
  const fee = feeOf(cast);
  return { poster: -fee - first - rest, worker: -fee + first + rest, arbitrator: 0n };
};

export const playToRuling: Story = async (cast, tell) => {
  const { contracts, poster, worker, arbitrator } = cast;
  const total = parseTok('8000');
  const bond = total / 20n;
  const id = await post(cast, [total], tell);
  await poster.write(contracts.registry, 'fundTask', [id, total]);
  await tell(poster, 'funds the task with 8,000 TOK');
  await claimStartAndDeliver(cast, id, tell);
  await poster.write(contracts.registry, 'openDispute', [id, keccak256(stringToHex('complaint.txt'))]);
  await tell(poster, 'opens a dispute and leaves a bond of 400 TOK');
  for (const party of [poster, worker]) {
    await party.write(contracts.court, 'proposeArbitrator', [id, arbitrator.address]);
    await tell(party, `proposes ${arbitrator.name} as arbitrator`);
  }
  const reason = keccak256(stringToHex('ruling.txt'));
  await arbitrator.write(contracts.court, 'resolveDispute', [id, 7_500, reason]);
  await tell(arbitrator, 'gives three quarters to the worker; the bond of the loser is the fee');
  const fee = feeOf(cast);
  const toWorker = (total * 3n) / 4n;
  return { poster: -fee - toWorker - bond, worker: -fee + toWorker, arbitrator: bond };
};

export const playNegotiated: Story = async (cast, tell) => {
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
  await tell(worker, 'signs the negotiated terms, without a transaction');
  const encoded = { ...terms, scope: indexOf(scopes, terms.scope) };
  const receipt = await poster.write(registry, 'createTask', [encoded, [], '0x', workerSig, '', totalAmount]);
  const id = idFrom(receipt, cast);
  const task = await client.readContract({ ...registry, functionName: 'getTask', args: [id] });
  if (task.settlementDigest !== hashTerms(terms, place))
    throw new Error('The chain bound other terms than the worker signed.');
  await tell(poster, `creates task ${id} with both acceptances and 3,000 TOK in escrow`);
  await poster.write(registry, 'startWork', [id, task.settlementDigest]);
  await tell(poster, 'lets the work start');
  await worker.write(registry, 'submitProof', [id, proof, 'https://work.example/ten-birds.txt']);
  await tell(worker, 'delivers');
  await poster.write(registry, 'acceptMilestone', [id, 0]);
  await tell(poster, 'accepts, which pays 3,000 TOK');
  const fee = feeOf(cast);
  return { poster: -fee - totalAmount, worker: -fee + totalAmount, arbitrator: 0n };
};

async function post(cast: Cast, amounts: readonly bigint[], tell: Tell): Promise<bigint> {
  const { client, contracts, poster } = cast;
  const { timestamp } = await client.getBlock();
  const receipt = await poster.write(contracts.registry, 'postTask', [
    {
      totalAmount: amounts.reduce((sum, amount) => sum + amount, 0n),
      deadline: timestamp + BigInt(10 * day),
      reviewPeriod: day,
      criteriaHash: hashCriteria(text.criteria),
      milestones: amounts.length === 1 ? [] : amounts,
      uri: buildDocumentUri(text),
      fundNow: 0n,
    },
  ]);
  const id = idFrom(receipt, cast);
  await tell(poster, `posts task ${id} and pays the access fee of 1,000 TOK`);
  return id;
}

async function claimStartAndDeliver(cast: Cast, id: bigint, tell: Tell): Promise<void> {
  const { client, contracts, poster, worker } = cast;
  const { registry } = contracts;
  const digest: Hex = await client.readContract({
    ...registry,
    functionName: 'openDigest',
    args: [id, worker.address],
  });
  await worker.write(registry, 'claimTask', [id, digest]);
  await tell(worker, 'claims it, accepts exactly these terms and pays the access fee of 1,000 TOK');
  await poster.write(registry, 'startWork', [id, digest]);
  await tell(poster, 'lets the work start');
  await worker.write(registry, 'submitProof', [id, proof, 'https://work.example/ten-birds.txt']);
  await tell(worker, 'delivers');
}

function idFrom({ logs }: TransactionReceipt, { contracts }: Cast): bigint {
  const [posted] = parseEventLogs({ abi: contracts.registry.abi, logs, eventName: 'TaskPosted' });
  if (posted === undefined) throw new Error('No task was posted.');
  return posted.args.taskId;
}

function feeOf({ market }: Cast): bigint {
  return marketParameters[market].accessFeeTokWei;
}
