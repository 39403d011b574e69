// A wallet behind a policy, which reads what would be signed from the bytes: it refuses, passes on, or asks the owner. Nothing
// reaches the wallet that the policy has not allowed.
import { toCanonical } from '../domain/canonical.ts';
import type { Notes } from './journal.ts';
import type { Asked, AskedBytes, AskedWords, Owner, Wallet } from './wallet.ts';

export type Verdict = { readonly is: 'sign' } | { readonly is: 'ask'; readonly because: readonly string[] };

export type Policy = {
  /** Throws where nobody may sign it. `id` is asked once, with all calls of a plan together. */
  readonly judge: (id: string, bytes: AskedBytes, words: AskedWords) => Promise<Verdict>;
  /** The owner was asked for it. */
  readonly asked?: (id: string, because: readonly string[]) => Promise<void>;
  /** What the owner reads about a request that the policy leaves to it. */
  readonly explain: (words: AskedWords, because: readonly string[]) => AskedWords;
};

/** A wallet that signs what the policy allows, and leaves the rest to its owner. Nothing reaches it past the policy. */
export function createGuardedWallet(wallet: Wallet, policy: Policy, owner: Owner, notes: Notes): Wallet {
  /** What was allowed and is not sent yet. */
  let allowed: string[] = [];
  const nameOf = (id: string) => `${id}.asked`;
  const linesOf = ({ calls, typedData }: AskedBytes) =>
    typedData === null ? calls.map((call) => toCanonical(call)) : [toCanonical(typedData)];

  async function review(id: string, bytes: AskedBytes, words: AskedWords): Promise<Asked | null> {
    allowed = [];
    const verdict = await policy.judge(id, bytes, words);
    if (verdict.is === 'sign') {
      allowed = linesOf(bytes);
      return null;
    }
    const { because } = verdict;
    const explained = policy.explain(words, because);
    await notes.write(nameOf(id), 'owner');
    const { calls, typedData } = bytes;
    const asked = await (typedData === null
      ? owner.send(id, calls, explained)
      : owner.sign(id, typedData, explained));
    await policy.asked?.(id, because);
    return asked.is === 'waiting' ? { ...asked, because } : asked;
  }

  /** Takes it from what is allowed; judged by itself where it is not among that. */
  async function admit(id: string, bytes: AskedBytes, words: AskedWords): Promise<Asked | null> {
    const lines = linesOf(bytes);
    const rest = [...allowed];
    const isAllowed = lines.every((line) => {
      const at = rest.indexOf(line);
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    });
    if (!isAllowed) {
      const instead = await review(id, bytes, words);
      if (instead !== null) return instead;
      allowed = [];
      return null;
    }
    allowed = rest;
    return null;
  }

  return {
    address: wallet.address,
    answers: 'now',
    batches: wallet.batches,
    review,
    send: async (id, calls, words) =>
      (await admit(id, { calls, typedData: null }, words)) ?? wallet.send(id, calls, words),
    sign: async (id, typedData, words) =>
      (await admit(id, { calls: [], typedData }, words)) ?? wallet.sign(id, typedData, words),
    find: async (id) => ((await notes.read(nameOf(id))) === null ? wallet : owner).find(id),
    ...(wallet.keep && { keep: wallet.keep }),
  };
}
