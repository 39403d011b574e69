// A gateway that takes payments by x402, and what they must and must not do.
import assert from 'node:assert/strict';
import type { Hex } from 'viem';
import { accountOf } from '#service/devnet/accounts.ts';
import type { Answer } from './asking.ts';
import { type Cast, createCast, enter } from './cast.ts';
import { startGateway } from './gateway.ts';
import { postTask } from './posting.ts';
import { decode } from './x402.ts';

/** Whom the gateways of tests have paid. */
export const payTo = accountOf('treasury').address;

/** A gateway, two wallets that may trade, and a task. */
export async function startTrade() {
  const gateway = await startGateway();
  const cast = await createCast(gateway.devnet.rpcUrl, 'standard');
  await enter(cast);
  return { gateway, cast, taskId: await postTask(cast) };
}

export const readUsdc = ({ client, contracts }: Cast, of: Hex): Promise<bigint> =>
  client.readContract({ ...contracts.usdc, functionName: 'balanceOf', args: [of] });

/** What the payee gets while `work` is done. */
export async function earnedBy(cast: Cast, work: () => Promise<unknown>): Promise<bigint> {
  const before = await readUsdc(cast, payTo);
  await work();
  return (await readUsdc(cast, payTo)) - before;
}

/** With a challenge in a header that clients take, so that they can go on to pay. */
export function assertRefused({ status, body, headers }: Answer, reason: RegExp): void {
  assert.deepEqual([status, body.code], [402, 'PAYMENT_REQUIRED'], JSON.stringify(body));
  assert.match(body.error, reason);
  assert.equal(body.x402Version, 1);
  assert.equal(headers.get('cache-control'), 'no-store');
  const challenge = headers.get('payment-required') ?? '';
  assert.equal((decode(challenge).accepts as unknown[]).length, 1);
  assert.ok(challenge.length < 3_000);
}
