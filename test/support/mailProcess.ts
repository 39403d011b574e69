// A process that sends to or receives from a local mailbox without end, so that a test can kill it anywhere.
//
// node mailProcess.ts <folder> send <key> <to> <negotiationId> <count>   prints the hash of each message it has sent
// node mailProcess.ts <folder> receive <key>                             prints how many messages it has taken in
import { join } from 'node:path';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '#sdk/domain/address.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport } from '#service/messages/transport.ts';

const [folder = '', task, key, to, negotiationId = '', count = '0'] = process.argv.slice(2);
const account = privateKeyToAccount(key as Hex);
const agent = createAgent({
  address: account.address,
  store: createNegotiationStore(join(folder, 'negotiations.sqlite'), account.address),
  transport: createLocalTransport(join(folder, 'mail.sqlite'), account.address),
  verify: verifyPlainAccount,
  now: () => new Date(),
});

if (task === 'send') {
  for (let index = 0; index < Number(count); index += 1) {
    const payload = { capability: `number ${index} of ${process.pid}`, evidence: ['none'] };
    const message = { type: 'CapabilityProof', negotiationId, payload };
    const { signed } = await agent.send(message, account.signTypedData, to as Address);
    process.stdout.write(`${signed.hash}\n`);
  }
} else {
  for (;;) {
    await agent.receive();
    process.stdout.write(
      `${agent.listTranscripts().reduce((sum, { entries }) => sum + entries.length, 0)}\n`,
    );
  }
}
