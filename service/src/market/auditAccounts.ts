// Compares the sums of wallets and the boards with the chain: what each wallet's ledger adds up to, and who stands where.
import { contractsOf, type Deployment, type Rpc } from '@svc/sdk/chain';
import { type Address, formatTaskId, isSameAddress, type Market, type Task } from '@svc/sdk/domain';
import { readAgents, readArbitrators, readDeposits } from '@svc/sdk/internal/chain/readAgents';
import { readFigures } from '@svc/sdk/internal/chain/readMarket';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { type ChainEvent, type ContractName, inChainOrder } from '@svc/sdk/internal/domain/event';
import { readFacts } from '@svc/sdk/internal/domain/task';
import type { EndedDispute } from '../store/agents.ts';
import type { BlockRef } from '../store/chainRow.ts';
import type { LedgerSum } from '../store/ledgerRows.ts';
import {
  type ApiPage,
  type ApiRecord,
  type Board,
  type Check,
  compareLists,
  type Pauses,
  settle,
  toJson,
} from './auditCheck.ts';
import { buildReputationBoard, buildTreasury, buildVerifierBoard } from './boards.ts';
import { buildLedger } from './ledger.ts';
import { buildTreasuryHistory } from './treasuryHistory.ts';

/** All events of both markets up to a block, each list in the order of the chain. */
export type AuditLogs = {
  readonly ofTask: (id: string) => readonly ChainEvent[];
  readonly named: (market: Market, contract: ContractName, name: string) => readonly ChainEvent[];
  /** Every wallet that stands in an event of a task, by its key. */
  readonly listWallets: (market: Market) => readonly string[];
  /** The tasks in whose events the wallet stands: all of its own, and others. */
  readonly listTasks: (market: Market, wallet: string) => readonly bigint[];
};

export type AccountNeeds = Pauses & {
  /** One record, without its entries. */
  readonly loadLedger: (market: Market, wallet: string) => Promise<ApiPage>;
  /** The first hundred entries, or that of one wallet; `isAgain` reads them again. Null where it is not served. */
  readonly loadBoard: (
    market: Market,
    board: Board,
    part: { readonly address?: string; readonly isAgain: boolean },
  ) => Promise<{ readonly body: object; readonly block: bigint } | null>;
  readonly readBlock: (number: bigint) => Promise<BlockRef>;
  readonly readLogs: (block: BlockRef) => Promise<AuditLogs>;
  readonly readNumbered: (market: Market, numbers: readonly bigint[], block: BlockRef) => Promise<Task[]>;
  readonly rpc: Rpc;
  readonly deployment: Deployment;
};

/** Where its entries are; the rest is about all of them. */
const listsOf = {
  'leaderboard/reputation': 'agents',
  'leaderboard/verifiers': 'verifiers',
  treasury: 'agents',
  'treasury/history': 'points',
} as const satisfies Record<Board, string>;
const boards = Object.keys(listsOf) as Board[];

/** How many entries a board shows at once. */
export const boardLimit = 100;

export type AccountAudit = { readonly ledgers: number; readonly boards: number };

/** Calls back with each comparison. */
export async function auditAccounts(
  needs: AccountNeeds,
  market: Market,
  block: BlockRef,
  note: (check: Check) => void,
): Promise<AccountAudit> {
  const wallets = (await needs.readLogs(block)).listWallets(market);
  for (const wallet of wallets) note(await settle(needs, () => checkLedger(needs, market, wallet)));
  const expect = createExpected(needs, market);
  let compared = 0;
  for (const board of boards) {
    const check = async (address?: string) => {
      let isAgain = false;
      return settle(needs, () => {
        const checked = checkBoard(needs, market, board, expect, { isAgain, ...(address && { address }) });
        isAgain = true;
        return checked;
      });
    };
    const first = await check();
    if (!first.isServed) continue;
    compared++;
    note(first);
    for (const address of first.further) note(await check(address));
  }
  return { ledgers: wallets.length, boards: compared };
}

async function checkLedger(needs: AccountNeeds, market: Market, wallet: string): Promise<Check> {
  const page = await needs.loadLedger(market, wallet);
  const block = await needs.readBlock(page.block);
  const logs = await needs.readLogs(block);
  const tasks = await needs.readNumbered(market, logs.listTasks(market, wallet), block);
  const sums = tasks.flatMap((task) => listSums(task, wallet as Address, logs.ofTask(formatTaskId(task))));
  const ledger = await buildLedger(
    { loadLedger: async () => ({ sums, rows: [] }) },
    {
      ...{ market, address: wallet as Address, limit: 1 },
      registryAddress: needs.deployment.markets[market].taskRegistry,
    },
  );
  return {
    ids: [],
    block: page.block,
    differences: compareLists(page, [dropEntries(wallet, ledger)], 'ledger'),
  };
}

/** The sums of a ledger alone: its entries are tasks, which are compared by themselves. */
export function dropEntries(wallet: string, ledger: object): ApiRecord {
  const { entries: _, count: _count, nextCursor: _next, account: _account, ...sums } = toJson(ledger);
  return { ...sums, id: wallet };
}

const nothing = { funded: 0n, released: 0n, refunded: 0n, fees: 0n };

/** What one task adds to the ledger of a wallet. */
function listSums(task: Task, wallet: Address, events: readonly ChainEvent[]): LedgerSum[] {
  const { state, funded, released, refunded, fees, round } = task;
  const whole = { state, count: 1, funded, released, refunded, fees };
  if (isSameAddress(task.poster, wallet)) return [{ role: 'poster', ...whole }];
  const isWorker = task.worker !== null && isSameAddress(task.worker, wallet);
  if (isWorker && round === 0) return [{ role: 'worker', ...whole }];
  const payments = events.filter(
    ({ name, args }) => name === 'Released' && isSameAddress(args.to as Address, wallet),
  );
  const paid = {
    ...{ state, count: 1, ...nothing },
    released: payments.reduce((sum, { args }) => sum + BigInt(String(args.amount)), 0n),
  };
  if (isWorker)
    return [
      { role: 'again', ...whole },
      { role: 'paid', ...paid },
    ];
  return round > 0 && payments.length > 0 ? [{ role: 'earlier', ...paid }] : [];
}

type BoardCheck = Check & {
  readonly isServed: boolean;
  /** Wallets whose entries come after those that were shown. */
  readonly further: readonly string[];
};

type Expect = ReturnType<typeof createExpected>;

async function checkBoard(
  needs: AccountNeeds,
  market: Market,
  board: Board,
  expect: Expect,
  part: { readonly address?: string; readonly isAgain: boolean },
): Promise<BoardCheck> {
  const page = await needs.loadBoard(market, board, part);
  if (page === null) return { ids: [], block: 0n, differences: [], isServed: false, further: [] };
  const [all, ...entries] = await expect(board, await needs.readBlock(page.block));
  const isShown = ({ id }: ApiRecord, at: number) =>
    part.address === undefined ? at < boardLimit || board === 'treasury/history' : id === part.address;
  const shown = entries.filter(isShown);
  return {
    ids: [],
    block: page.block,
    differences: compareLists(
      { ...page, records: listRecords(board, page.body) },
      [all as ApiRecord, ...shown],
      board,
    ),
    isServed: true,
    further: part.address === undefined ? entries.slice(shown.length).map(({ id }) => id) : [],
  };
}

/** What is about all entries first. */
function listRecords(board: Board, body: object): ApiRecord[] {
  const { [listsOf[board]]: list, count: _, ...all } = toJson(body);
  const entries = list as readonly { readonly address?: string; readonly time?: number }[];
  return [
    { ...all, id: `all of ${board}` },
    ...entries.map((entry) => ({ ...entry, id: entry.address ?? String(entry.time) })),
  ];
}

/** Boards as they should be. Entries of very many wallets are asked for one after the other, and are of one block mostly. */
function createExpected(needs: AccountNeeds, market: Market) {
  let kept: { readonly key: string; readonly records: ApiRecord[] } | null = null;
  return async (board: Board, block: BlockRef): Promise<ApiRecord[]> => {
    const key = `${board} ${block.hash}`;
    if (kept?.key !== key) {
      const built = await buildBoard(needs, market, board, block);
      kept = { key, records: listRecords(board, built) };
    }
    return kept.records;
  };
}

async function buildBoard(needs: AccountNeeds, market: Market, board: Board, block: BlockRef) {
  const { rpc, deployment } = needs;
  const contracts = contractsOf(deployment, market);
  const logs = await needs.readLogs(block);
  const figures = () => readFigures(rpc, contracts);
  if (board === 'leaderboard/reputation') {
    const agents = await readAgents(rpc, contracts, block.hash);
    return buildReputationBoard(
      market,
      agents,
      addEarned(logs, market),
      await listEnded(needs, market, block),
    );
  }
  if (board === 'leaderboard/verifiers') {
    const { arbitratorMinBondTokWei } = await figures();
    return buildVerifierBoard(
      market,
      await readArbitrators(rpc, contracts, block.hash),
      arbitratorMinBondTokWei,
    );
  }
  const changes = listDeposits(logs, market);
  if (board === 'treasury/history') {
    let held = 0n;
    const days = changes.map(({ time, amount }) => {
      held += amount;
      return { time, held };
    });
    const bonds = ['ArbitratorRegistered', 'ArbitratorSlashed', 'ArbitratorWithdrawn'];
    const bondEvents = bonds.flatMap((name) => logs.named(market, 'disputeCourt', name)).sort(inChainOrder);
    return buildTreasuryHistory(market, days, bondEvents);
  }
  const wallets = [...new Set(changes.map(({ wallet }) => wallet))];
  return buildTreasury(market, await readDeposits(rpc, contracts, wallets, block.hash), await figures());
}

function addEarned(logs: AuditLogs, market: Market): Map<Address, bigint> {
  const earned = new Map<Address, bigint>();
  for (const { args } of logs.named(market, 'escrowVault', 'Released')) {
    const wallet = addressKey(args.to as Address);
    earned.set(wallet, (earned.get(wallet) ?? 0n) + BigInt(String(args.amount)));
  }
  return earned;
}

async function listEnded(needs: AccountNeeds, market: Market, block: BlockRef): Promise<EndedDispute[]> {
  const logs = await needs.readLogs(block);
  const endings = [
    ...['DisputeResolved', 'DisputeTimedOut', 'MutuallySettled'].flatMap((name) =>
      logs.named(market, 'disputeCourt', name),
    ),
    ...logs.named(market, 'taskRegistry', 'DisputeSettled'),
  ];
  const numbers = [...new Set(endings.flatMap(({ taskNumber }) => taskNumber ?? []))];
  const tasks = await needs.readNumbered(market, numbers, block);
  return tasks.flatMap((task) => {
    const { outcome } = readFacts(logs.ofTask(formatTaskId(task))).dispute;
    if (task.state !== 'RESOLVED' || outcome === null) return [];
    return { poster: addressKey(task.poster), worker: addressKey(task.worker as Address), outcome };
  });
}

/** Every change of a deposit, in the order of the chain. */
function listDeposits(logs: AuditLogs, market: Market) {
  const named = (name: string) => logs.named(market, 'depositVault', name);
  const events = [...named('Deposited'), ...named('Withdrawn'), ...named('BondSlashed')].sort(inChainOrder);
  return events.flatMap(({ name, args, blockTime: time }) => {
    const amount = BigInt(String(args.amount));
    const change = (wallet: unknown, sign: bigint) => ({
      wallet: addressKey(wallet as Address),
      amount: sign * amount,
      time,
    });
    if (name === 'Deposited') return [change(args.agent, 1n)];
    if (name === 'Withdrawn') return [change(args.agent, -1n)];
    return [change(args.from, -1n), change(args.to, 1n)];
  });
}
