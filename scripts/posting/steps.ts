// The steps of the posting walk that happen on the chain, each over when the site shows it.
import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from 'viem';
import { createWalletClient, http } from 'viem';
import { base } from 'viem/chains';
import type { MarketClient } from '#sdk/client/createMarketClient.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { Cast } from '../play/cast.ts';

/** Collateral for as many posts as a day of the plan basic has. */
const collateral = parseUsdc('200');

/** Posts as the cast's poster, which gets an allowance and collateral where it has none. */
export async function postTasks(cast: Cast, client: MarketClient, count: number): Promise<void> {
  const { contracts, poster, market } = cast;
  const { usdc, deposits, tok, gateway, registry } = contracts;
  const { used } = await client.postingQuota(poster.address, { market });
  await poster.write(tok, 'approve', [gateway.address, parseTok('100000')]);
  await poster.write(usdc, 'approve', [deposits.address, collateral]);
  await poster.write(deposits, 'topUp', [collateral]);
  for (let posted = 0; posted < count; posted++) {
    const { timestamp } = await cast.client.getBlock();
    const { transactionHash } = await poster.write(registry, 'postTask', [
      {
        totalAmount: parseTok('1000'),
        deadline: timestamp + 86_400n,
        reviewPeriod: 86_400,
        criteriaHash: hashCriteria('As agreed.'),
        milestones: [],
        uri: '',
        fundNow: 0n,
      },
    ]);
    console.log(`posted in ${transactionHash}`);
  }
  await until(async () => (await client.postingQuota(poster.address, { market })).used >= used + count);
}

/** Sends the calls of a quote as they are, in their order; answers the transaction that paid. */
export async function buyPlan(cast: Cast, client: MarketClient, payWith: 'tok' | 'usdc'): Promise<Hex> {
  const { poster, market } = cast;
  const { calls } = await client.planQuote(poster.address, { tier: 'basic', payWith, market });
  const transport = http(cast.client.transport.url);
  const wallet = createWalletClient({ account: poster.account, chain: base, transport });
  let hash: Hex = '0x';
  for (const { to, value, data } of calls) {
    hash = await wallet.sendTransaction({ to: to as Hex, value: BigInt(value), data: data as Hex });
    const { status } = await cast.client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error('The purchase was reverted.');
  }
  return hash;
}

/** The site lives by the later of its own clock and the chain's, so the chain alone is moved. */
export async function moveToNextDay(cast: Cast, client: MarketClient): Promise<void> {
  const { poster, market } = cast;
  const { resetsAt } = await client.postingQuota(poster.address, { market });
  const { timestamp } = await cast.client.getBlock();
  const seconds = Math.max(1, resetsAt - Number(timestamp) + 1);
  await ask(cast, 'evm_increaseTime', [seconds]);
  await ask(cast, 'evm_mine', []);
  await until(async () => (await client.postingQuota(poster.address, { market })).resetsAt > resetsAt);
  // A price that is a day old by now is published anew within seconds; plans can be paid in TOK then.
  await until(async () => (await client.tokPreview('basic', { market })).tokAllowed);
}

function ask({ client }: Cast, method: string, params: unknown[]): Promise<unknown> {
  return client.request({ method: method as 'eth_chainId', params: params as never });
}

async function until(isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await pause(50);
}
