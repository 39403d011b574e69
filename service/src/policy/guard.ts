// Stands before a signing wallet: reads what a request really signs, judges it by the policy, reserves what it spends, and
// asks the owner where the policy does not allow it.

import type { CreateRequest } from '@svc/sdk/client';
import { type Address, parseAddress } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { isOperatorError, OperatorError } from '../errors/operatorError.ts';
import type { RequestFile, SavedRequest } from '../wallet/requestFile.ts';
import { isOpen } from '../wallet/requestMachine.ts';
import {
  shorten,
  type Wallet,
  type WalletAnswer,
  type WalletDraft,
  type WalletGuard,
} from '../wallet/walletInterface.ts';
import type { Entry, EntryDraft, EntryKind, Ledger } from './decisionLog.ts';
import { judge, type Spending } from './judge.ts';
import type { Policy } from './policyFile.ts';
import { readCalls, type SpendingAccess } from './readCalls.ts';
import { readSignature } from './readSignature.ts';

type GuardOptions = {
  readonly policy: Policy;
  readonly ledger: Ledger;
  readonly access: SpendingAccess;
  /** Where requests of the guarded wallet are saved. */
  readonly requests: Pick<RequestFile, 'load'>;
  /** Asks the owner on the page of the gateway. */
  readonly ownerWallet: Pick<Wallet, 'submit'>;
};

/** What a request spends. Throws POLICY_REFUSED where that cannot be known. */
export async function readSpendings(
  request: CreateRequest,
  access: SpendingAccess,
): Promise<readonly Spending[]> {
  const from = parseAddress(request.from);
  return request.kind === 'calls'
    ? readCalls(request.calls, from, access)
    : readSignature(request.typedData, { ...access, from });
}

/** What counts now. Asks the chain what became of signed terms first: unused ones are given back when nobody can use them. */
async function loadSpent(
  ledger: Ledger,
  { reads }: Pick<SpendingAccess, 'reads'>,
  wallet: Address,
): Promise<Entry[]> {
  // A clock that runs ahead of the chain opens no new day.
  const now = await reads.readNow?.();
  if (now !== undefined) ledger.noteChainTime(now * 1_000);
  const ends = ledger.loadPromises(wallet).map(async (entry) => {
    const [spending] = entry.spendings;
    if (spending?.terms === undefined || spending.market === null) return;
    const signed = { ...spending.terms, digest: spending.digest as Hex };
    // While the chain does not say, they count.
    const end = await reads.readTermsEnd?.(spending.market, signed).catch(() => null);
    if (end != null) ledger.add(endOf(entry, end === 'used' ? 'used' : 'released'));
  });
  await Promise.all(ends);
  return ledger.loadSpent(wallet);
}

/** What requests would spend, and why the owner would have to decide about all of them together. Signs and reserves nothing. */
export async function tryRequests(
  { policy, ledger, access }: Pick<GuardOptions, 'policy' | 'ledger' | 'access'>,
  requests: readonly CreateRequest[],
): Promise<{ readonly spendings: readonly Spending[]; readonly reasons: readonly string[] }> {
  const spendings = (await Promise.all(requests.map((request) => readSpendings(request, access)))).flat();
  const [first] = requests;
  if (first === undefined) return { spendings, reasons: [] };
  const spent = await loadSpent(ledger, access, parseAddress(first.from));
  const before = spent.flatMap((entry) => entry.spendings);
  return { spendings, reasons: judge(policy, spendings, before) };
}

function endOf({ wallet, requestId, holder, form, action }: Entry, kind: EntryKind): EntryDraft {
  return { kind, wallet, requestId, holder, form, action, spendings: [], reasons: [] };
}

export function createPolicyGuard(options: GuardOptions): WalletGuard {
  const { policy, ledger, access, requests, ownerWallet } = options;

  /** Ends a reservation. What may have been signed keeps counting. */
  function end(entry: Entry, isUnsigned: boolean): void {
    ledger.add(endOf(entry, isUnsigned ? 'released' : 'settled'));
  }

  /** Ends what earlier processes left behind. The caller holds the lock under which calls are created. */
  function tidyUp(wallet: Address, holder: WalletDraft['wallet']): void {
    for (const entry of ledger.loadOpen(wallet, holder)) {
      if (entry.form !== 'calls') continue;
      const saved = requests.load(entry.requestId);
      if (saved === undefined || isUnsigned(saved)) end(entry, true);
      else if (saved.status === 'settled') end(entry, false);
    }
  }

  async function askOwner(draft: EntryDraft, request: CreateRequest): Promise<WalletAnswer> {
    const { reasons } = draft;
    // The owner reads on the page why the wallet did not sign, however long the summary of the caller is.
    const summary = shorten(`${shorten(request.summary, 200)}. Over the policy: ${reasons.join(' ')}`);
    const answer = await ownerWallet.submit({ ...request, summary });
    ledger.add({ ...draft, kind: 'asked', requestId: answer.requestId, spendings: [] });
    return { ...answer, askedBecause: reasons };
  }

  return {
    admit: async ({ id, wallet: holder, request }) => {
      const wallet = parseAddress(request.from);
      const { kind: form, action } = request;
      const head = { wallet, requestId: id, holder, form, action };
      if (form === 'calls') tidyUp(wallet, holder);
      const spendings = await readSpendings(request, access).catch((error: unknown) => {
        if (isOperatorError(error, 'POLICY_REFUSED'))
          ledger.add({ ...head, kind: 'refused', spendings: [], reasons: [error.message] });
        throw error;
      });
      const isDryRun = policy.mode === 'dry-run';
      await loadSpent(ledger, access, wallet);
      const allowed = spendings.some(({ terms }) => terms !== undefined) ? 'promised' : 'reserved';
      const decision = ledger.decide(wallet, isDryRun, (spent) => {
        const reasons = judge(policy, spendings, spent);
        const kind = isDryRun ? 'tried' : reasons.length === 0 ? allowed : 'exceeded';
        return { ...head, kind, spendings, reasons };
      });
      if (isDryRun) throw new OperatorError('POLICY_DRY_RUN', { outcome: describeTrial(decision.reasons) });
      return decision.kind === 'exceeded' ? askOwner(decision, request) : null;
    },

    tryAll: async (asked) => (await tryRequests(options, asked)).reasons,

    ended: (requestId, isUnsigned) => {
      const entry = ledger.findOpen(requestId);
      if (entry !== undefined) end(entry, isUnsigned);
    },
  };
}

/** Whether the saved request proves that nothing was signed and nothing will be. */
function isUnsigned(saved: SavedRequest): boolean {
  if (isOpen(saved) || saved.status === 'settled') return false;
  return saved.wallet === 'key' ? saved.signed.length === 0 : saved.status === 'rejected';
}

function describeTrial(reasons: readonly string[]): string {
  if (reasons.length === 0) return 'the wallet would sign this';
  return `the owner would be asked: ${reasons.join(' ')}`;
}
