// Stands before a signing wallet: reads what a request really signs, judges it by the policy, reserves what it spends, and
// asks the owner where the policy does not allow it.
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { CreateRequest } from '@svc/sdk/schemas';
import type { RequestFile, SavedRequest } from '#wallet/requestFile.ts';
import { isOpen } from '#wallet/requestMachine.ts';
import {
  shorten,
  type Wallet,
  type WalletAnswer,
  type WalletDraft,
  type WalletGuard,
} from '#wallet/walletInterface.ts';
import type { Entry, EntryDraft, Ledger } from './decisionLog.ts';
import { judge, type Spending } from './judge.ts';
import type { Policy } from './policyFile.ts';
import { readCalls, type SpendingAccess } from './readCalls.ts';
import { readSignature } from './readSignature.ts';

export type GuardOptions = {
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

export function createPolicyGuard(options: GuardOptions): WalletGuard {
  const { policy, ledger, access, requests, ownerWallet } = options;

  /** Ends a reservation. What may have been signed keeps counting. */
  function end(entry: Entry, isUnsigned: boolean): void {
    const { wallet, requestId, holder, form, action } = entry;
    const kind = isUnsigned ? 'released' : 'settled';
    ledger.add({ kind, wallet, requestId, holder, form, action, spendings: [], reasons: [] });
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

  /** A clock that runs ahead of the chain opens no new day. */
  async function noteChainTime(): Promise<void> {
    const now = await access.reads.readNow?.();
    if (now !== undefined) ledger.noteChainTime(now * 1_000);
  }

  async function askOwner(draft: EntryDraft, request: CreateRequest): Promise<WalletAnswer> {
    const { reasons } = draft;
    // The owner reads on the page why the wallet did not sign.
    const summary = shorten(`${request.summary}. Over the policy: ${reasons.join(' ')}`);
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
        if (isErrorOf(error, 'POLICY_REFUSED'))
          ledger.add({ ...head, kind: 'refused', spendings: [], reasons: [error.message] });
        throw error;
      });
      const isDryRun = policy.mode === 'dry-run';
      await noteChainTime();
      const decision = ledger.decide(wallet, isDryRun, (spent) => {
        const reasons = judge(policy, spendings, spent);
        const kind = isDryRun ? 'tried' : reasons.length === 0 ? 'reserved' : 'exceeded';
        return { ...head, kind, spendings, reasons };
      });
      if (isDryRun) throw new SvcError('POLICY_DRY_RUN', { outcome: describeTrial(decision.reasons) });
      return decision.kind === 'reserved' ? null : askOwner(decision, request);
    },

    tryAll: async (asked) => {
      await noteChainTime();
      const spendings = (await Promise.all(asked.map((request) => readSpendings(request, access)))).flat();
      const [first] = asked;
      if (first === undefined) return [];
      const spent = ledger.loadSpent(parseAddress(first.from)).flatMap((entry) => entry.spendings);
      return judge(policy, spendings, spent);
    },

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
  return reasons.length === 0
    ? 'the wallet would sign this'
    : `the owner would be asked: ${reasons.join(' ')}`;
}
