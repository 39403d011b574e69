// `npm run contracts:next:gas`: the gas of every operation of the next contracts, beside that of the contracts in use.
//
// As bench/gas.ts measures: whole transactions, by wallets that have used the market before and have approved exactly what each takes. The
// contracts are those that `npm run contracts:next:test` has compiled.
// --check   writes nothing; fails when an operation uses over 2 % more than the file says
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatHex, type Hex, keccak256, parseEther, toHex } from 'viem';
import * as on from './test/model/chain.ts';

type Post = {
  readonly milestones?: readonly bigint[];
  readonly fund?: bigint;
  readonly uri?: string;
  readonly instant?: boolean;
};

const total = parseEther('6000');
const thirds = ['1000', '2000', '3000'].map((amount) => parseEther(amount));
const tenths = Array.from({ length: 10 }, () => total / 10n);
const day = 86_400;
const hash: Hex = keccak256('0x01');
const uri = `ipfs://${'b'.repeat(59)}`;
const file = join(import.meta.dirname, 'gas.json');

const chain = await on.createChain('standard', 1_000_000_000n, parseEther('1000000'), false);
const { registry, court, deposits, tok, usdc, paymentGateway } = chain.contracts;

/** Approves exactly this much TOK, and answers the gas of the one call after it. */
async function act(from: on.Wallet, to: on.Contract, name: string, args: readonly unknown[], takes = 0n) {
  chain.skip(1);
  await chain.must(from, tok, 'approve', [paymentGateway.address, takes]);
  chain.skip(1);
  return chain.must(from, to, name, args);
}

const read = async (to: on.Contract, name: string, ...args: unknown[]) => chain.one(to, name, args);
const taskOf = async (id: bigint) =>
  (await read(registry, 'taskOf', id)) as { settlementDigest: Hex; state: number; updatedAt: bigint };

function post({ milestones = [], fund = total, uri: at = uri, instant = false }: Post = {}) {
  const deadline = BigInt(chain.clock + 10 * day);
  const params = {
    totalAmount: total,
    deadline,
    reviewPeriod: 3 * day,
    criteriaHash: hash,
    milestones,
    uri: at,
    fundNow: fund,
    instant,
  };
  return act(on.poster, registry, 'postTask', [params], on.fee + fund);
}
async function create(vouched = false) {
  const terms = {
    poster: on.poster.address,
    worker: on.worker.address,
    totalAmount: total,
    milestonesHash: keccak256('0x'),
    criteriaHash: hash,
    deadline: BigInt(chain.clock + 10 * day),
    reviewPeriod: 3 * day,
    scope: 1,
    salt: keccak256(toHex(chain.clock)),
    acceptBy: BigInt(chain.clock + day),
    vouched,
  };
  const signature = await on.worker.sign({ hash: (await read(registry, 'hashTerms', terms)) as Hex });
  await act(on.worker, tok, 'approve', [paymentGateway.address, on.fee]);
  const args = [terms, [], signature, '', total];
  chain.skip(1);
  await chain.must(on.poster, tok, 'approve', [paymentGateway.address, total + (vouched ? 2n : 1n) * on.fee]);
  return chain.must(on.poster, registry, 'createTask', args);
}
const claim = async (id: bigint) =>
  act(
    on.worker,
    registry,
    'claimTask',
    [id, await read(registry, 'openDigest', id, on.worker.address)],
    on.fee,
  );
const fund = (id: bigint) => act(on.poster, registry, 'fundTask', [id, total], total);
const start = async (id: bigint) =>
  act(on.poster, registry, 'startWork', [id, (await taskOf(id)).settlementDigest]);
const deliver = (id: bigint) => act(on.worker, registry, 'submitProof', [id, 0, hash, uri]);
const accept = async (id: bigint) =>
  act(on.poster, registry, 'acceptMilestone', [id, 0, (await taskOf(id)).updatedAt]);
const complete = async (id: bigint) =>
  act(on.poster, registry, 'completeTask', [id, (await taskOf(id)).settlementDigest]);
const leave = async (id: bigint) =>
  act(on.worker, registry, 'leaveTask', [id, (await taskOf(id)).state], on.fee);
const dismiss = async (id: bigint) =>
  act(on.poster, registry, 'dismissWorker', [id, (await taskOf(id)).settlementDigest], on.fee);
const dispute = async (id: bigint, D = total) =>
  act(on.poster, registry, 'openDispute', [id, (await taskOf(id)).updatedAt, hash, uri], D / 20n);
const answer = (id: bigint, withBond = true) =>
  act(on.worker, court, 'answerDispute', [id, withBond, hash, uri], withBond ? total / 20n : 0n);
const propose = (id: bigint, by: on.Wallet) =>
  act(by, court, 'proposeArbitrator', [id, on.arbitrator.address]);
function rule(id: bigint, share: number, by = on.arbitrator) {
  chain.skip(day);
  return act(by, court, 'resolveDispute', [id, share, hash, uri]);
}
function timeOut(id: bigint, seconds: number, where = registry) {
  chain.skip(seconds);
  return act(on.rival, where, 'resolveTimedOut', [id]);
}
function escalate(id: bigint) {
  chain.skip(6 * day);
  return act(on.rival, court, 'escalate', [id]);
}
async function settle(id: bigint, by: on.Wallet) {
  const until = BigInt(chain.clock + day);
  const digest = (await read(registry, 'hashSettlement', id, 4_000, until)) as Hex;
  const posterSig = by === on.poster ? '0x' : await on.poster.sign({ hash: digest });
  return act(by, court, 'mutualSettle', [
    id,
    4_000,
    until,
    posterSig,
    await on.worker.sign({ hash: digest }),
  ]);
}

/** The task after these steps. */
async function at(options: Post | 'created', ...steps: readonly ((id: bigint) => Promise<number>)[]) {
  if (options === 'created') await create();
  else await post(options);
  const id = (await read(registry, 'taskCount')) as bigint;
  for (const step of steps) await step(id);
  return id;
}
const active = (options: Post = {}) => at(options, claim, start);
const delivered = (options: Post = {}) => at(options, claim, start, deliver);
const disputed = () => at({}, claim, start, deliver, dispute);
const answered = () => at({}, claim, start, deliver, dispute, answer);
const assigned = () =>
  at(
    {},
    claim,
    start,
    deliver,
    dispute,
    answer,
    (id) => propose(id, on.poster),
    (id) => propose(id, on.worker),
  );
const unbonded = () => at({}, claim, start, deliver, dispute, (id) => answer(id, false));

// Nobody and no counter is new to what is measured.
await act(on.arbitrator, court, 'registerArbitrator', [parseEther('10000'), 0n], parseEther('10000'));
await accept(await delivered());
await leave(await active());
await rule(await assigned(), 3_000);
await rule(await unbonded(), 3_000, on.fallback);
await timeOut(await at({}, claim, start, dismiss), day + 10);
await timeOut(await at({ fund: 0n }, claim), day + 10);
await assigned();
await chain.must(on.rival, usdc, 'approve', [deposits.address, 0n]);
await act(on.rival, paymentGateway, 'flush', []);
await post();

const measured: Record<string, number> = {};
async function measure(name: string, run: () => Promise<number>) {
  const snapshot = await chain.ask('evm_snapshot');
  const clock = chain.clock;
  measured[name] = await run();
  await chain.ask('evm_revert', snapshot);
  chain.skip(clock - chain.clock);
}
const inThirds = { milestones: thirds };
await measure('postTask', () => post({ fund: 0n }));
await measure('postTask, 1 KiB inline document', () =>
  post({ fund: 0n, uri: `data:application/json,{"title":"${'x'.repeat(990)}"}` }),
);
await measure('postTask, funded', () => post());
await measure('postTask, funded, instant', () => post({ instant: true }));
await measure('postTask, 10 milestones, funded', () => post({ milestones: tenths }));
await measure('createTask, funded', () => create());
await measure('createTask, funded, vouched', () => create(true));
await measure('claimTask', async () => claim(await at({ fund: 0n })));
await measure('claimTask, funded', async () => claim(await at({})));
await measure('claimTask, 10 milestones', async () => claim(await at({ milestones: tenths })));
await measure('fundTask', async () => fund(await at({ fund: 0n })));
await measure('fundTask, claimed', async () => fund(await at({ fund: 0n }, claim)));
await measure('startWork by poster', async () => start(await at({}, claim)));
await measure('submitProof', async () => deliver(await active()));
await measure('submitProof again', async () => deliver(await delivered()));
await measure('acceptMilestone, last', async () => accept(await delivered()));
await measure('acceptMilestone, other', async () => accept(await delivered(inThirds)));
await measure('completeTask', async () => complete(await active()));
await measure('extendDeadline', async () => {
  const id = await active();
  return act(on.poster, registry, 'extendDeadline', [id, BigInt(chain.clock + 20 * day)]);
});
await measure('leaveTask, ACTIVE', async () => leave(await active()));
await measure('leaveTask, CLAIMED', async () => leave(await at({ fund: 0n }, claim)));
await measure('leaveTask, DELIVERED', async () => leave(await delivered()));
await measure('dismissWorker, CLAIMED', async () => dismiss(await at({ fund: 0n }, claim)));
await measure('dismissWorker, on trial', async () => dismiss(await at({}, claim)));
await measure('dismissWorker, ACTIVE', async () => dismiss(await active()));
await measure('cancelTask', async () => act(on.poster, registry, 'cancelTask', [await at({})]));
await measure('resolveTimedOut, POSTED', async () => timeOut(await at({}), 11 * day));
await measure('resolveTimedOut, CLAIMED, not funded', async () =>
  timeOut(await at({ fund: 0n }, claim), day + 9),
);
await measure('resolveTimedOut, ACTIVE', async () => timeOut(await active(), 12 * day));
await measure('resolveTimedOut, ACTIVE, dismissed', async () =>
  timeOut(await at({}, claim, start, dismiss), day + 9),
);
await measure('resolveTimedOut, DELIVERED', async () => timeOut(await delivered(), 4 * day));
await measure('openDispute', async () => dispute(await delivered()));
await measure('openDispute, later milestones go back', async () =>
  dispute(await delivered(inThirds), thirds[0]),
);
await measure('answerDispute by the worker', async () => answer(await disputed()));
await measure('answerDispute without a bond', async () => answer(await disputed(), false));
await measure('submitEvidence', async () =>
  act(on.worker, court, 'submitEvidence', [await disputed(), hash, uri]),
);
await measure('proposeArbitrator', async () => propose(await answered(), on.poster));
await measure('proposeArbitrator, agreeing', async () =>
  propose(await at({}, claim, start, deliver, dispute, answer, (id) => propose(id, on.poster)), on.worker),
);
await measure('resolveDispute, all to one', async () => rule(await assigned(), 10_000));
await measure('resolveDispute, a split', async () => rule(await assigned(), 3_000));
await measure('resolveDispute, a split, no bond of the worker', async () =>
  rule(await unbonded(), 3_000, on.fallback),
);
await measure('concede, ANSWERING', async () => act(on.worker, court, 'concede', [await disputed(), 1]));
await measure('concede, PROPOSING', async () => act(on.poster, court, 'concede', [await answered(), 2]));
await measure('concede, ASSIGNED', async () => act(on.poster, court, 'concede', [await assigned(), 3]));
await measure('escalate, nobody agreed', async () => escalate(await answered()));
await measure('escalate, arbitrator silent', async () => escalate(await assigned()));
await measure('resolveTimedOut, DISPUTED, no answer', async () => timeOut(await disputed(), 4 * day, court));
await measure('resolveTimedOut, DISPUTED, silent fallback', async () =>
  timeOut(await unbonded(), 5 * day, court),
);
await measure('mutualSettle, ACTIVE, by a party', async () => settle(await active(), on.poster));
await measure('mutualSettle, arbitrator assigned, both signatures', async () =>
  settle(await assigned(), on.rival),
);
await measure('revokeTerms', () => act(on.worker, registry, 'revokeTerms', [concatHex([hash])]));
await measure('flush', () => act(on.rival, paymentGateway, 'flush', []));

const honest = [
  'postTask, funded',
  'claimTask, funded',
  'startWork by poster',
  'submitProof',
  'acceptMilestone, last',
];
const sum = (gas: Record<string, number>) => honest.reduce((all, name) => all + (gas[name] ?? 0), 0);
const old: Record<string, number> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../gas.json'), 'utf8'),
);
old['claimTask, funded'] = old.claimTask as number;
old['fundTask, claimed'] = old.fundTask as number;
for (const [name, gas] of Object.entries(measured))
  console.log(`${String(old[name] ?? '-').padStart(8)} ${String(gas).padStart(8)}  ${name}`);
console.log(
  `${String(sum(old)).padStart(8)} ${String(sum(measured)).padStart(8)}  the five calls of the honest path`,
);
if (process.argv.includes('--check')) {
  const known: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'));
  const grown = Object.entries(measured).filter(([name, gas]) => gas > (known[name] ?? 0) * 1.02);
  for (const [name] of grown) console.error(`${name} grew by more than 2 %, or is new.`);
  process.exitCode = grown.length > 0 ? 1 : 0;
} else writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
