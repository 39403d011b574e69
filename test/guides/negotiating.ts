// docs/negotiating.md, from the offer to a task on a real chain that takes both signatures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeFunctionData } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { indexOf, scopes } from '#sdk/domain/state.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { formatWire, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { verifyTranscript } from '#sdk/negotiation/verifyTranscript.ts';
import { toContractTerms } from '#sdk/rules/terms.ts';
import { createSender } from '#sdk/send/keySender.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { readBlocks } from '../docs/markdown.ts';
import { connect } from '../support/embeddedChain.ts';
import { readCommands, readGuide, runCommands } from '../support/guide.ts';
import { scene } from './scene.ts';

test('two wallets negotiate as the guide prints it, and the chain takes what they agreed on', async (context) => {
  const { chain, cwd } = scene;
  const out = await runCommands(context, readCommands(readGuide('docs/negotiating.md')), scene);
  assert.match(out, /: offered, with 0x/);
  assert.match(out, /: accepted-by-one, with 0x/);
  assert.match(out, /changed +totalAmountTokWei: 500 TOK -> 600 TOK/);
  assert.match(out, /^Note, message 5 of the negotiation/m);

  const [negotiation] = JSON.parse(readFileSync(join(cwd, 'agreed.json'), 'utf8')).negotiations;
  assert.equal(negotiation.status, 'agreed');
  await verifyAsPrinted(negotiation.transcript);
  const { agreement } = negotiation;
  const { terms, place } = toContractTerms(agreement.terms);
  const registry = { address: place.registry, abi: taskRegistryAbi } as const;
  assert.equal(place.registry, chain.deployment.markets.standard.taskRegistry);
  const struct = { ...terms, scope: indexOf(scopes, terms.scope) };
  const { readContract } = chain.publicClient;
  const digest = await readContract({ ...registry, functionName: 'hashTerms', args: [struct] });
  assert.equal(digest, agreement.settlementDigest);
  const amounts = [200n * 10n ** 18n, 400n * 10n ** 18n];
  const args = [struct, amounts, '0x', agreement.workerSignature, '', 0n] as const;
  await createSender(connect(chain.report.rpcUrl, accountOf('lab').privateKey)).send({
    to: place.registry,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'createTask', args }),
  });
  const number = await readContract({ ...registry, functionName: 'taskCount' });
  const task = await readContract({ ...registry, functionName: 'getTask', args: [number] });
  assert.equal(task.settlementDigest, digest);
});

/** Runs the example of the section "In code" over the transcript that the commands have made. */
async function verifyAsPrinted(transcript: readonly SignedEnvelope[]): Promise<void> {
  const block = readBlocks(readGuide('docs/negotiating.md')).find(({ text }) =>
    text.includes('verifyTranscript('),
  );
  const [, code = assert.fail()] = block?.text.split('\n\n') ?? [];
  const run = new Function(
    'given',
    `return (async ({ verifyTranscript, verifyPlainAccount, texts, head }) => { ${code}
    return findings; })(given)`,
  );
  const texts = transcript.map(formatWire);
  const given = { verifyTranscript, verifyPlainAccount, texts, head: transcript.at(-1)?.hash };
  assert.deepEqual(await run(given), []);
  assert.notDeepEqual(await run({ ...given, texts: texts.slice(0, -1) }), []);
}
