// One payment presented to two gateways at the same moment: they share the chain and the payee, and no rows.
import assert from 'node:assert/strict';
import type { Cast } from './cast.ts';
import type { TestGateway } from './gateway.ts';
import { payTo, readUsdc } from './paying.ts';
import { until } from './until.ts';
import { payV1, payV2, signAuthorization } from './x402.ts';

export type Both = readonly [TestGateway, TestGateway];
export type Form = 'v1' | 'v2';

/** How many payments are sent at once. */
const atOnce = 4;

/** Counts how often one gateway or both answered 200, and what the payee got. */
export async function payAtBoth(
  both: Both,
  cast: Cast,
  { path, tries, form }: { path: string; tries: number; form: Form },
) {
  const before = await readUsdc(cast, payTo);
  const granted = [0, 0, 0];
  const isRead = path.startsWith('/v1/paid');
  for (let done = 0; done < tries; done += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, tries - done) }, async () => {
      const signed = await signAuthorization(cast.worker.account, { to: payTo });
      const headers = form === 'v1' ? payV1(signed) : payV2(signed);
      const present = async () => {
        const answers = await Promise.all(
          both.map((gateway) =>
            isRead ? gateway.get(path, headers) : gateway.post(path, { payer: cast.worker.address }, headers),
          ),
        );
        for (const { status, body } of answers)
          assert.ok([200, 402, 503].includes(status), `${status} ${JSON.stringify(body)}`);
        return answers.filter(({ status }) => status === 200).length;
      };
      let good = 0;
      // On a slow machine a settlement, or the chain, may take longer than a request waits; the payer tries again.
      await until(async () => {
        good += await present();
        return good > 0;
      });
      granted[good] = (granted[good] ?? 0) + 1;
    });
    await Promise.all(batch);
  }
  return { one: granted[1], both: granted[2], earned: (await readUsdc(cast, payTo)) - before };
}
