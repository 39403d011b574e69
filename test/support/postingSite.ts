// A site and wallets for tests of the posting quota: posts and payments really happen on the embedded chain.
import { type Hex, parseEventLogs, stringToHex } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Market } from '#sdk/domain/market.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { Cast, Party } from './cast.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed answer
export type Json = any;

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json };

export async function send(url: string, path: string, body: unknown, more: object = {}): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function get(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function getQuota(url: string, address: string, market: Market = 'standard'): Promise<Json> {
  return (await get(url, `/api/posting/quota?address=${address}&market=${market}`)).body;
}

/** A hash that no transaction has. */
export function unseenHash(seed: number): Hex {
  return `0x${seed.toString(16).padStart(64, 'e')}`;
}

export const taskAmount = parseTok('1000');

export type RealPost = {
  readonly address: string;
  readonly taskId: string;
  readonly txHash: Hex;
  readonly taskAmountTok: string;
};

/** Posts a task and returns the body for `record`. */
export async function postForReal(
  { client, contracts, market }: Cast,
  poster: Party,
): Promise<RealPost & { readonly blockNumber: bigint }> {
  const { timestamp } = await client.getBlock();
  const { transactionHash, blockNumber, logs } = await poster.write(contracts.registry, 'postTask', [
    {
      totalAmount: taskAmount,
      deadline: timestamp + 86_400n,
      reviewPeriod: 86_400,
      criteriaHash: hashCriteria('As agreed.'),
      milestones: [],
      uri: '',
      fundNow: 0n,
    },
  ]);
  const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
  if (posted === undefined) throw new Error('no task was posted');
  return {
    address: poster.address,
    taskId: `v2:${market}:${posted.args.taskId}`,
    txHash: transactionHash,
    taskAmountTok: String(taskAmount),
    blockNumber,
  };
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
