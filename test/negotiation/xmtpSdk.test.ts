// The XMTP transport with the real package, which is installed on demand: npm install --no-save @xmtp/node-sdk@5.5.0
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { connectXmtp, createXmtpTransport } from '#service/messages/xmtp.ts';
import { buildOffer, negotiationId, poster, worker } from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

const sdk = await import('@xmtp/node-sdk').catch(() => null);
if (sdk === null)
  console.error(
    '!!! @xmtp/node-sdk is not installed: the XMTP transport is NOT tested with the real package !!!',
  );
else testRealSdk(sdk);

function testRealSdk({ Client }: NonNullable<typeof sdk>): void {
  test('without a network the SDK fails within seconds, and the envelope stays in the outbox', async (context) => {
    const folder = createFolder(context);
    assert.equal(typeof Client.create, 'function');
    const store = createNegotiationStore(join(folder, 'negotiations.sqlite'), poster.address);
    context.after(() => store.close());
    const transport = createXmtpTransport({ network: 'local' }, () =>
      connectXmtp({
        address: poster.address,
        signMessage: (message) => poster.signMessage({ message }),
        network: 'local',
        databasePath: join(folder, 'xmtp.db3'),
        databaseKey: `0x${'11'.repeat(32)}`,
      }),
    );
    const agent = createAgent({
      address: poster.address,
      store,
      transport,
      verify: verifyPlainAccount,
      now: () => new Date(),
    });
    const message = { type: 'TaskProposal', negotiationId, payload: buildOffer() };
    const { kept, signed } = await agent.send(message, poster.signTypedData, worker.address);
    assert.equal(kept, 'Messages cannot be sent through XMTP now: the network "local" does not answer.');
    assert.deepEqual(
      store.loadOutbox('xmtp').map(({ to, text }) => ({ to, text })),
      [{ to: worker.address.toLowerCase(), text: formatWire(signed) }],
    );
    // No installation was ever told, and an empty key is what the envelope says.
    assert.equal(signed.envelope.sender.xmtpPublicKey, '');
    await assert.rejects(agent.receive(), { code: 'TRANSPORT_UNREACHABLE' });
  });
}
