// A process that sends to a local mailbox, so that the soak can kill it anywhere.
//
// node mailProcess.ts <folder> <key> <to> <negotiationId> <count>   prints the hash of each message it has sent
import { join } from 'node:path';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '#sdk/domain/address.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport } from '#service/messages/transport.ts';

const [folder = '', key, to, negotiationId = '', count = '0'] = process.argv.slice(2);
const account = privateKeyToAccount(key as Hex);
const agent = createAgent({
  address: account.address,
  store: createNegotiationStore(join(folder, 'negotiations.sqlite'), account.address),
  transport: createLocalTransport(join(folder, 'mail.sqlite'), account.address),
  verify: verifyPlainAccount,
  now: () => new Date(),
});

for (let index = 0; index < Number(count); index += 1) {
  const payload = { capability: `number ${index} of ${process.pid}`, evidence: ['none'] };
  const message = { type: 'CapabilityProof', negotiationId, payload };
  const { signed } = await agent.send(message, account.signTypedData, to as Address);
  process.stdout.write(`${signed.hash}\n`);
}
