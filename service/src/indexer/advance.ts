// The indexer's units of work: one step at the head, and one of the background work behind it.
import { setImmediate } from 'node:timers/promises';
import { createRange } from '../chain/logRange.ts';
import type { ChainSource } from '../chain/source.ts';
import type { ProjectionStore } from '../store/projection.ts';
import { type Confirmed, type ConfirmOptions, createConfirmation } from './confirm.ts';
import { createHistory } from './history.ts';
import { takeSnapshot } from './snapshot.ts';
import { createPatience, type StepResult, takeStep } from './step.ts';

export type IndexerEvent =
  | { readonly kind: 'snapshot'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'history';
      readonly floor: bigint;
      readonly startBlock: bigint;
      readonly head: bigint;
    }
  | Exclude<StepResult, { kind: 'idle' }>
  | ({ readonly kind: 'confirmed' | 'corrected' } & Confirmed)
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'leading' | 'standby' };

export type Advance = ReturnType<typeof createAdvance>;

export type AdvanceOptions = {
  readonly source: ChainSource;
  readonly store: ProjectionStore;
  readonly onEvent: (event: IndexerEvent) => void;
  /** How long a chain that seems shorter than the rows is taken for a node that lags. */
  readonly patienceMs?: number;
  /** How long the first answer waits for history, which is then written together with the tasks. */
  readonly pastMs?: number;
  readonly confirm?: ConfirmOptions;
};

export function createAdvance(
  { source, store, onEvent, patienceMs = 30_000, pastMs = 5_000, confirm = {} }: AdvanceOptions,
  signal?: AbortSignal,
) {
  const loadShown = () => store.loadShown();
  const patience = createPatience(patienceMs);
  const isCheckedLater = confirm.periodMs !== 0;
  const confirmNext = createConfirmation(source, store, confirm);
  const range = createRange({ first: 2_000, largest: 10_000 });
  const history = createHistory(source, store, { pastMs, letHeadPass });
  let isAtHead = false;
  let stepping: Promise<unknown> = Promise.resolve();

  /** Lets a step at the head that is running or due finish first. */
  async function letHeadPass(): Promise<void> {
    await setImmediate();
    await stepping.catch(() => undefined);
  }

  async function snapshot(): Promise<boolean> {
    const onProgress = (done: number, total: number) => onEvent({ kind: 'snapshot', done, total });
    await takeSnapshot(source, store, history, { onProgress, isCheckedLater, signal });
    return true;
  }

  async function head(): Promise<boolean> {
    const shown = await loadShown();
    if (shown === null) return snapshot();
    const result = await takeStep(source, store, shown, { range, patience, isCheckedLater });
    if (result.kind === 'idle') return false;
    onEvent(result);
    return result.kind === 'lost' ? snapshot() : result.behind > 0n;
  }

  async function fill(): Promise<boolean> {
    const shown = await loadShown();
    const floor = shown && (await history.fill(shown));
    if (shown === null || floor === null) return false;
    onEvent({ kind: 'history', floor, startBlock: shown.startBlock, head: shown.head.number });
    return true;
  }

  async function addCollateral(): Promise<boolean> {
    const shown = await loadShown();
    return shown !== null && store.addCollateral(shown.generation);
  }

  async function confirmRows(): Promise<boolean> {
    const shown = await loadShown();
    const result = shown && (await confirmNext(shown));
    if (result === null) return false;
    onEvent({ kind: result.corrected.length > 0 ? 'corrected' : 'confirmed', ...result });
    return true;
  }

  async function work(step: () => Promise<boolean>): Promise<'more' | 'done' | 'waits'> {
    if (!isAtHead) return 'waits';
    await letHeadPass();
    return (await step()) ? 'more' : 'done';
  }

  return {
    /** Resolves to whether there is more to do right now. */
    head: async (): Promise<boolean> => {
      const step = head();
      stepping = step;
      const isMore = await step;
      isAtHead = !isMore;
      return isMore;
    },
    /** Background work waits until the head is reached. */
    background: () => work(async () => (await fill()) || (await addCollateral()) || store.sweep()),
    /** In parallel: comparing rows with the chain never waits for history. */
    recheck: () => work(confirmRows),
  };
}
