// Who holds entry collateral, and since when, from the events of the vaults. Money that leaves one wallet and comes back in
// another is the same money: the new holder follows the old one.
import { type Address, type Market, marketParameters } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';

/** A wallet at or above the entry collateral of a market, without a break. */
export type Holding = {
  readonly wallet: string;
  /** Unix seconds of the block that brought it there. */
  readonly since: number;
  /** The holding whose money this may be; null where none was free. */
  readonly follows: Holding | null;
};

type VaultEvent = Pick<ChainEvent, 'name' | 'args' | 'market' | 'blockTime'>;

/**
 * The oldest holding of each wallet. `events` are those of all vaults, in the order of the chain. A withdrawal below the entry
 * frees as many holdings as it has entries in it; each new holding takes the oldest free one that is not older than
 * `memorySeconds`. So no money is in two holdings that do not follow each other.
 */
export function findHoldings(
  events: readonly VaultEvent[],
  memorySeconds: number,
): ReadonlyMap<string, Holding> {
  const balances = new Map<string, bigint>();
  const holdings = new Map<string, Holding>();
  let free: { readonly holding: Holding; readonly at: number }[] = [];

  function move(agent: unknown, change: bigint, { market, blockTime }: VaultEvent): void {
    const wallet = addressKey(agent as Address);
    const key = `${market} ${wallet}`;
    const { entryUsdc } = marketParameters[market as Market];
    const balance = (balances.get(key) ?? 0n) + change;
    balances.set(key, balance);
    const held = holdings.get(key);
    if (held === undefined && balance >= entryUsdc) {
      free = free.filter(({ at }) => at > blockTime - memorySeconds);
      const follows = free.shift()?.holding ?? null;
      holdings.set(key, { wallet, since: blockTime, follows });
    } else if (held !== undefined && balance < entryUsdc) {
      holdings.delete(key);
      const entries = Math.max(1, Number(-change / entryUsdc));
      for (let count = 0; count < Math.min(entries, maxFreed); count++)
        free.push({ holding: held, at: blockTime });
    }
  }

  for (const event of events) {
    const { name, args } = event;
    const amount = BigInt(String(args.amount));
    if (name === 'Deposited') move(args.agent, amount, event);
    else if (name === 'Withdrawn') move(args.agent, -amount, event);
    else {
      move(args.from, -amount, event);
      move(args.to, amount, event);
    }
  }
  const oldest = new Map<string, Holding>();
  for (const holding of holdings.values()) {
    const other = oldest.get(holding.wallet);
    if (other === undefined || holding.since < other.since) oldest.set(holding.wallet, holding);
  }
  return oldest;
}

/** One large withdrawal must not follow everybody who comes after it. */
const maxFreed = 20;

/** The wallets whose money this may be, this one first. */
export function listHolders(holding: Holding): readonly string[] {
  const wallets = new Set<string>();
  for (let one: Holding | null = holding; one !== null; one = one.follows) wallets.add(one.wallet);
  return [...wallets];
}
