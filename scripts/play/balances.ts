// What each wallet owns, and whether it changed by exactly what a story says.
import { erc20Abi } from 'viem';
import type { Cast, Party } from './cast.ts';

export type Holdings = {
  readonly tokWei: bigint;
  readonly usdc: bigint;
  readonly etherWei: bigint;
  /** Collateral on the market, locked or not. */
  readonly deposit: bigint;
  readonly locked: bigint;
};

export type Role = 'poster' | 'worker' | 'arbitrator';
export const roles: readonly Role[] = ['poster', 'worker', 'arbitrator'];

/** Changes in TOK wei; nothing else of what a wallet owns may change, apart from the Ether it paid for gas. */
export type ExpectedChange = Readonly<Record<Role, bigint>>;

export type Snapshot = Readonly<Record<Role, Holdings & { readonly gasPaidWei: bigint }>>;

export async function takeSnapshot(cast: Cast): Promise<Snapshot> {
  const entries = roles.map(async (role) => {
    const holdings = await readHoldings(cast, cast[role]);
    return [role, { ...holdings, gasPaidWei: cast[role].gasPaidWei() }] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Snapshot;
}

/** Names every difference between what happened and what was expected, to the last wei. */
export function findDifferences(before: Snapshot, after: Snapshot, expected: ExpectedChange): string[] {
  return roles.flatMap((role) => {
    const [was, is] = [before[role], after[role]];
    const wanted: Holdings = {
      tokWei: was.tokWei + expected[role],
      usdc: was.usdc,
      etherWei: was.etherWei - (is.gasPaidWei - was.gasPaidWei),
      deposit: was.deposit,
      locked: was.locked,
    };
    const names = Object.keys(wanted) as (keyof Holdings)[];
    return names
      .filter((name) => is[name] !== wanted[name])
      .map((name) => `${role}: ${name} is ${is[name]} and should be ${wanted[name]}`);
  });
}

async function readHoldings({ client, contracts }: Cast, { address }: Party): Promise<Holdings> {
  const balanceOf = (token: { readonly address: `0x${string}` }) =>
    client.readContract({
      address: token.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    });
  const [tokWei, usdc, etherWei, [account]] = await Promise.all([
    balanceOf(contracts.tok),
    balanceOf(contracts.usdc),
    client.getBalance({ address }),
    client.readContract({ ...contracts.deposits, functionName: 'accountOf', args: [address] }),
  ]);
  return { tokWei, usdc, etherWei, deposit: account.balance, locked: account.locked };
}
