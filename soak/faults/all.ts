// The list of all faults: what each does, and how it ends.
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault as RpcFault } from '../../test/support/faultyProxy.ts';
import type { Fault, Inflicted } from '../world.ts';
import { badInput, slowClients, slowUploads } from './clients.ts';
import * as database from './database.ts';
import { floodOfReceipts, floodOfRecords, floodOfRequests, floodOfStreams } from './floods.ts';
import {
  clock,
  disk,
  failingRpc,
  freeze,
  frozenChain,
  kill,
  killAll,
  reorg,
  skew,
  twoBranches,
  upgrade,
} from './outages.ts';

export type FaultEntry = {
  readonly does: string;
  readonly ends: string;
  readonly inflict: Fault;
  /** How long it lasts, where that is not the usual time; such faults are left out of short runs. */
  readonly lasts?: { readonly from: number; readonly over: number };
  /** What is read meanwhile may be wrong until it is compared again, a minute later. */
  readonly forges?: true;
  /** It ends processes whose memory is watched, so it comes before they are. */
  readonly hitsWatched?: true;
};

/** Longer than every lease (10 s) and every hold of a payment (20 s). */
const longerThanLeases = { from: 22_000, over: 4_000 };
const someSeconds = { from: 8_000, over: 4_000 };
const forged = { forges: true, lasts: someSeconds } as const;

function rpc(fault: RpcFault, does: string): FaultEntry {
  return { does, ends: 'answers are right again', inflict: failingRpc(fault) };
}

const single = {
  'rpc: down': rpc('down', 'connections are cut'),
  'rpc: slow': rpc('slow', 'answers come late'),
  'rpc: silent': rpc('silent', 'no answer comes'),
  'rpc: wrong chain id': rpc('wrong chain id', 'another chain answers'),
  'rpc: everything reverts': rpc('everything reverts', 'every call is refused as reverted'),
  'rpc: null results': rpc('null results', 'every result is null'),
  'rpc: truncated logs': rpc('truncated logs', 'half of the logs are missing'),
  'rpc: no logs': rpc('no logs', 'all logs are missing'),
  'rpc: duplicated logs': rpc('duplicated logs', 'each log comes twice'),
  'rpc: shuffled logs': rpc('shuffled logs', 'logs come in another order'),
  'rpc: altered logs': { ...rpc('altered logs', 'one digit of each log is wrong'), ...forged },
  'rpc: forged state': { ...rpc('forged state', 'one digit of each state is wrong'), ...forged },
  'rpc: wrong block times': { ...rpc('wrong block times', 'blocks are dated five minutes ahead'), ...forged },
  'rpc: too many requests': rpc('too many requests', 'everything is refused for its number'),
  'rpc: limits': rpc(
    '25 calls a second, 500 blocks, batches of 10',
    'calls, ranges and batches are limited as by a free provider',
  ),
  'rpc: server errors': rpc('server errors', 'the provider fails'),
  'rpc: garbage': rpc('garbage', 'answers are no JSON'),
  'rpc: batches refused': rpc('batches refused', 'only single calls are answered'),
  'rpc: partial batches': rpc('partial batches', 'half of a batch is not answered'),
  'rpc: oversized': rpc('oversized answers', 'answers have 300 MB'),
  'rpc: dripping': rpc('dripping answers', 'answers come a byte at a time and never end'),
  'rpc: lagging': rpc('lagging', 'the node is four blocks behind'),
  'rpc: different heights': rpc(
    'every second answer four blocks behind',
    'one of two nodes behind the address is four blocks behind',
  ),
  'rpc: flapping': rpc('flapping', 'two of three requests fail'),
  'rpc: two branches': {
    does: 'the second endpoint has other blocks, and both are asked',
    ends: 'both have the same chain',
    inflict: twoBranches,
  },
  reorg: { does: 'the last blocks are replaced', ends: 'a longer branch', inflict: reorg(true) },
  'shorter reorg': {
    does: 'the last blocks are replaced',
    ends: 'a branch that is shorter at first',
    inflict: reorg(false),
  },
  'chain frozen': { does: 'the node stops', ends: 'it goes on', inflict: frozenChain },
  clock: { does: "the chain's time jumps ahead", ends: 'at once', inflict: clock },
  'host clock': { does: 'the clock of one server is wrong', ends: 'it is right again', inflict: skew },
  'database stopped': { does: 'PostgreSQL ends', ends: 'it starts', inflict: database.stopped },
  'database killed': { does: 'PostgreSQL crashes', ends: 'it starts', inflict: database.killed },
  'database frozen': {
    does: 'every process of PostgreSQL stops; user writes must fail in time',
    ends: 'they go on',
    inflict: database.frozen,
    lasts: { from: 13_000, over: 2_000 },
  },
  'database read-only': {
    does: 'PostgreSQL refuses writes, as a standby does',
    ends: 'it takes writes',
    inflict: database.readOnly,
  },
  'database full': {
    does: 'writes fail as on a full disk',
    ends: 'there is room again',
    inflict: database.full,
  },
  'database out of connections': {
    does: 'others take every connection',
    ends: 'they let go',
    inflict: database.outOfConnections,
  },
  'database locked': {
    does: 'all tables are locked',
    ends: 'the lock is released',
    inflict: database.locked,
  },
  'database locked for long': {
    does: 'all tables are locked for longer than a statement waits',
    ends: 'the lock is released',
    inflict: database.locked,
    lasts: someSeconds,
  },
  'database restored': {
    does: 'a copy is taken under load',
    ends: 'the database is replaced by the copy and its log',
    inflict: database.restored,
    lasts: someSeconds,
  },
  disk: { does: 'the small disk is full', ends: 'it has room again', inflict: disk },
  kill: { does: 'one process is killed', ends: 'it starts', inflict: kill },
  'kill all': {
    does: 'all processes are killed at once',
    ends: 'they start at once',
    inflict: killAll,
    hitsWatched: true,
  },
  freeze: { does: 'one process stops', ends: 'it goes on', inflict: freeze },
  'freeze for long': {
    does: 'one process stops for longer than its leases and holds',
    ends: 'it goes on, and others have taken over',
    inflict: freeze,
    lasts: longerThanLeases,
  },
  upgrade: {
    does: 'nothing at first',
    ends: 'one process after the other starts as the other build',
    inflict: upgrade,
    lasts: { from: 0, over: 1 },
    hitsWatched: true,
  },
  'slow clients': { does: 'clients write and read slowly', ends: 'they leave', inflict: slowClients },
  'bad input': { does: 'hostile requests come', ends: 'they end', inflict: badInput },
  'flood of records': {
    does: 'one client records posts that do not exist',
    ends: 'it stops, within the budget',
    inflict: floodOfRecords,
    lasts: someSeconds,
  },
  'flood of requests': {
    does: 'one client creates large wallet requests, with transactions that do not exist',
    ends: 'it stops, within the budget',
    inflict: floodOfRequests,
    lasts: someSeconds,
  },
  'flood of receipts': {
    does: 'one client asks for receipts, each of which asks the chain',
    ends: 'it stops, within the budget, and others got theirs',
    inflict: floodOfReceipts,
    lasts: someSeconds,
  },
  'slow uploads': {
    does: 'wallets hold all places for uploads with slow sockets',
    ends: 'they leave, and others have uploaded',
    inflict: slowUploads,
    lasts: someSeconds,
  },
  'flood of streams': {
    does: 'thousands of event streams are open, half of them resumed from far behind',
    ends: 'they are closed',
    inflict: floodOfStreams,
    lasts: someSeconds,
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;

type Single = keyof typeof single;

/** Of the database, and of something else. */
const pairs: readonly (readonly Single[])[] = [
  [
    'database stopped',
    'database killed',
    'database frozen',
    'database read-only',
    'database out of connections',
    'database locked',
  ],
  ['rpc: down', 'rpc: silent', 'rpc: flapping', 'rpc: two branches', 'reorg', 'kill', 'freeze', 'bad input'],
];

/** The second one comes while the first one lasts. */
const twoAtOnce: Fault = async (world, options) => {
  const kinds = pairs.map((some) => options.random.pick(some));
  const inflicted: Inflicted[] = [];
  for (const kind of kinds) {
    await pause(options.ms / 4);
    inflicted.push(await single[kind].inflict(world, options));
  }
  const named = inflicted.map(({ servers }) => servers);
  return {
    detail: inflicted.map(({ detail }) => detail).join(' and '),
    servers: named.includes(null) ? null : named.flatMap((servers) => servers ?? []),
    isExcuse: true,
    // A killed process starts when it has its database.
    repair: async () => {
      for (const { repair } of inflicted) await repair();
    },
  };
};

export type FaultKind = Single | 'two at once';

export const faults: Readonly<Record<FaultKind, FaultEntry>> = {
  ...single,
  'two at once': {
    does: 'PostgreSQL fails, and something else as well',
    ends: 'both are repaired',
    inflict: twoAtOnce,
    lasts: { from: 3_000, over: 4_000 },
  },
};

export const faultKinds = Object.keys(faults) as readonly FaultKind[];
