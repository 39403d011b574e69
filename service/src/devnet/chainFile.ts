// The file of a kept chain: how it began, and every call that changed it since.
//
// SQLite with a write-ahead log: a process that is killed loses at most the call it was recording, and only one process
// can use a file. Everything up to the first `finish` is one transaction, so an interrupted first start keeps nothing.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';

/** A call that changed the chain, such as eth_sendTransaction, evm_mine or hardhat_setBalance. */
export type KeptCall = {
  readonly method: string;
  readonly params: unknown;
  /** Of the first block that it mined; null where it mined none. */
  readonly timestamp: number | null;
  /** The newest block after the call. */
  readonly block: number;
  readonly hash: Hex;
};

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
  readonly callCount: number;
  readonly calls: () => Iterable<KeptCall>;
};

export type ChainFile = ReturnType<typeof openChainFile>;

const tables = `
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, method TEXT NOT NULL, params TEXT NOT NULL,
    timestamp INTEGER, block INTEGER NOT NULL, hash TEXT NOT NULL
  ) STRICT;`;

/** Throws CHAIN_FILE_BUSY where another process uses the file, CHAIN_FILE_DAMAGED where it cannot be read. */
export function openChainFile(path: string, { isFresh }: { readonly isFresh: boolean }) {
  // Its transactions include those of visitors' wallets, and their texts.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (isFresh) removeChain(path);
  const database = open(path);
  const insert = 'INSERT INTO calls (method, params, timestamp, block, hash) VALUES (?, ?, ?, ?, ?)';
  const saveFact = (name: string, value: string) =>
    void database.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value);
  return {
    path,
    /** Null where the file is new. */
    load: () => explainFailure(path, () => load(database)),
    /** Opens the transaction that `finish` commits. */
    begin: (start: ChainStart) => {
      database.exec('BEGIN');
      saveFact('start', JSON.stringify(start));
    },
    finish: (deployment: string) => {
      saveFact('deployment', deployment);
      database.exec('COMMIT');
    },
    add: ({ method, params, timestamp, block, hash }: KeptCall) =>
      void database.prepare(insert).run(method, JSON.stringify(params), timestamp, block, hash),
    saveAhead: (seconds: number) => saveFact('ahead', String(seconds)),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function open(path: string): DatabaseSync {
  return explainFailure(path, () => {
    const database = new DatabaseSync(path);
    try {
      // EXCLUSIVE keeps the lock from the first write until the process ends, however it ends.
      database.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
      );
      database.exec(`BEGIN IMMEDIATE; ${tables} COMMIT`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Opens it first, because another process may be using it. */
function removeChain(path: string): void {
  try {
    open(path).close();
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'CHAIN_FILE_DAMAGED') throw error;
  }
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

function load(database: DatabaseSync): KeptChain | null {
  const [check] = database.prepare('PRAGMA quick_check(1)').all();
  if (check?.quick_check !== 'ok') throw new Error(String(check?.quick_check));
  const rows = database.prepare('SELECT name, value FROM facts').all();
  const facts = new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  const start = facts.get('start');
  if (start === undefined) return null;
  const query = database.prepare('SELECT method, params, timestamp, block, hash FROM calls ORDER BY id');
  return {
    ...(JSON.parse(start) as ChainStart),
    deployment: facts.get('deployment') ?? '',
    aheadSeconds: Number(facts.get('ahead') ?? 0),
    callCount: Number(database.prepare('SELECT count(*) AS count FROM calls').get()?.count),
    *calls() {
      for (const row of query.iterate() as Iterable<unknown>) {
        const { params, ...call } = row as KeptCall & { readonly params: string };
        yield { ...call, params: JSON.parse(params) };
      }
    },
  };
}

const busyCode = 5;

function explainFailure<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
    if (errcode === busyCode) throw new OperatorError('CHAIN_FILE_BUSY', { file: path }, error);
    throw new OperatorError('CHAIN_FILE_DAMAGED', { file: path, reason: message }, error);
  }
}
