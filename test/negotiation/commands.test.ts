// Proves what the commands of a negotiation do beyond the walk of the guide: vetoes, outbox, following, bad input.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport } from '#service/messages/transport.ts';
import { readLines } from '../support/lines.ts';
import {
  buildOffer,
  buildTerms,
  posterKey,
  stranger,
  worker,
  workerKey,
  write,
} from '../support/negotiating.ts';
import { createFolder, startSvc } from '../support/svc.ts';

/** Runs svc as the owner of a key, at mailboxes that all runs in this folder share. */
function createRun(folder: string, more: Record<string, string> = {}) {
  const run = async (key: Hex | undefined, ...args: string[]) => {
    const env = { SVC_DATA_DIR: join(folder, 'data'), ...more, ...(key && { PRIVATE_KEY: key }) };
    return startSvc(args, { cwd: folder, env }).ended;
  };
  const runJson = async (key: Hex, ...args: string[]) => {
    const { exitCode, out, err } = await run(key, ...args, '--json');
    assert.equal(exitCode, 0, err);
    return JSON.parse(out);
  };
  const save = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return name;
  };
  return { run, runJson, save };
}

function saveTerms(save: (name: string, value: unknown) => string) {
  const inDays = (days: number) => Math.floor(Date.now() / 1_000) + days * 86_400;
  const { terms, document } = buildOffer(buildTerms({ deadline: inDays(9), acceptBy: inDays(1) }));
  return save('terms.json', { terms, document });
}

test('under a veto nobody accepts from the command line; withdrawn, they do', async (context) => {
  const { run, runJson, save } = createRun(createFolder(context));
  const terms = saveTerms(save);
  const { negotiationId, settlementDigest } = await runJson(
    posterKey,
    'send-proposal',
    '--to',
    worker.address,
    '--terms',
    terms,
  );
  await runJson(workerKey, 'inbox');
  const veto = { supervisor: stranger.address, reason: 'Too dear.' };
  const of = ['--negotiation', negotiationId];
  await runJson(workerKey, 'send', 'SupervisorVeto', ...of, '--payload', save('veto.json', veto));
  const refused = await run(workerKey, 'send', 'TaskAcceptance', ...of);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.err, /must be withdrawn first/);
  const end = save('end.json', { ...veto, withdrawn: true });
  await runJson(workerKey, 'send', 'SupervisorVeto', ...of, '--payload', end);
  await runJson(workerKey, 'send', 'TaskAcceptance', ...of, '--digest', settlementDigest);
});

test('neither a chain that is away nor a payload without a bottom keeps anybody from reading on', async (context) => {
  const folder = createFolder(context);
  const dataDir = join(folder, 'data');
  const mail = createLocalTransport(join(dataDir, 'mail.sqlite'), worker.address);
  const store = createNegotiationStore(join(dataDir, 'negotiations.sqlite'), worker.address);
  context.after(() => Promise.all([mail.close(), store.close()]));
  const post = async (change: Partial<SignedEnvelope> = {}) => {
    const talk = { negotiationId: crypto.randomUUID() };
    const signed = await write(
      stranger,
      'CapabilityProof',
      { capability: 'x', evidence: ['y'] },
      noHead,
      talk,
    );
    await mail.send(worker.address, toCanonical({ ...signed, ...change }));
    return signed;
  };
  const { envelope, ...rest } = await post({ signature: `0x${'11'.repeat(65)}` });
  // As it would have been taken in before there was a limit.
  const deep = {
    envelope: { ...envelope, payload: { x: JSON.parse('['.repeat(6_000) + ']'.repeat(6_000)) } },
    ...rest,
  };
  store.saveArrivals('local', [{ text: toCanonical(deep), signed: deep }], null, new Date());
  const first = await post();
  const following = startSvc(['inbox', '--address', worker.address, '--follow', '--json'], {
    cwd: folder,
    env: { SVC_DATA_DIR: dataDir, SVC_RPC_URL: 'http://127.0.0.1:9' },
  });
  context.after(() => following.child.kill('SIGKILL'));
  const nextLine = readLines(following.child);
  const { negotiations, refused, trouble } = JSON.parse(await nextLine());
  assert.match(trouble, /^The chain cannot be reached/);
  assert.deepEqual([negotiations.length, negotiations[0].transcript[0].hash], [1, first.hash]);
  assert.deepEqual(refused, []);
  const second = await post();
  assert.equal(JSON.parse(await nextLine()).hash, second.hash);
  following.child.kill('SIGINT');
  const { exitCode, err } = await following.ended;
  assert.equal(exitCode, 0);
  assert.match(
    err,
    /^The chain cannot be reached: no connection to [\w.:]+\. Messages of wallets .* wait for it/,
  );
});

test('bad input is reported in one sentence, and nothing is sent', async (context) => {
  const folder = createFolder(context);
  const { run, runJson, save } = createRun(folder, { SVC_SITE_URL: 'http://127.0.0.1:9' });
  const good = saveTerms(save);
  const foreign = save('foreign.json', buildOffer(buildTerms({ poster: stranger.address })));
  const to = ['--to', worker.address];
  const id = ['--negotiation', '5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10'];
  const cases: [RegExp, Hex | undefined, ...string[]][] = [
    [/PRIVATE_KEY is not set/, undefined, 'send-proposal', ...to, '--terms', good],
    [/there is no such file/, posterKey, 'send-proposal', ...to, '--terms', 'nowhere.json'],
    [/terms/, posterKey, 'send-proposal', ...to, '--terms', save('empty.json', {})],
    [/between other wallets/, posterKey, 'send-proposal', ...to, '--terms', foreign],
    [/npm start/, posterKey, 'send-proposal', ...to, '--total', '5', '--title', 'x'],
    [/no negotiation 5f0c9a52/, posterKey, 'send', 'TaskAcceptance', ...id],
    [/milestone/, posterKey, 'send', 'DeliveryNotice', ...to, '--payload', 'empty.json'],
  ];
  for (const [message, key, ...args] of cases) {
    const ended = await run(key, ...args);
    assert.equal(ended.exitCode, 1, `${args.join(' ')}: ${ended.err}`);
    assert.match(ended.err, message);
    assert.doesNotMatch(ended.err, /\n\s+at /);
  }
  const { negotiations, outbox } = await runJson(posterKey, 'inbox');
  assert.deepEqual({ negotiations, outbox }, { negotiations: [], outbox: 0 });
});
