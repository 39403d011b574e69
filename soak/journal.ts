// The journal of a run: requests, replies, moves and faults with their times. The checks read it.
import type { Hex } from 'viem';
import type { Address } from '#sdk/domain/address.ts';
import type { Task } from '#sdk/domain/task.ts';
import type { SignedEnvelope } from '#sdk/negotiation/envelope.ts';

/** Milliseconds from the start. */
export type Span = { readonly from: number; readonly to: number };

export type Answer = {
  /** Sent and answered, in milliseconds from the start. */
  readonly from: number;
  readonly to: number;
  readonly server: string;
  readonly what: string;
  /** 0 without a reply. */
  readonly status: number;
  readonly detail: string;
};

/** From the fault until every server is healthy. */
export type Window = {
  readonly kind: string;
  detail: string;
  from: number;
  repairedAt: number;
  /** Infinity while it lasts. */
  to: number;
  /** Servers whose failures it explains; null means all. */
  servers: readonly string[] | null;
  /** False for faults that explain no failure, such as slow uploads. */
  isExcuse: boolean;
  /** What was still wrong when the time for recovery was over. */
  trouble: string | null;
};

/** What a task was at one time: an action that fits one of these may be refused in another. */
export type TaskFacts = Pick<Task, 'state' | 'round' | 'deadline' | 'updatedAt'>;

export type MoveResult = {
  readonly at: number;
  readonly to: number;
  readonly who: string;
  readonly move: string;
  readonly outcome: 'done' | 'nothing to do' | 'refused' | 'failed';
  readonly detail: string;
  /** The task of a refused action: as a server listed it before, and as the chain has it right afterwards. */
  readonly task?: { readonly listed: TaskFacts; readonly onChain: TaskFacts };
};

/** Posts that are never mined, recorded by a new wallet: how many were accepted on one day. */
export type Records = {
  readonly address: string;
  readonly from: number;
  readonly to: number;
  readonly taken: number;
  /** How many the quota shows afterwards; null if there was a fault. */
  readonly shown: number | null;
};

/** A message in a mailbox of the relay. */
export type Letter = {
  readonly position: number;
  readonly hash: string;
  readonly negotiationId: string;
  readonly sequence: number;
  readonly previousHash: string;
};

/** What a trader has taken in from its mailbox, and how far it is. */
export type Mailbox = {
  readonly token: string;
  after: number;
  readonly letters: Letter[];
  /** A message that no gateway has answered yet. */
  unsent: SignedEnvelope | null;
};

export type Journal = ReturnType<typeof createJournal>;

export function createJournal() {
  const start = performance.now();
  return {
    now: () => performance.now() - start,
    answers: [] as Answer[],
    windows: [] as Window[],
    moves: [] as MoveResult[],
    /** How often each receipt, payment or purchase was accepted. */
    uses: {
      receipt: new Map<string, number>(),
      payment: new Map<string, number>(),
      purchase: new Map<string, number>(),
    },
    /** Payments of claims that were sent, when, and whether any gateway answered 200. */
    payments: [] as {
      readonly payer: Address;
      readonly nonce: Hex;
      readonly at: Span;
      readonly isGranted: boolean;
    }[],
    /** What /health said, each second. */
    health: [] as { readonly at: number; readonly server: string; readonly isReady: boolean }[],
    records: [] as Records[],
    /**
     * Wallet requests that nobody decides, and until when the gateway has promised to keep them: a gateway that has not seen a
     * jump of the chain's clock counts from before it.
     */
    requests: [] as { readonly id: string; readonly at: number; readonly expiresAt: number }[],
    /** Hashes of envelopes that were acknowledged to their sender. */
    envelopes: [] as string[],
    /** Messages that the relay accepted. */
    mailed: [] as { readonly hash: string; readonly by: string; readonly to: string }[],
    /** By the name of the trader. */
    mailboxes: new Map<string, Mailbox>(),
    /** SHA-256 of files that a gateway accepted. */
    files: new Set<string>(),
    /** Downloads whose bytes had another hash. */
    wrongFiles: [] as string[],
    /** What faults measured themselves: limits that were kept, and those that were not. */
    measured: [] as { readonly what: string; readonly isKept: boolean }[],
    /** Audits during the run, with the rows that differ from the chain. */
    audits: [] as { readonly at: number; readonly tasks: number; readonly differences: readonly string[] }[],
    /** Number of reads that asked for the block that another replica had shown. */
    forward: 0,
    /** Forks with the time whose blocks they took back: transactions before a fork may be sent again. */
    forked: [] as Span[],
  };
}

export function countUse(uses: Map<string, number>, name: string, times: number): void {
  uses.set(name, (uses.get(name) ?? 0) + times);
}

/** Whether a fault explains a failure of the server between these times. */
export function isExcused(
  { windows }: Pick<Journal, 'windows'>,
  from: number,
  to: number,
  server: string,
): boolean {
  return windows.some(
    (window) =>
      window.isExcuse &&
      from <= window.to &&
      to >= window.from &&
      (window.servers === null || window.servers.includes(server)),
  );
}

/** Explains failures of these servers until it is closed. */
export function openWindow(
  { now, windows }: Pick<Journal, 'now' | 'windows'>,
  kind: string,
  { detail, servers }: Pick<Window, 'detail' | 'servers'>,
): Window {
  const endless = Number.POSITIVE_INFINITY;
  const window: Window = {
    kind,
    detail,
    from: now(),
    repairedAt: endless,
    to: endless,
    servers,
    isExcuse: true,
    trouble: 'the run has ended before',
  };
  windows.push(window);
  return window;
}
