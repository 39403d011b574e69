// Envelopes over the local mailbox: senders are processes, some of which are killed; receivers take in messages.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { privateKeyToAccount } from 'viem/accounts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport } from '#service/messages/transport.ts';
import { findProcessScript } from '../../test/support/svc.ts';
import { done, type PublicAct } from '../world.ts';

const script = findProcessScript('mailProcess');
const pair = [accountOf('press'), accountOf('coder')] as const;
/** Only two, so that their chains grow long. */
const negotiations = ['5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10', '0b8f6f0e-35c4-4f57-8c39-2f0a3a4f9b11'];

export const talk: PublicAct = async ({ setup, journal }, random) => {
  const at = random.below(negotiations.length);
  const [sender, receiver] = at === 0 ? pair : [pair[1], pair[0]];
  const count = 3 + random.below(6);
  // One in three is killed before it has sent all.
  const killAfter = random.below(3) === 0 ? 1 + random.below(count) : count + 1;
  const args = [script, setup.mailFolder, sender.privateKey, receiver.address, negotiations[at] as string];
  const child = spawn(process.execPath, [...args, String(count)], { stdio: ['ignore', 'pipe', 'ignore'] });
  let sent = 0;
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    // A killed process may print a partial line.
    if (/^0x[0-9a-f]{64}$/.test(line)) journal.envelopes.push(line);
    if (++sent === killAfter) child.kill('SIGKILL');
  }
  const agent = openAgent(setup.mailFolder, receiver.privateKey);
  try {
    await agent.receive();
  } finally {
    await agent.close();
  }
  return done(`${sent} sent`);
};

/** Both agents send their outbox and receive everything; returns what each holds then. */
export async function settleTalks(folder: string) {
  const agents = pair.map(({ privateKey }) => openAgent(folder, privateKey));
  try {
    for (const agent of agents) await agent.flush();
    for (const agent of agents) await agent.receive();
    return agents.map((agent) => ({
      transcripts: agent.listTranscripts(),
      outbox: agent.store.loadOutbox('local').length,
      refused: agent.store.loadRefused().length,
    }));
  } finally {
    for (const agent of agents) await agent.close();
  }
}

function openAgent(folder: string, privateKey: `0x${string}`) {
  const { address } = privateKeyToAccount(privateKey);
  const store = createNegotiationStore(join(folder, 'negotiations.sqlite'), address);
  const transport = createLocalTransport(join(folder, 'mail.sqlite'), address);
  const agent = createAgent({ address, store, transport, verify: verifyPlainAccount, now: () => new Date() });
  return {
    ...agent,
    store,
    close: async () => {
      await transport.close();
      store.close();
    },
  };
}
