// Ledgers add up to the wei: on the chain, and in what the sites answer.
import { erc20Abi, type PublicClient } from 'viem';
import type { Deployment } from '#sdk/chain/deployment.ts';
import type { Address } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { lockedAmount, type Task } from '#sdk/domain/task.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { contractsOf } from '../../test/support/marketReader.ts';
import type { Ask } from '../asking.ts';
import type { Server } from '../server.ts';
import type { Check } from './check.ts';

/** Sums that must be equal, side by side. */
export type Sum = { readonly what: string; readonly is: bigint; readonly shouldBe: bigint };

export function checkSums(sums: readonly Sum[]): Check {
  return {
    name: 'Ledgers add up to the wei',
    violations: sums
      .filter(({ is, shouldBe }) => is !== shouldBe)
      .map(({ what, is, shouldBe }) => `${what}: ${is} and not ${shouldBe}`),
    basis: `${sums.length} sums`,
  };
}

export async function gatherSums(
  client: PublicClient,
  deployment: Deployment,
  tasksOf: (market: Market) => Promise<readonly Task[]>,
  site: Server,
  ask: Ask,
): Promise<Sum[]> {
  const balance = (token: Address, holder: Address) =>
    client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
  const { tokToken, usdc } = deployment;
  const sums: Sum[] = [];
  for (const market of markets) {
    const { escrow, deposits } = contractsOf(deployment, market);
    const held = total((await tasksOf(market)).map(lockedAmount));
    const shouldBe = await client.readContract({ ...escrow, functionName: 'totalHeld' });
    sums.push({ what: `${market}: held for tasks`, is: held, shouldBe });
    sums.push({ what: `${market}: TOK in escrow`, is: await balance(tokToken, escrow.address), shouldBe });
    const owned = await Promise.all(
      accounts.map(({ address }) =>
        client.readContract({ ...deposits, functionName: 'accountOf', args: [address] }),
      ),
    );
    const deposited = total(owned.map(([account]) => account.balance));
    sums.push({
      what: `${market}: collateral`,
      is: await balance(usdc, deposits.address),
      shouldBe: deposited,
    });
    sums.push(...(await gatherAnswered(market, site, ask, shouldBe)));
  }
  const holders = [
    ...accounts.map(({ address }) => address),
    ...markets.flatMap((market) => {
      const { parameters: _, ...contracts } = deployment.markets[market];
      return Object.values(contracts);
    }),
  ];
  for (const [what, token] of [
    ['TOK', tokToken],
    ['USDC', usdc],
  ] as const) {
    const is = total(await Promise.all(holders.map((holder) => balance(token, holder))));
    const shouldBe = await client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'totalSupply',
    });
    sums.push({ what: `all ${what}`, is, shouldBe });
  }
  return sums;
}

type Amounts = Readonly<
  Record<'fundedTokWei' | 'lockedTokWei' | 'releasedTokWei' | 'refundedTokWei' | 'feesTokWei', string>
>;

/** The ledgers of all wallets: each the sum of its entries, and all posters together what is held. */
async function gatherAnswered(market: Market, site: Server, ask: Ask, held: bigint): Promise<Sum[]> {
  const sums: Sum[] = [];
  let locked = 0n;
  for (const { name, address } of accounts) {
    const { body } = await ask(site, `/api/get-market-ledger?market=${market}&address=${address}`);
    const entries = (body.entries ?? []) as (Amounts & { readonly role: string })[];
    const asPoster = entries.filter(({ role }) => role === 'poster');
    locked += total(asPoster.map(({ lockedTokWei }) => BigInt(lockedTokWei)));
    for (const [role, own] of Object.entries({ asPoster: body.asPoster, asWorker: body.asWorker } as Record<
      string,
      Amounts
    >)) {
      const of = entries.filter((entry) => `as${entry.role}`.toLowerCase() === role.toLowerCase());
      for (const field of [
        'fundedTokWei',
        'lockedTokWei',
        'releasedTokWei',
        'refundedTokWei',
        'feesTokWei',
      ] as const) {
        const is = BigInt(own?.[field] ?? 0);
        sums.push({
          what: `${market}: ${name} ${role} ${field}`,
          is,
          shouldBe: total(of.map((entry) => BigInt(entry[field]))),
        });
      }
    }
  }
  return [...sums, { what: `${market}: held, by the ledgers of all posters`, is: locked, shouldBe: held }];
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
