// Payments under a name, the extension payment-identifier of x402: a request that is tried again is paid once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import type { Answer } from '../support/asking.ts';
import type { Cast } from '../support/cast.ts';
import type { TestGateway } from '../support/gateway.ts';
import { assertRefused, earnedBy, payTo } from '../support/paying.ts';
import { postTask } from '../support/posting.ts';
import { claimRequest, payV2, type SignedAuthorization, signAuthorization } from '../support/x402.ts';

type Scene = {
  readonly get: () => { readonly gateway: TestGateway; readonly cast: Cast; readonly taskId: string };
  readonly claim: (headers: Record<string, string>, id?: string, payer?: Hex) => Promise<Answer>;
  readonly sign: () => Promise<SignedAuthorization>;
};

export function testNames({ get, claim, sign }: Scene): void {
  test('under a name is charged once, whatever authorization comes with the name', async () => {
    const { gateway, cast, taskId } = get();
    const named = (id: unknown, parts: object = {}) => ({
      'payment-identifier': { info: { required: false, id }, ...parts },
    });
    const payAs = async (id: unknown, to: string = get().taskId) =>
      claim(payV2(await sign(), {}, named(id)), to);
    const id = `retry-${crypto.randomUUID()}`;
    const other = await postTask(cast);
    const earned = await earnedBy(cast, async () => {
      // At once, by several authorizations of the same payer: one is settled, the others wait or get its answer.
      const answers = await Promise.all(Array.from({ length: 4 }, () => payAs(id)));
      const [paid = assert.fail('nobody got in')] = answers.filter(({ status }) => status === 200);
      for (const answer of answers)
        if (answer.status === 200) assert.deepEqual(answer.body, paid.body);
        else assertRefused(answer, /another payment has this payment identifier/);
      await gateway.restart();
      assert.deepEqual((await payAs(id)).body, paid.body, 'after a restart');
      assertRefused(await payAs(id, other), /identifier was used for something else/);
      for (const bad of ['short', 'x'.repeat(129), 'with spaces in it!', 7])
        assertRefused(await payAs(bad), /16 to 128 letters/);
    });
    assert.equal(earned, 10_000n);
    // The name of one payer says nothing about another's.
    const stranger = await signAuthorization(cast.poster.account, { to: payTo });
    const theirs = await claim(payV2(stranger, {}, named(id)), taskId, cast.poster.address);
    assert.notEqual(theirs.status, 200);
    // A name without a valid signature gets no answer.
    const forged = { ...(await sign()), signature: `0x${'11'.repeat(65)}` as const };
    assertRefused(await claim(payV2(forged, {}, named(id))), /not valid/);
  });

  test('of the stock client takes the name of its extension', async () => {
    const { gateway, cast, taskId } = get();
    const id = `stock-${crypto.randomUUID()}`;
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(cast.worker.account));
    client.registerExtension({
      key: 'payment-identifier',
      enrichPaymentPayload: async (payload) => {
        const declared = payload.extensions?.['payment-identifier'] as { info: object };
        const extension = { ...declared, info: { ...declared.info, id } };
        return { ...payload, extensions: { ...payload.extensions, 'payment-identifier': extension } };
      },
    });
    const pay = wrapFetchWithPayment(fetch, client);
    const earned = await earnedBy(cast, async () => {
      const request = async () => {
        const response = await pay(...claimRequest(gateway.url(), taskId, cast.worker.address));
        return { status: response.status, body: await response.json() };
      };
      const first = await request();
      assert.equal(first.status, 200);
      assert.deepEqual(await request(), first);
    });
    assert.equal(earned, 10_000n, 'two requests, one payment');
  });
}
