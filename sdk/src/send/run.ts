// One run of an action, from its plan to the block that the API shows. It has no state of its own: what was sent follows from
// journal, wallet and chain, so that a run that was killed, reloaded or restarted sends nothing twice and loses nothing.
import type { Hex } from 'viem';
import type { Asker } from '../chain/rpc.ts';
import { latestBlock, receiptOf, transactionCount } from '../chain/rpcRequests.ts';
import { sleep } from '../domain/backoff.ts';
import { toCanonical } from '../domain/canonical.ts';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import { toJsonValue } from '../domain/json.ts';
import { type Followed, followAsk, isComplete } from './follow.ts';
import { endOf, type Intent, type RunEntry } from './journal.ts';
import { findPlanChange } from './premise.ts';
import type { Plan, Run, RunOutcome, RunPlace, RunState } from './runState.ts';
import type { Asked } from './wallet.ts';

/** What a turn under the lock of the wallet has come to. */
type Turn<Prepared> =
  | { readonly is: 'ended' }
  | { readonly is: 'waiting' }
  | { readonly is: 'plan' }
  | { readonly is: 'changed'; readonly plan: Plan<Prepared>; readonly why: string };

/** Runs of this process: two that wish for the same are two wishes. */
const running = new Set<string>();

const interrupted = 'It was interrupted before the action was signed.';

const pollMs = 250;
const searchAfterMs = 3_000;
const ownerPollMs = 2_000;
const minedTimeoutMs = 120_000;

export function startRun<Prepared>(place: RunPlace<Prepared>): Run<Prepared> {
  const { wallet, journal, chain, chainId, confirm } = place;
  const intent = toJsonValue(place.intent) as Intent;
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  let state: RunState<Prepared> = { is: 'planning' };
  let plan: Plan<Prepared> | null = null;
  let entry: RunEntry | null = null;
  /** Whether the plan was made a moment ago, with nothing in between. */
  let isFresh = false;
  let confirmed: Hex | null = null;
  let wake = () => {};
  /** What the wallet has just answered. */
  let first: Asked | undefined;
  /** The plan that the policy of the wallet has seen. */
  let reviewed: Hex | null = null;
  /** Whether the wallet has done a part of what it promised to do as a whole. */
  let isPartial = false;
  const { id = crypto.randomUUID() } = place;
  running.add(id);

  const show = (next: RunState<Prepared>): void => {
    state = next;
    for (const changed of listeners) changed();
  };
  const save = async (next: RunEntry): Promise<RunEntry> => {
    await journal.save(next);
    entry = next;
    return next;
  };
  const stopped = (): void => stop.signal.throwIfAborted();

  async function confirmation(shown: Plan<Prepared>, why: string | null): Promise<void> {
    show(why === null ? { is: 'ready', plan: shown } : { is: 'changed', plan: shown, why });
    while (confirmed !== shown.hash) {
      stopped();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    confirmed = null;
  }

  /**
   * What earlier runs of this wallet have left: what is in its hands is followed, and an equal wish is taken up instead of being
   * sent again. Throws RUN_OPEN or ANSWER_LOST while the end of one is not known.
   */
  async function takeUp(): Promise<void> {
    for (const earlier of await journal.load(wallet.address)) {
      // What runs in this process ends there; the lock keeps it from sending meanwhile.
      if (earlier.chainId !== chainId || running.has(earlier.id)) continue;
      const isSame = isSameIntent(earlier.intent, intent);
      if (isComplete(earlier)) {
        // Whoever wished it was not told that it is done.
        if (isSame) {
          entry = earlier;
          return;
        }
        await endComplete(earlier);
        continue;
      }
      // Nothing of it is in the wallet's hands: a new plan sees what is mined.
      if (earlier.asked === null) {
        await journal.save(endOf(earlier, 'given-up', interrupted));
        continue;
      }
      const followed = await follow(earlier, 'once');
      if (followed.is === 'moved') {
        if (isSame && isComplete(followed.entry)) entry = followed.entry;
        else if (isComplete(followed.entry)) await endComplete(followed.entry);
        else await journal.save(endOf(followed.entry, 'given-up', interrupted));
      } else if (followed.is === 'failed') {
        // It did nothing, so that it may be tried again.
      } else if (isSame && followed.is !== 'unknown') {
        entry = followed.entry;
      } else if (!isSame && followed.entry.approvalUrl !== null) {
        // Its owner decides another day, and stops nothing.
      } else {
        const { action } = earlier.intent;
        throw isSame
          ? new SvcError('ANSWER_LOST', { action, runId: earlier.id })
          : new SvcError('RUN_OPEN', { action, runId: earlier.id });
      }
      if (entry !== null) return;
    }
  }

  async function endComplete(earlier: RunEntry): Promise<void> {
    if (!((await place.isFinal?.(earlier)) ?? true))
      throw new SvcError('RUN_OPEN', { action: earlier.intent.action, runId: earlier.id });
    await journal.save(endOf(earlier, 'done', null));
  }

  const follow = (at: RunEntry, mode: 'once' | 'until-moved', answer?: Asked): Promise<Followed> =>
    followAsk(at, {
      first: answer,
      wallet,
      journal,
      chain,
      mode,
      minedTimeoutMs: place.minedTimeoutMs ?? minedTimeoutMs,
      pollMs: place.pollMs ?? pollMs,
      searchAfterMs: place.searchAfterMs ?? searchAfterMs,
      onHashes: (hashes) =>
        show({
          is: 'mining',
          plan,
          step: at.step,
          of: Math.max(1, at.calls.length),
          hashes: [...at.hashes, ...hashes],
        }),
    });

  /** Under the lock of the wallet. */
  async function turn(): Promise<Turn<Prepared>> {
    if (entry === null) await takeUp();
    for (;;) {
      if (entry !== null) {
        if (isComplete(entry)) return { is: 'ended' };
        if (entry.asked !== null) {
          const answer = first;
          first = undefined;
          const followed: Followed = await follow(entry, 'until-moved', answer);
          entry = followed.entry;
          if (followed.is === 'waiting') return { is: 'waiting' };
          if (followed.is === 'failed') {
            isPartial = followed.isPartial === true;
            throw followed.error;
          }
          if (followed.is === 'unknown')
            throw new SvcError(
              'ANSWER_LOST',
              { action: entry.intent.action, runId: entry.id },
              followed.error,
            );
          isFresh = false;
          continue;
        }
        // It belongs to an earlier process: this one plans what is left.
        if (plan === null) {
          await save(endOf(entry, 'given-up', interrupted));
          entry = null;
        }
      }
      stopped();
      if (plan === null) {
        if (confirm === 'by-caller') return { is: 'plan' };
        plan = await place.prepare();
        isFresh = true;
      }
      const change = await ask(plan, entry ?? (await begin(plan)));
      if (change !== null) return change;
    }
  }

  async function begin(from: Plan<Prepared>): Promise<RunEntry> {
    return save({
      id,
      wallet: wallet.address,
      chainId,
      intent,
      ...planned(from),
      hashes: [],
      signature: null,
      asks: 0,
      asked: null,
      approvalUrl: null,
      createdAt: Math.floor(Date.now() / 1_000),
      end: null,
    });
  }

  /** Asks the wallet for what comes next, once the plan was looked at again. */
  async function ask(shown: Plan<Prepared>, at: RunEntry): Promise<Turn<Prepared> | null> {
    let before = at.planHash === shown.hash ? at : await save({ ...at, ...planned(shown) });
    const left = before.calls.slice(before.step);
    let problem = shown.problem;
    if (!isFresh) {
      const current = await place.prepare();
      const why = findPlanChange(shown, current, left, wallet.address);
      if (why !== null) return { is: 'changed', plan: current, why };
      problem = current.problem;
    }
    isFresh = false;
    if (problem !== null) throw problem;
    stopped();
    const isWhole = wallet.answers === 'later' || (left.length > 1 && (await wallet.batches()) === 'atomic');
    const calls = isWhole ? left : left.slice(0, 1);
    const [block, nonce] = await chain.askAll([latestBlock(), transactionCount(wallet.address, 'latest')]);
    const askId = `${before.id}.${before.asks}`;
    // A policy sees all that is left at once.
    const isReviewed = wallet.review !== undefined && reviewed !== shown.hash;
    const asked = {
      id: askId,
      count: isReviewed ? left.length : calls.length,
      at: Date.now(),
      nonce,
      block: String(block.number),
      sentNonce: null,
      signed: null,
      isFound: false,
      hashes: [],
    };
    show({
      is: 'signing',
      step: before.step,
      of: Math.max(1, before.calls.length),
      approvalUrl: null,
      because: [],
    });
    before = await save({ ...before, asks: before.asks + 1, asked });
    stopped();
    const { words, typedData, step } = before;
    const stepsOf = (count: number) => ({ ...words, steps: words.steps.slice(step, step + count) });
    const whole = { calls: left, typedData };
    const send = () =>
      typedData === null
        ? wallet.send(askId, calls, stepsOf(calls.length))
        : wallet.sign(askId, typedData, words);
    const review = async (): Promise<Asked> => {
      const instead = (await wallet.review?.(askId, whole, stepsOf(left.length))) ?? null;
      if (instead !== null) return instead;
      reviewed = shown.hash;
      before = await save({ ...before, asked: { ...asked, count: calls.length } });
      return send();
    };
    const answer = await (isReviewed ? review() : send()).catch(async (error: unknown): Promise<Asked> => {
      const found = await wallet.find(askId).catch((): Asked => ({ is: 'unknown' }));
      if (found.is === 'none') {
        await save({ ...before, asked: null });
        throw error;
      }
      if (found.is === 'unknown' && isErrorOf(error, 'RUN_ENDED')) throw error;
      return found;
    });
    if (answer.is === 'waiting')
      show({
        is: 'signing',
        step,
        of: Math.max(1, before.calls.length),
        approvalUrl: answer.approvalUrl ?? null,
        because: answer.because ?? [],
      });
    if (answer.is === 'waiting' && answer.approvalUrl)
      before = await save({ ...before, approvalUrl: answer.approvalUrl });
    if (answer.is === 'sent')
      await save({ ...before, asked: { ...(before.asked ?? asked), hashes: answer.hashes } });
    first = answer;
    return null;
  }

  async function work(): Promise<RunOutcome<Prepared>> {
    let why: string | null = null;
    for (;;) {
      const came: Turn<Prepared> = await journal.lock(wallet.address, turn);
      if (came.is === 'ended') return finish();
      if (came.is === 'waiting') {
        if (entry !== null) showOwner(entry);
        stopped();
        const isOwner = (entry as RunEntry | null)?.approvalUrl !== null;
        await sleep(place.pollMs ?? (isOwner ? ownerPollMs : pollMs), stop.signal);
        continue;
      }
      if (came.is === 'plan') plan = await place.prepare();
      else if (confirm === 'first-plan') throw new SvcError('PLAN_CHANGED', { change: came.why });
      else [plan, why] = [came.plan, came.why];
      await confirmation(plan, why);
      isFresh = false;
    }
  }

  /** Of a request that an earlier process made. */
  function showOwner({ approvalUrl, step, calls }: RunEntry): void {
    if (approvalUrl === null || (state.is === 'signing' && state.approvalUrl !== null)) return;
    show({ is: 'signing', step, of: Math.max(1, calls.length), approvalUrl, because: [] });
  }

  async function finish(): Promise<RunOutcome<Prepared>> {
    const ended = entry as unknown as RunEntry;
    const { hashes, signature } = ended;
    const block = hashes.length === 0 ? null : await blockOfLast(chain, hashes);
    const isShown = block === null ? true : ((await place.waitShown?.(block)) ?? true);
    const taskId =
      hashes.length === 0 ? null : ((await place.findTask?.(hashes, plan?.prepared ?? null)) ?? null);
    const isFinal = hashes.length === 0 || ((await place.isFinal?.(ended)) ?? true);
    // Last: a run that ends before its caller is told would be wished for again.
    const end = isFinal ? journal.save(endOf(ended, 'done', null)) : Promise.resolve();
    await end.catch((error: unknown) => {
      // Another process has found it done.
      if (!isErrorOf(error, 'RUN_ENDED')) throw error;
    });
    return {
      runId: ended.id,
      prepared: plan?.prepared ?? null,
      transactionHashes: hashes,
      signature,
      block,
      taskId,
      isFinal,
      isShown,
    };
  }

  const done = work().then(
    (outcome) => {
      show({ is: 'indexed', outcome });
      return outcome;
    },
    async (error: unknown) => {
      const again = await howAgain(error);
      show({ is: 'failed', error: error as Error, again });
      throw error;
    },
  );
  const forget = () => void running.delete(id);
  done.then(forget, forget);

  /** What is not in the wallet's hands is forgotten with the run. */
  async function howAgain(error: unknown): Promise<'safe' | 'look-first' | 'never'> {
    const last = entry as unknown as RunEntry | null;
    if (isPartial || isErrorOf(error, 'RUN_ENDED')) return 'never';
    if (last === null) return isErrorOf(error, 'ANSWER_LOST', 'RUN_OPEN') ? 'look-first' : 'safe';
    if (last.end === null && last.asked === null)
      await journal.save(endOf(last, 'failed', (error as Error).message)).catch(() => undefined);
    return last.asked === null || last.typedData !== null || last.end !== null ? 'safe' : 'look-first';
  }

  return {
    id,
    state: () => state,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    confirm: (planHash) => {
      confirmed = planHash;
      wake();
    },
    stop: (reason = new Error('The run was stopped.')) => {
      stop.abort(reason);
      wake();
    },
    done,
  };
}

function planned({
  hash,
  calls,
  typedData,
  words,
}: Plan): Pick<RunEntry, 'planHash' | 'calls' | 'typedData' | 'words' | 'step'> {
  return { planHash: hash, calls, typedData, words, step: 0 };
}

function isSameIntent(one: Intent, other: Intent): boolean {
  const plain = ({ action, args: { from: _, ...args } }: Intent) => toCanonical({ action, args });
  return plain(one) === plain(other);
}

async function blockOfLast(chain: Asker, hashes: readonly Hex[]): Promise<bigint | null> {
  // What is mined is done, also where the chain is away right after it.
  const receipt = await chain.ask(receiptOf(hashes.at(-1) as Hex)).catch(() => null);
  return receipt?.blockNumber ?? null;
}
