// The tool that lists arbitrators: all of a market, or those who may be named to judge one task, and why the others may not.
import { parseTaskRecord, type TaskDetail } from '@svc/sdk/actions';
import {
  type Address,
  findArbitratorObstacle,
  formatTok,
  isSameAddress,
  parseTaskId,
  protocolConstants,
} from '@svc/sdk/domain';
import { isOpenAt } from '@svc/sdk/internal/actions/nextActions';
import { type ArbitratorRecord, readArbitrators } from '@svc/sdk/internal/chain/readAgents';
import { readFigures } from '@svc/sdk/internal/chain/readMarket';
import { findBondObstacle } from '@svc/sdk/internal/domain/arbitration';
import { verifierBoardSchema } from '@svc/sdk/internal/schemas/boards';
import { marketSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';
import { defineTool, limitArgument, marketArgument, type Tool, taskIdArgument } from './tool.ts';

const arbitratorShare = `${protocolConstants.disputeBps / 100} %`;
const count = z.int().nonnegative();

const shownSchema = verifierBoardSchema.shape.verifiers.element
  .pick({ address: true, eligible: true, resolved: true, pairs: true, missed: true, openCases: true })
  .extend({
    bondTok: z.string().describe('Loses a part of it for each missed case.'),
    minHeldTok: z.string().describe('The smallest disputed amount that it accepts.'),
    judgedTok: z.string().describe('The milestones of those cases together.'),
    namedBy: z.enum(['poster', 'worker']).optional().describe('Who has named it in this dispute.'),
  });

type ShownArbitrator = z.output<typeof shownSchema>;

export const arbitratorsTool: Tool = defineTool({
  name: 'svc_list_arbitrators',
  title: 'Arbitrators to name in a dispute',
  description:
    'Wallets that put up a bond to judge disputes on a market: those who may be named now first, then by the pairs of parties they ruled between. ' +
    'missed counts cases that they let lapse. With taskId only those who may judge that task. A dispute needs one that both ' +
    `parties name (propose-arbitrator). It earns ${arbitratorShare} of the disputed milestone.`,
  input: z.object({
    market: marketArgument,
    taskId: taskIdArgument.optional().describe('who may judge this task'),
    limit: limitArgument,
  }),
  output: z.object({
    market: marketSchema,
    total: count,
    arbitrators: z.array(shownSchema),
    note: z.string().optional().describe('With taskId: who was left out, and why.'),
  }),
  run: async ({ market, taskId, limit }, { market: reads, connectChain, now: readNow }) => {
    const of = taskId === undefined ? market : parseTaskId(taskId).market;
    const { rpc, contracts } = await connectChain();
    const [all, { arbitratorMinBondTokWei: minBond }, named, now] = await Promise.all([
      readArbitrators(rpc, contracts[of]),
      readFigures(rpc, contracts[of]),
      taskId === undefined ? null : reads.task(taskId),
      taskId === undefined ? 0 : readNow(),
    ]);
    const task = named?.task ?? null;
    const closed = task && findClosed(task, now);
    if (closed !== null) return { market: of, total: 0, arbitrators: [], note: closed };
    const disputed = task && parseTaskRecord(task);
    const judged = all.map((one) => ({
      one,
      why: disputed && findArbitratorObstacle(disputed, one, minBond),
    }));
    const able = judged
      .filter(({ why }) => why === null)
      .map(({ one }) => ({ ...showArbitrator(one, minBond), namedBy: findSide(task, one.address) }))
      .toSorted(compareArbitrators);
    const leftOut = judged.flatMap(({ why }) => why ?? []);
    return {
      market: of,
      total: able.length,
      arbitrators: able.slice(0, limit),
      ...(task && { note: describeLeftOut(able.length, leftOut) }),
    };
  },
});

/** Why no arbitrator can be named any more; null where one can, or where the task has no dispute yet. */
function findClosed({ dispute, nextActions }: TaskDetail, now: number): string | null {
  const isOpen = nextActions.some((next) => next.action === 'propose-arbitrator' && isOpenAt(now, next));
  if (dispute === null || isOpen) return null;
  const judge = dispute.judge === null ? '' : ` Its judge is ${dispute.judge}.`;
  return `Nobody can be named now: the dispute is in its phase ${dispute.phase}.${judge}`;
}

function findSide(task: TaskDetail | null, address: Address) {
  return (['poster', 'worker'] as const).find((name) =>
    isSameAddress(task?.dispute?.[name].pick ?? '0x', address),
  );
}

function describeLeftOut(able: number, reasons: readonly string[]): string {
  const all = able + reasons.length;
  if (all === 0)
    return 'This market has no arbitrator yet; after the time for naming one, the fallback arbitrator judges.';
  const counts = [...new Set(reasons)].map(
    (reason) => `${reasons.filter((one) => one === reason).length} ${reason}`,
  );
  const others = counts.length === 0 ? '' : ` Left out: ${counts.join('; ')}.`;
  const hint = able > 0 ? '' : ' After the time for naming one, the fallback arbitrator judges.';
  return `${able} of ${all} may judge it.${others}${hint}`;
}

function showArbitrator(one: ArbitratorRecord, minBond: bigint): ShownArbitrator {
  return shownSchema.parse({
    ...one,
    eligible: findBondObstacle(one, minBond) === null,
    bondTok: formatTok(one.bond),
    minHeldTok: formatTok(one.minHeld),
    judgedTok: formatTok(one.judgedAmount),
  });
}

function compareArbitrators(left: ShownArbitrator, right: ShownArbitrator): number {
  return (
    Number(right.namedBy !== undefined) - Number(left.namedBy !== undefined) ||
    Number(right.eligible) - Number(left.eligible) ||
    right.pairs - left.pairs ||
    right.resolved - left.resolved ||
    left.missed - right.missed
  );
}
