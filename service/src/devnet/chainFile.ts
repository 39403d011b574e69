// The file of a kept chain: its blocks with their transactions, and the calls that changed its state outside of blocks.
//
// SQLite with a write-ahead log: a process that is killed loses at most the block it was writing, and only one process
// can use a file. Everything up to the first `finish` is one transaction, so an interrupted first start keeps nothing.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';

/** A raw transaction, or the fields of one that was sent for an impersonated account. */
export type KeptTransaction = Hex | ({ readonly from: Hex } & Readonly<Record<string, unknown>>);

export type KeptBlock = {
  readonly number: number;
  readonly timestamp: number;
  readonly hash: Hex;
  readonly transactions: readonly KeptTransaction[];
};

/** A call such as hardhat_setBalance. It takes effect in the block after `block`. */
export type KeptCall = { readonly block: number; readonly method: string; readonly params: unknown };

export type ChainStart = {
  readonly isSeeded: boolean;
  readonly genesisTime: number;
  /** Makes the genesis hash of each chain unique. */
  readonly beaconRoot: Hex;
};

export type KeptChain = ChainStart & {
  /** The content of the deployment file. */
  readonly deployment: string;
  /** By how many seconds the chain's clock was ahead of the machine's. */
  readonly aheadSeconds: number;
  readonly blockCount: number;
  readonly blocks: () => Iterable<KeptBlock>;
  readonly calls: () => readonly KeptCall[];
};

export type ChainFile = {
  readonly path: string;
  /** Null where the file is new. */
  readonly load: () => KeptChain | null;
  /** Opens the transaction that `finish` commits. */
  readonly begin: (start: ChainStart) => void;
  readonly finish: (deployment: string) => void;
  readonly addBlock: (block: KeptBlock) => void;
  readonly addCall: (call: KeptCall) => void;
  readonly saveAhead: (seconds: number) => void;
  /** The place to which `cutTo` can go back. */
  readonly mark: (block: number) => Mark;
  readonly cutTo: (mark: Mark) => void;
  readonly close: () => void;
};

export type Mark = { readonly block: number; readonly call: number };

const tables = `
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS blocks (
    number INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL, hash TEXT NOT NULL, transactions TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, block INTEGER NOT NULL, method TEXT NOT NULL, params TEXT NOT NULL
  ) STRICT;`;

/** Throws CHAIN_FILE_BUSY where another process uses the file, CHAIN_FILE_DAMAGED where it is no such file any more. */
export function openChainFile(path: string, { isFresh }: { readonly isFresh: boolean }): ChainFile {
  // Its transactions include those of visitors' wallets, and their texts.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (isFresh) removeChain(path);
  const database = explainFailure(path, () => open(path));
  const attempt = <Result>(work: () => Result) => explainFailure(path, work);
  const setFact = database.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)');
  const insertBlock = database.prepare('INSERT INTO blocks VALUES (?, ?, ?, ?)');
  const insertCall = database.prepare('INSERT INTO calls (block, method, params) VALUES (?, ?, ?)');
  return {
    path,
    load: () => attempt(() => load(database)),
    begin: (start) => {
      database.exec('BEGIN');
      setFact.run('start', JSON.stringify(start));
    },
    finish: (deployment) => {
      setFact.run('deployment', deployment);
      database.exec('COMMIT');
    },
    addBlock: ({ number, timestamp, hash, transactions }) =>
      void insertBlock.run(number, timestamp, hash, JSON.stringify(transactions)),
    addCall: ({ block, method, params }) => void insertCall.run(block, method, JSON.stringify(params)),
    saveAhead: (seconds) => void setFact.run('ahead', String(seconds)),
    mark: (block) => ({ block, call: Number(database.prepare('SELECT max(id) AS id FROM calls').get()?.id) }),
    cutTo: ({ block, call }) => {
      database.prepare('DELETE FROM blocks WHERE number > ?').run(block);
      database.prepare('DELETE FROM calls WHERE id > ?').run(call);
    },
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // EXCLUSIVE keeps the lock from the first write until the process ends, however it ends.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec(`BEGIN IMMEDIATE; ${tables} COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens it first, because another process may be using it. */
function removeChain(path: string): void {
  try {
    explainFailure(path, () => open(path)).close();
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'CHAIN_FILE_DAMAGED') throw error;
  }
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

function load(database: DatabaseSync): KeptChain | null {
  const [check] = database.prepare('PRAGMA quick_check(1)').all();
  if (check?.quick_check !== 'ok') throw new Error(String(check?.quick_check));
  const facts = new Map(
    database
      .prepare('SELECT name, value FROM facts')
      .all()
      .map(({ name, value }) => [String(name), String(value)]),
  );
  const start = facts.get('start');
  if (start === undefined) return null;
  const blockCount = Number(database.prepare('SELECT count(*) AS count FROM blocks').get()?.count);
  return {
    ...(JSON.parse(start) as ChainStart),
    deployment: facts.get('deployment') ?? '',
    aheadSeconds: Number(facts.get('ahead') ?? 0),
    blockCount,
    blocks: () => readBlocks(database),
    calls: () =>
      database
        .prepare('SELECT block, method, params FROM calls ORDER BY id')
        .all()
        .map(({ block, method, params }) => ({
          block: Number(block),
          method: String(method),
          params: JSON.parse(String(params)),
        })),
  };
}

function* readBlocks(database: DatabaseSync): Iterable<KeptBlock> {
  const rows = database.prepare('SELECT number, timestamp, hash, transactions FROM blocks ORDER BY number');
  for (const { number, timestamp, hash, transactions } of rows.iterate())
    yield {
      number: Number(number),
      timestamp: Number(timestamp),
      hash: hash as Hex,
      transactions: JSON.parse(String(transactions)),
    };
}

const busyCode = 5;

function explainFailure<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
    if (errcode === busyCode) throw new SvcError('CHAIN_FILE_BUSY', { file: path }, error);
    throw new SvcError('CHAIN_FILE_DAMAGED', { file: path, reason: message }, error);
  }
}
