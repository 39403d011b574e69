// Runs many random steps on both markets; each fits the state of its task.
import { type Hex, numberToHex, type PublicClient } from 'viem';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { type Address, isSameAddress } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { disputePhases, isTerminal, nameOf, taskStates } from '#sdk/domain/state.ts';
import { type AccountName, accountOf, accounts } from '#service/devnet/accounts.ts';
import { buildAccountStep } from '#service/devnet/seed/accountSteps.ts';
import { type AccountStep, type TaskStep, type TaskStory, taskStories } from '#service/devnet/seed/story.ts';
import { buildTaskStep } from '#service/devnet/seed/taskSteps.ts';
import type { DevTransaction } from '#service/devnet/transactions.ts';
import { ask } from '../devnet.ts';
import { contractsOf, readDispute, readNewest, readTasks } from '../marketReader.ts';
import type { Random } from './random.ts';

export type Game = {
  readonly client: PublicClient;
  readonly deployment: Deployment;
  readonly random: Random;
};

const posters = ['press', 'lab', 'studio', 'shop', 'archive'] as const;
const workers = ['linguist', 'coder', 'analyst', 'painter', 'scribe', 'drifter'] as const;
const arbitrators = ['umpire', 'referee', 'assessor'] as const;
const hour = 3_600;
const gas = numberToHex(3_000_000);

/** Returns the number of accepted steps; rejected steps must leave no trace. */
export async function playRandomly(game: Game, moves: number): Promise<number> {
  const { client, random } = game;
  let accepted = 0;
  for (let move = 0; move < moves; move++) {
    const pause = random.pick([0, 1, 6, 20, 20, 30, 100]) * hour;
    await ask(client, 'evm_increaseTime', pause);
    const market = random.pick(markets);
    const transaction =
      random.below(5) === 0 ? chooseAccountStep(game, market) : await chooseTaskStep(game, market);
    if (await send(client, transaction)) accepted += 1;
  }
  return accepted;
}

/** Posts this many tasks and leaves each in a random state, at a random time. */
export async function scatterTasks(game: Game, count: number): Promise<void> {
  const { client, random } = game;
  for (let posted = 0; posted < count; ) {
    const market = random.pick(markets);
    await ask(client, 'evm_increaseTime', random.pick([0, 0, 1, 2]) * hour);
    if (!(await send(client, await choosePost(game, market)))) continue;
    posted++;
    const contracts = contractsOf(game.deployment, market);
    for (let moves = random.below(12); moves > 0; moves--) {
      const task = await readNewest(client, contracts);
      if (isTerminal(nameOf(taskStates, task.state))) break;
      await send(client, await chooseMove(game, market, task));
    }
  }
}

/** True if the transaction succeeded. */
export async function send(client: PublicClient, { from, to, data }: DevTransaction): Promise<boolean> {
  const hash = await ask(client, 'eth_sendTransaction', { from, to, data, gas });
  const { status } = await client.getTransactionReceipt({ hash: hash as Hex });
  return status === 'success';
}

async function chooseTaskStep(game: Game, market: Market): Promise<DevTransaction> {
  const { client, deployment, random } = game;
  const tasks = await readTasks(client, contractsOf(deployment, market));
  const live = tasks.filter(({ state }) => !isTerminal(nameOf(taskStates, state)));
  if (live.length < 12 || random.below(6) === 0) return choosePost(game, market);
  return chooseMove(game, market, random.pick(live));
}

async function choosePost({ client, deployment, random }: Game, market: Market): Promise<DevTransaction> {
  const at = await readTime(client);
  const story = inventStory(random, market, random.pick(posters));
  const total = story.pays.reduce((sum, amount) => sum + amount);
  const step: TaskStep =
    random.below(4) === 0
      ? ['create', random.pick(workers), total]
      : ['post', random.pick([0, total, total])];
  return buildTaskStep({ deployment, publicClient: client, story, taskId: 0n, at }, step);
}

async function chooseMove(game: Game, market: Market, task: Task): Promise<DevTransaction> {
  const { client, deployment, random } = game;
  const at = await readTime(client);
  const dispute = await readDispute(client, contractsOf(deployment, market), task.id);
  const step = chooseStep(random, task, dispute);
  const story = inventStory(random, market, nameAt(task.poster));
  return buildTaskStep({ deployment, publicClient: client, story, taskId: task.id, at }, step);
}

async function readTime(client: PublicClient): Promise<number> {
  return Number((await client.getBlock()).timestamp);
}

type Task = Awaited<ReturnType<typeof readTasks>>[number];
type Dispute = Awaited<ReturnType<typeof readDispute>>;

function chooseStep(random: Random, task: Task, dispute: Dispute): TaskStep {
  const missing = Number((task.totalAmount - task.funded) / 10n ** 18n);
  switch (nameOf(taskStates, task.state)) {
    case 'POSTED':
      if (missing > 0 && random.below(2) === 0) return ['fund', missing];
      return random.pick<TaskStep>([
        ['claim', random.pick(workers)],
        ['claim', random.pick(workers)],
        ['claim', random.pick(workers)],
        ['cancel'],
        ['timeOut'],
      ]);
    case 'CLAIMED':
      if (missing > 0 && random.below(3) > 0) return ['fund', missing];
      return random.pick<TaskStep>([
        ['start'],
        ['start'],
        ['start', 'worker'],
        ['leave'],
        ['dismiss'],
        ['timeOut'],
      ]);
    case 'ACTIVE':
      return random.pick<TaskStep>([
        ['deliver', 'Done.'],
        ['deliver', 'Done.'],
        ['deliver', 'Done.'],
        ['complete'],
        ['leave'],
        ['notice'],
        ['dismiss'],
        ['extend', '1d'],
        ['timeOut'],
        ['settle', random.below(10_001)],
      ]);
    case 'DELIVERED':
      return random.pick<TaskStep>([
        ['accept'],
        ['accept'],
        ['deliver', 'Done.'],
        ['timeOut'],
        ['complete'],
        ['leave'],
        ['dispute', 'It is not complete.'],
        ['dispute', 'It is not complete.'],
      ]);
    default:
      return chooseCourtStep(random, dispute);
  }
}

function chooseCourtStep(random: Random, dispute: Dispute): TaskStep {
  const workerBps = random.pick([0, 3_333, 5_000, 6_667, 10_000]);
  const side = random.pick(['poster', 'worker'] as const);
  const propose: TaskStep = ['propose', side, random.pick(arbitrators)];
  const always: readonly TaskStep[] = [
    ['evidence', side, 'See the list.'],
    ['concede', side],
    ['settle', workerBps],
  ];
  switch (nameOf(disputePhases, dispute.phase)) {
    case 'ANSWERING': {
      const answer: TaskStep = [
        'answer',
        random.pick(['bond', 'bond', 'noBond', 'visitor']),
        'It is complete.',
      ];
      return random.pick<TaskStep>([answer, answer, answer, propose, ['timeOutDispute'], ...always]);
    }
    case 'PROPOSING':
      return random.pick<TaskStep>([propose, propose, propose, ['escalate'], ...always]);
    case 'ASSIGNED': {
      const ruling: TaskStep = ['rule', nameAt(dispute.judge), workerBps, 'As the criteria say.'];
      return random.pick<TaskStep>([ruling, ruling, ['escalate'], ...always]);
    }
    default:
      return random.pick<TaskStep>([
        ['rule', 'fallback', workerBps, 'As the criteria say.'],
        ['timeOutDispute'],
        ...always,
      ]);
  }
}

function chooseAccountStep({ deployment, random }: Game, market: Market): DevTransaction {
  const amount = 10_000 + random.below(5_000);
  const [account, step] = random.pick<readonly [AccountName, AccountStep]>([
    [random.pick([...posters, ...workers]), ['deposit', 1 + random.below(30)]],
    [random.pick([...posters, ...workers]), ['withdraw', 1 + random.below(30)]],
    [random.pick([...posters, 'coder', 'umpire']), ['stake', amount]],
    [random.pick([...posters, 'coder', 'umpire']), ['unstake', amount]],
    [random.pick([...posters, 'coder', 'umpire']), ['claimReward']],
    ['umpire', ['bond', amount, random.below(3_000)]],
    ['assessor', ['bond', random.below(500), 0]],
    [random.pick(posters), ['buyPlan', 'basic', 'usdc']],
  ]);
  return buildAccountStep(deployment, market, account, step);
}

function inventStory(random: Random, market: Market, poster: AccountName): TaskStory {
  const one = () => 100 + random.below(3_000);
  const pays = random.pick<TaskStory['pays']>([[one()], [one()], [one(), one()], [one(), one(), one()]]);
  const scope = random.pick(['open', 'private'] as const);
  const [anyStory] = taskStories as [TaskStory];
  return { ...anyStory, market, poster, pays, due: '9d', review: '2d', scope, steps: [] };
}

function nameAt(address: Address): AccountName {
  const found = accounts.find((account) => isSameAddress(account.address, address));
  return found?.name ?? accountOf('operator').name;
}
