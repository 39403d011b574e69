// Moves on tasks: posts, and the next actions that a task allows.

import { parseTok } from '#sdk/domain/amount.ts';
import { isErrorOf } from '#sdk/domain/errors.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { Random } from '../../test/support/replay/random.ts';
import type { TaskFacts } from '../journal.ts';
import type { Acted, Person } from '../people.ts';
import { listReplicas } from '../setup.ts';
import { done, nothing, type Outcome, type PersonalAct, refused, unanswered, type World } from '../world.ts';

export type Record = TaskFacts & {
  readonly id: string;
  readonly nextActions: readonly {
    readonly action: string;
    readonly by: string;
    readonly from: number | null;
    readonly until: number | null;
  }[];
  readonly dispute: { readonly judge: string | null } | null;
};

export const post: PersonalAct = async ({ setup: { sites }, ask }, person, random) => {
  const market = random.pick(markets);
  const total = 100 + random.below(900);
  const acted = await person.act('post-task', {
    market,
    title: `Task ${random.below(1_000_000)}`,
    description: 'As the criteria say.',
    criteria: 'It is done.',
    totalAmountTok: String(total),
    milestones: random.below(3) === 0 ? ['60', String(total - 60)] : [],
    deadline: `+${1 + random.below(9)}d`,
    reviewPeriod: '2d',
    fundNowTok: random.below(3) === 0 ? '0' : String(total),
  });
  if (acted.outcome === 'refused') return refused(acted.reason);
  const [txHash] = acted.hashes.slice(-1);
  const told = {
    address: person.address,
    market,
    taskId: acted.taskId,
    txHash,
    taskAmountTok: String(parseTok(String(total))),
  };
  const { status } = await ask(random.pick(sites), '/api/posting/record', told);
  return status === 200 ? done(acted.taskId ?? '') : unanswered(status);
};

export const trade: PersonalAct = async (world, person, random) => {
  const market = random.pick(markets);
  const server = random.pick(listReplicas(world.setup));
  const lists = await Promise.all(
    ['poster', 'worker'].map((role) =>
      world.ask(server, `/api/${role}/tasks?address=${person.address}&market=${market}&limit=20`),
    ),
  );
  const { timestamp } = await world.setup.client.getBlock();
  const now = Number(timestamp);
  const choices = lists.flatMap(({ body }, at) =>
    ((body.tasks ?? []) as Record[]).flatMap((task) =>
      task.nextActions
        .filter(
          ({ by, from, until }) =>
            by === ['poster', 'worker'][at] && (from ?? 0) <= now && now <= (until ?? now),
        )
        .map(({ action }) => ({ task, action })),
    ),
  );
  // Leaves out mutual settlement, which needs both parties, and makes giving up less likely.
  const wanted = choices.filter(
    ({ action }) => action !== 'mutual-settle' && (isOnward(action) || random.below(8) === 0),
  );
  if (wanted.length === 0) return judge(world, market, random);
  const { task, action } = random.pick(wanted);
  const args = { taskId: task.id, ...argumentsOf(action, task, now, world, random) };
  try {
    return toOutcome(action, await person.act(action, args));
  } catch (error) {
    if (!isErrorOf(error, 'ARGUMENTS_INVALID')) throw error;
    const { number } = parseTaskId(task.id);
    const onChain = await world.people.readTask(market, number);
    if (onChain === null) throw error;
    return { ...refused(error.message), task: { listed: factsOf(task), onChain: factsOf(onChain) } };
  }
};

const factsOf = ({ state, round, deadline, updatedAt }: TaskFacts): TaskFacts => {
  return { state, round, deadline, updatedAt };
};

const isOnward = (action: string) =>
  !/^(cancel|leave|dismiss|give-dismiss|extend|open-dispute|concede|complete)/.test(action);

/** There is no list by arbitrator: looks through the newest tasks. */
async function judge({ setup, people, ask }: World, market: Market, random: Random): Promise<Outcome> {
  const { body } = await ask(random.pick(setup.sites), `/api/market/recent?market=${market}&limit=100`);
  for (const { id, dispute } of (body.tasks ?? []) as Record[]) {
    const judge = people.arbitrators.find(({ address }) => address === dispute?.judge);
    if (judge === undefined) continue;
    const workerBps = String(random.pick([0, 3_333, 5_000, 10_000]));
    return toOutcome(
      'resolve-dispute',
      await judge.act('resolve-dispute', { taskId: id, workerBps, reasonText: 'Seen.' }),
    );
  }
  return nothing;
}

function argumentsOf(action: string, task: Record, now: number, { people }: World, random: Random): object {
  if (action === 'submit-proof') return { proofHash: hashCriteria(`proof ${random.below(1e9)}`) };
  if (action === 'open-dispute') return { evidenceText: 'Two of the ten files are empty.' };
  if (action === 'answer-dispute')
    return { evidenceText: 'All ten open here.', withoutBond: random.below(4) === 0 };
  if (action === 'submit-evidence') return { evidenceText: `Note ${random.below(1e9)}` };
  // Short of the longest time that a task may have, however often it is extended.
  if (action === 'extend-deadline') return { deadline: String(Math.max(task.deadline, now) + 10 * 86_400) };
  if (action === 'propose-arbitrator') return { arbitrator: (people.arbitrators[0] as Person).address };
  return {};
}

export function toOutcome(action: string, acted: Acted): Outcome {
  return acted.outcome === 'done' ? done(action) : refused(`${action}: ${acted.reason}`);
}
