// Compares what the API answers with what the chain says, task by task, on a market that may be in use meanwhile.
import { isDeepStrictEqual } from 'node:util';
import type { Delivery, Task } from '@svc/sdk/domain';
import { formatTaskId, type Market, markets } from '@svc/sdk/domain';
import { buildOpenRecord, buildTaskDetail, buildTaskRecord } from '@svc/sdk/internal/actions/taskRecord';
import type { DisputeFacts } from '@svc/sdk/internal/domain/disputeFacts';
import { noDisputeFacts } from '@svc/sdk/internal/domain/disputeFacts';
import { readFileHash } from '@svc/sdk/internal/domain/document';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { noFacts, type TaskFacts } from '@svc/sdk/internal/domain/task';
import type { BlockRef } from '../store/chainRow.ts';
import { type AccountNeeds, auditAccounts } from './auditAccounts.ts';
import {
  type ApiPage,
  type ApiRecord,
  type Check,
  compareLists,
  type Difference,
  type Pauses,
  settle,
  toJson,
} from './auditCheck.ts';

/** The events of a task, and the block that the API says they show. */
export type ApiTimeline = Pick<ApiPage, 'block'> & { readonly events: readonly ShownEvent[] };

/** What of an event is compared: its arguments are in the facts of the task. */
export type ShownEvent = Pick<ChainEvent, 'name' | 'contract' | 'txHash' | 'logIndex'> & {
  readonly blockNumber: number;
  readonly time: number;
};

export type AuditNeeds = Pauses & {
  readonly loadRecent: (market: Market, cursor: string | null) => Promise<ApiPage>;
  readonly loadOpen: (market: Market, cursor: string | null) => Promise<ApiPage>;
  /** Without records where there is no such task. */
  readonly loadTask: (id: string) => Promise<ApiPage>;
  readonly readBlock: (number: bigint) => Promise<BlockRef & { readonly time: number }>;
  readonly readTaskCount: (market: Market, block: BlockRef) => Promise<bigint>;
  /** All tasks with these numbers, both included. */
  readonly readTasks: (market: Market, from: bigint, to: bigint, block: BlockRef) => Promise<Task[]>;
  /** Facts that only logs contain, as of that block; null if only the state is compared. */
  readonly readFacts: ((block: BlockRef) => Promise<(task: Task) => TaskFacts>) | null;
  /** What the API says happened to a task, and what the logs say, in the order of the chain; null as above. */
  readonly timeline: {
    readonly load: (id: string) => Promise<ApiTimeline>;
    readonly read: (block: BlockRef) => Promise<(id: string) => readonly ChainEvent[]>;
  } | null;
  /** Sums and boards, which follow from logs; null as above. */
  readonly accounts: AccountNeeds | null;
  readonly onProgress?: (market: Market, done: number, total: number) => void;
};

export type AuditResult = {
  readonly tasks: number;
  /** Ledgers of wallets, one for each market, and boards. */
  readonly ledgers: number;
  readonly boards: number;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly differences: readonly Difference[];
};

export async function auditMarkets(needs: AuditNeeds): Promise<AuditResult> {
  const seen = new Set<string>();
  let [fromBlock, toBlock] = [Number.POSITIVE_INFINITY, 0];
  let [ledgers, boards] = [0, 0];
  const differences: Difference[] = [];
  const note = (check: Check) => {
    for (const id of check.ids) seen.add(id);
    if (check.block > 0n) fromBlock = Math.min(fromBlock, Number(check.block));
    toBlock = Math.max(toBlock, Number(check.block));
    differences.push(...check.differences);
  };
  for (const market of markets) {
    for (const where of ['recent', 'open'] as const) {
      for (let cursor: string | null = null, isLast = false; !isLast; ) {
        const at: string | null = cursor;
        const page: ListCheck = await settle(needs, () => checkList(needs, market, where, at));
        note(page);
        for (const id of page.hidden) note(await settle(needs, () => checkTask(needs, market, id)));
        const hidden = page.hidden.map((number) => formatTaskId({ market, number }));
        if (where === 'recent')
          for (const id of [...page.ids, ...hidden])
            note(await settle(needs, () => checkTimeline(needs, id)));
        if (where === 'recent')
          needs.onProgress?.(market, Number(page.total - page.lowest + 1n), Number(page.total));
        cursor = page.nextCursor;
        isLast = cursor === null;
      }
    }
    if (needs.accounts === null) continue;
    const block = await needs.readBlock(BigInt(toBlock));
    const compared = await auditAccounts(needs.accounts, market, block, note);
    ledgers += compared.ledgers;
    boards += compared.boards;
  }
  return { tasks: seen.size, ledgers, boards, fromBlock, toBlock, differences };
}

type ListCheck = Check & {
  readonly nextCursor: string | null;
  /** Private tasks in the same stretch of numbers: no list has them. */
  readonly hidden: readonly bigint[];
  readonly lowest: bigint;
  readonly total: bigint;
};

async function checkList(
  needs: AuditNeeds,
  market: Market,
  where: 'recent' | 'open',
  cursor: string | null,
): Promise<ListCheck> {
  const page = await (where === 'recent' ? needs.loadRecent : needs.loadOpen)(market, cursor);
  const block = await needs.readBlock(page.block);
  const total = await needs.readTaskCount(market, block);
  const highest = cursor === null ? total : BigInt(cursor) - 1n;
  const lowest = page.nextCursor === null ? 1n : BigInt(page.nextCursor);
  const tasks = highest < lowest ? [] : await needs.readTasks(market, lowest, highest, block);
  const now = page.now(block.time);
  const isClaimable = ({ state, deadline }: Task) => state === 'POSTED' && deadline >= now;
  const listed = tasks.filter((task) => task.scope === 'open' && (where === 'recent' || isClaimable(task)));
  const factsOf = await readFactsOf(needs, page, block);
  const expected = listed
    .toSorted((left, right) => Number(right.number - left.number))
    .map((task) => toJson((where === 'open' ? buildOpenRecord : buildTaskRecord)(task, factsOf(task))));
  return {
    ids: page.records.map(({ id }) => id),
    block: page.block,
    differences: compareLists(page, expected, where),
    nextCursor: page.nextCursor,
    hidden:
      where === 'open' ? [] : tasks.filter(({ scope }) => scope === 'private').map(({ number }) => number),
    lowest,
    total,
  };
}

async function checkTask(needs: AuditNeeds, market: Market, number: bigint): Promise<Check> {
  const id = formatTaskId({ market, number });
  const page = await needs.loadTask(id);
  const block = await needs.readBlock(page.block);
  const tasks = await needs.readTasks(market, number, number, block);
  const factsOf = await readFactsOf(needs, page, block);
  const expected = tasks.map((task) => dropStored(toJson(buildTaskDetail(task, factsOf(task)))));
  const answered = { ...page, records: page.records.map(dropStored) };
  return { ids: [id], block: page.block, differences: compareLists(answered, expected, 'task') };
}

async function checkTimeline({ timeline, readBlock }: AuditNeeds, id: string): Promise<Check> {
  if (timeline === null) return { ids: [id], block: 0n, differences: [] };
  const { block, events } = await timeline.load(id);
  const eventsOf = await timeline.read(await readBlock(block));
  const expected = eventsOf(id).map(({ name, contract, txHash, logIndex, blockNumber, blockTime }) => ({
    name,
    contract,
    txHash,
    logIndex,
    blockNumber: Number(blockNumber),
    time: blockTime,
  }));
  const places = Array.from({ length: Math.max(events.length, expected.length) }, (_, at) => at);
  const wrong = places.filter((at) => !isDeepStrictEqual(events[at], expected[at]));
  const differences = wrong.slice(0, 1).map((at) => ({
    id,
    where: 'timeline' as const,
    field: `event ${at + 1}`,
    api: events[at] ?? null,
    chain: expected[at] ?? null,
    block: Number(block),
  }));
  return { ids: [id], block, differences };
}

/** If logs are not read, takes their facts from the API's answer and checks only what follows from them. */
async function readFactsOf(
  needs: AuditNeeds,
  page: ApiPage,
  block: BlockRef,
): Promise<(task: Task) => TaskFacts> {
  if (needs.readFacts !== null) return needs.readFacts(block);
  const byId = new Map(page.records.map((record) => [record.id, record]));
  return (task) => {
    const record = byId.get(formatTaskId(task)) ?? {};
    const {
      uri = null,
      claimedAt = null,
      deliveredAt = null,
      deliveries = [],
      dispute,
    } = record as Partial<Omit<TaskFacts, 'dispute'>> & {
      readonly dispute?: Partial<DisputeFacts> | null;
    };
    return {
      ...noFacts,
      uri,
      claimedAt,
      deliveredAt,
      deliveries,
      dispute: { ...noDisputeFacts, ...pickFacts(dispute) },
    };
  };
}

const factNames = Object.keys(noDisputeFacts) as (keyof DisputeFacts)[];

function pickFacts(dispute: Partial<DisputeFacts> | null | undefined): Partial<DisputeFacts> {
  return Object.fromEntries(
    factNames.flatMap((name) => (dispute?.[name] == null ? [] : [[name, dispute[name]]])),
  );
}

/** Without the documents of a file store, which the chain says nothing about. */
function dropStored(record: ApiRecord): ApiRecord {
  const { deliveries = [], dispute } = record as {
    readonly deliveries?: readonly Delivery[];
    readonly dispute?: Pick<DisputeFacts, 'evidence' | 'ruling'> | null;
  };
  return {
    ...record,
    deliveries: deliveries.map(dropDocument),
    dispute: dispute && {
      ...dispute,
      evidence: dispute.evidence.map(dropDocument),
      ruling: dispute.ruling && dropDocument(dispute.ruling),
    },
  };
}

function dropDocument<Shown extends { readonly uri: string | null }>(shown: Shown): object {
  const isStored = shown.uri !== null && readFileHash(shown.uri) !== null;
  return isStored ? { ...shown, document: null, documentState: null } : shown;
}
