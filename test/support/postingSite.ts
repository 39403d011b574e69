// A site and wallets for tests of the posting quota: posts and payments really happen on the embedded chain.
import { type Hex, stringToHex } from 'viem';
import type { Market } from '#sdk/domain/market.ts';
import { type Answer, get } from './asking.ts';
import type { Cast, Party } from './cast.ts';
import { postAt, taskAmount } from './posting.ts';

export async function getQuota(
  url: string,
  address: string,
  market: Market = 'standard',
): Promise<Answer['body']> {
  return (await get(url, `/api/posting/quota?address=${address}&market=${market}`)).body;
}

/** A hash that no transaction has. */
export function unseenHash(seed: number): Hex {
  return `0x${seed.toString(16).padStart(64, 'e')}`;
}

/** Posts a task and returns the body for `record`. */
export async function postForReal(cast: Cast) {
  const posted = await postAt(cast);
  return { address: cast.poster.address as string, ...posted, taskAmountTok: String(taskAmount) };
}

/** Buys a plan and returns the transaction hash. */
export async function buyForReal(
  { contracts }: Cast,
  payer: Party,
  tier: string,
  payWith: 'tok' | 'usdc',
): Promise<Hex> {
  const maxPay = 10n ** 24n;
  const { gateway, tok, usdc } = contracts;
  // `approve` is the same in both tokens.
  const token = { address: payWith === 'tok' ? tok.address : usdc.address, abi: tok.abi };
  await payer.write(token, 'approve', [gateway.address, maxPay]);
  const id = stringToHex(tier, { size: 32 });
  const { transactionHash } = await payer.write(gateway, 'purchasePlan', [
    id,
    payWith === 'tok' ? 0 : 1,
    maxPay,
    0,
    0,
  ]);
  return transactionHash;
}
