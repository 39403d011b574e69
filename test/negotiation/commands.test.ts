// Proves what the commands of a negotiation do beyond the walk of the guide: following, bad input.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport } from '#service/messages/transport.ts';
import { readLines } from '../support/lines.ts';
import {
  buildOffer,
  buildTerms,
  negotiationId,
  poster,
  posterKey,
  stranger,
  worker,
  workerKey,
  write,
} from '../support/negotiating.ts';
import { createFolder, runSvc, startSvc } from '../support/svc.ts';

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
  const run = (key: Hex | undefined, ...args: string[]) => {
    const env = { SVC_DATA_DIR: join(folder, 'data'), ...(key && { PRIVATE_KEY: key }) };
    return runSvc(args, { cwd: folder, env });
  };
  const foreign = buildOffer(buildTerms({ poster: stranger.address }));
  writeFileSync(join(folder, 'foreign.json'), JSON.stringify(foreign));
  const offer = ['send-proposal', '--to', worker.address, '--terms', 'foreign.json'];
  const good = buildOffer();
  const blank = { ...good.document, criteria: ' ' };
  const files = {
    'misnamed.json': { ...good, criteria: 'x' },
    'misnamed-words.json': { ...good, document: { ...good.document, criteriaText: 'x' } },
    'blank.json': buildOffer(buildTerms({ criteriaHash: hashCanonical(blank) }), blank),
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  const terms = (name: string) => ['send-proposal', '--to', worker.address, '--terms', name];
  const parts = [
    'send-proposal',
    '--to',
    worker.address,
    '--total',
    '500',
    '--title',
    'T',
    '--milestones',
    '200,300',
  ];
  const payload = (type: string, name: string) => ['send', type, '--to', worker.address, '--payload', name];
  writeFileSync(join(folder, 'note.json'), JSON.stringify({ text: 'No.', withdraw: good.settlementDigest }));
  const acceptance = ['send', 'TaskAcceptance', '--negotiation', negotiationId];
  for (const [message, key, ...args] of [
    [/PRIVATE_KEY is not set/, undefined, ...offer],
    [/between other wallets/, posterKey, ...offer],
    [/no negotiation 5f0c9a52/, posterKey, ...acceptance, '--digest', good.settlementDigest],
    [/needs --digest <settlementDigest>, that of the offer that you have read/, posterKey, ...acceptance],
    [/criteria: there is no such field/, posterKey, ...terms('misnamed.json')],
    [/document: Unrecognized key: "criteriaText"/, posterKey, ...terms('misnamed-words.json')],
    [/Unrecognized key: "criteria"/, posterKey, ...payload('TaskProposal', 'misnamed.json')],
    [/"criteriaText"/, posterKey, ...payload('TaskProposal', 'misnamed-words.json')],
    [/criteria: must say what is accepted/, posterKey, ...payload('TaskProposal', 'blank.json')],
    [/"withdraw"/, posterKey, ...payload('Note', 'note.json')],
    [/--milestone-texts must say what each of the 2 milestones delivers/, posterKey, ...parts],
  ] as [RegExp, Hex | undefined, ...string[]][]) {
    const { exitCode, err } = await run(key, ...args);
    assert.equal(exitCode, /--(milestone-texts must|digest)/.test(String(message)) ? 2 : 1, err);
    assert.match(err, message);
    assert.doesNotMatch(err, /\n\s+at /);
  }
  const { negotiations, outbox } = JSON.parse((await run(posterKey, 'inbox', '--json')).out);
  assert.deepEqual({ negotiations, outbox }, { negotiations: [], outbox: 0 });
});

test('an acceptance is not signed while nobody can say which market its terms are for', async (context) => {
  const folder = createFolder(context);
  const acceptBy = Math.floor(Date.now() / 1_000) + 3_600;
  const offer = buildOffer(buildTerms({ acceptBy, deadline: acceptBy + 86_400 }));
  const mail = createLocalTransport(join(folder, 'data', 'mail.sqlite'), poster.address);
  await mail.send(worker.address, toCanonical(await write(poster, 'TaskProposal', offer)));
  await mail.close();
  const env = {
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_SITE_URL: 'http://127.0.0.1:9',
    PRIVATE_KEY: workerKey,
  };
  const run = (...args: string[]) => runSvc(args, { cwd: folder, env });
  await run('inbox');
  const { exitCode, err } = await run(
    ...['send', 'TaskAcceptance', '--negotiation', negotiationId, '--digest', offer.settlementDigest],
  );
  assert.equal(exitCode, 1, err);
  assert.match(err, /127\.0\.0\.1:9/);
  const { negotiations, outbox } = JSON.parse((await run('inbox', '--json')).out);
  assert.deepEqual([outbox, negotiations[0].acceptances], [0, []], 'nothing was signed');
});
