// The list of all faults; what each does stands at its function, and that of an RPC in test/support/faultyProxy.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault as RpcFault } from '../../test/support/faultyProxy.ts';
import type { Fault, Inflicted } from '../world.ts';
import { slowUploads } from './clients.ts';
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

/** What providers do wrong; each is named `rpc: ` and this. Odd lists and batches alone are proven in test/indexer/faults.test.ts. */
const providers = [
  ...['down', 'slow', 'silent', 'wrong chain id', 'everything reverts', 'truncated logs'],
  ...['too many requests', 'server errors', 'garbage', 'lagging', 'flapping'],
] as const satisfies readonly RpcFault[];
const forgeries = [
  'altered logs',
  'forged state',
  'wrong block times',
] as const satisfies readonly RpcFault[];

function nameRpc<Name extends RpcFault>(names: readonly Name[], more: Omit<FaultEntry, 'inflict'> = {}) {
  const entries = names.map((name) => [`rpc: ${name}`, { inflict: failingRpc(name), ...more }]);
  return Object.fromEntries(entries) as Record<`rpc: ${Name}`, FaultEntry>;
}

const single = {
  ...nameRpc(providers),
  ...nameRpc(forgeries, { forges: true, lasts: someSeconds }),
  'rpc: limits': { inflict: failingRpc('25 calls a second, 500 blocks, batches of 10') },
  'rpc: oversized': { inflict: failingRpc('oversized answers') },
  'rpc: dripping': { inflict: failingRpc('dripping answers') },
  'rpc: different heights': { inflict: failingRpc('every second answer four blocks behind') },
  'rpc: two branches': { inflict: twoBranches },
  reorg: { inflict: reorg(true) },
  'shorter reorg': { inflict: reorg(false) },
  'chain frozen': { inflict: frozenChain },
  clock: { inflict: clock },
  'host clock': { inflict: skew },
  'database stopped': { inflict: database.stopped },
  'database killed': { inflict: database.killed },
  'database frozen': { inflict: database.frozen, lasts: { from: 13_000, over: 2_000 } },
  'database read-only': { inflict: database.readOnly },
  'database full': { inflict: database.full },
  'database out of connections': { inflict: database.outOfConnections },
  'database locked': { inflict: database.locked },
  // Longer than a statement waits.
  'database locked for long': { inflict: database.locked, lasts: someSeconds },
  'database restored': { inflict: database.restored, lasts: someSeconds },
  disk: { inflict: disk },
  kill: { inflict: kill },
  'kill all': { inflict: killAll, hitsWatched: true },
  freeze: { inflict: freeze },
  'freeze for long': { inflict: freeze, lasts: longerThanLeases },
  upgrade: { inflict: upgrade, lasts: { from: 0, over: 1 }, hitsWatched: true },
  'flood of records': { inflict: floodOfRecords, lasts: someSeconds },
  'flood of requests': { inflict: floodOfRequests, lasts: someSeconds },
  'flood of receipts': { inflict: floodOfReceipts, lasts: someSeconds },
  'slow uploads': { inflict: slowUploads, lasts: someSeconds },
  'flood of streams': { inflict: floodOfStreams, lasts: someSeconds },
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
  ['rpc: down', 'rpc: silent', 'rpc: flapping', 'rpc: two branches', 'reorg', 'kill', 'freeze'],
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
  // PostgreSQL fails, and something else as well.
  'two at once': { inflict: twoAtOnce, lasts: { from: 3_000, over: 4_000 } },
};

export const faultKinds = Object.keys(faults) as readonly FaultKind[];
