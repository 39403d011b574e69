// Proves that two wallets negotiate from the command line, up to a task on a real chain that takes their signatures.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { encodeFunctionData, type Hex } from 'viem';
import { taskRegistryAbi } from '#chain/abi/taskRegistry.ts';
import { createSender } from '#chain/send.ts';
import { type AccountName, accountOf } from '#devnet/accounts.ts';
import { indexOf, scopes } from '#domain/state.ts';
import { toContractTerms } from '#negotiation/terms.ts';
import { startChain } from '../support/devnet.ts';
import { connect } from '../support/embeddedChain.ts';
import { readLines } from '../support/lines.ts';
import { buildTerms, poster, posterKey, stranger, worker, workerKey } from '../support/negotiating.ts';
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
  return save('terms.json', { terms: buildTerms({ deadline: inDays(9), acceptBy: inDays(1) }) });
}

test('proposal, counter-offer, acceptance by both, and the chain takes what was agreed', async (context) => {
  const chain = await startChain();
  context.after(() => chain.stop());
  const { siteUrl } = chain.report as unknown as { readonly siteUrl: string };
  const { runJson, save } = createRun(createFolder(context), { SVC_SITE_URL: siteUrl });
  const keyOf = (name: AccountName) => accountOf(name).privateKey;
  const [lab, coder] = [keyOf('lab'), keyOf('coder')];

  const words = ['--total', '500', '--criteria', 'All tests pass.', '--rationale', 'As discussed.'];
  const proposal = await runJson(lab, 'send-proposal', '--to', accountOf('coder').address, ...words);
  assert.equal(proposal.type, 'TaskProposal');
  const of = ['--negotiation', proposal.negotiationId];
  const [seen] = (await runJson(coder, 'inbox')).negotiations;
  assert.equal(seen.status, 'offered');
  assert.equal(seen.offer.settlementDigest, proposal.settlementDigest);

  const counter = await runJson(coder, 'send-proposal', ...of, '--total', '600', '--milestones', '200,400');
  assert.equal(counter.type, 'TaskCounterOffer');
  assert.equal(
    (await runJson(coder, 'send', 'TaskAcceptance', ...of)).settlementDigest,
    counter.settlementDigest,
  );
  assert.equal((await runJson(lab, 'inbox')).negotiations[0].status, 'accepted-by-one');
  await runJson(lab, 'send', 'TaskAcceptance', ...of);
  const [agreed] = (await runJson(lab, 'inbox')).negotiations;
  assert.equal(agreed.status, 'agreed');

  const { terms, place } = toContractTerms(agreed.agreement.terms);
  assert.equal(place.registry, chain.deployment.markets.standard.taskRegistry);
  const args = [{ ...terms, scope: indexOf(scopes, terms.scope) }] as const;
  const registry = { address: place.registry, abi: taskRegistryAbi } as const;
  const digest = await chain.publicClient.readContract({ ...registry, functionName: 'hashTerms', args });
  assert.equal(digest, counter.settlementDigest);
  const amounts = [200n * 10n ** 18n, 400n * 10n ** 18n];
  const call = [...args, amounts, '0x', agreed.agreement.workerSignature, '', 0n] as const;
  await createSender(connect(chain.report.rpcUrl, lab)).send({
    to: place.registry,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'createTask', args: call }),
  });
  const number = await chain.publicClient.readContract({ ...registry, functionName: 'taskCount' });
  const task = await chain.publicClient.readContract({
    ...registry,
    functionName: 'getTask',
    args: [number],
  });
  assert.equal(task.settlementDigest, digest);

  const notice = save('notice.json', { milestone: 0, proofHash: `0x${'77'.repeat(32)}` });
  const taskId = `v2:standard:${number}`;
  await runJson(coder, 'inbox');
  await runJson(coder, 'send', 'DeliveryNotice', ...of, '--task', taskId, '--payload', notice);
  const [working] = (await runJson(lab, 'inbox', ...of)).negotiations;
  assert.equal(working.taskId, taskId);
  assert.equal(working.status, 'tasked');
  assert.equal(working.deliveries[0].state, 'delivered');
  // The task need not be named again.
  await runJson(lab, 'send', 'AcceptDelivery', ...of, '--payload', notice);
  const [done] = (await runJson(coder, 'inbox')).negotiations;
  assert.equal(done.deliveries[0].state, 'accepted');
});

test('under a veto nobody accepts from the command line; withdrawn, they do', async (context) => {
  const { run, runJson, save } = createRun(createFolder(context));
  const terms = saveTerms(save);
  const { negotiationId } = await runJson(
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
  assert.match(refused.err, /has put in a veto/);
  const end = save('end.json', { ...veto, withdrawn: true });
  await runJson(workerKey, 'send', 'SupervisorVeto', ...of, '--payload', end);
  await runJson(workerKey, 'send', 'TaskAcceptance', ...of);
});

test('over XMTP without a network the envelope is kept in the outbox, and both commands say so', async (context) => {
  const { run, save } = createRun(createFolder(context), { SVC_XMTP_ENV: 'local' });
  const over = ['--transport', 'xmtp', '--json'];
  const sent = await run(
    posterKey,
    'send-proposal',
    '--to',
    worker.address,
    '--terms',
    saveTerms(save),
    ...over,
  );
  assert.equal(sent.exitCode, 1);
  assert.equal(JSON.parse(sent.out).delivered, false);
  assert.match(sent.err, /the network "local" does not answer\.\nIt is kept in the outbox/);
  const inbox = await run(posterKey, 'inbox', ...over);
  assert.equal(inbox.exitCode, 1);
  const { outbox, negotiations } = JSON.parse(inbox.out);
  assert.deepEqual([outbox, negotiations.length], [1, 1]);
});

test('--follow tells what arrives, and ends well when asked to', async (context) => {
  const folder = createFolder(context);
  const { runJson, save } = createRun(folder);
  const env = { SVC_DATA_DIR: join(folder, 'data') };
  const following = startSvc(['inbox', '--address', worker.address, '--follow', '--json'], {
    cwd: folder,
    env,
  });
  context.after(() => following.child.kill('SIGKILL'));
  const nextLine = readLines(following.child);
  assert.deepEqual(JSON.parse(await nextLine()).negotiations, []);
  const sent = await runJson(posterKey, 'send-proposal', '--to', worker.address, '--terms', saveTerms(save));
  const line = JSON.parse(await nextLine());
  assert.deepEqual([line.hash, line.status], [sent.hash, 'offered']);
  following.child.kill('SIGINT');
  assert.equal((await following.ended).exitCode, 0);
});

test('bad input is told in one sentence, and nothing is sent', async (context) => {
  const folder = createFolder(context);
  const { run, runJson, save } = createRun(folder, { SVC_SITE_URL: 'http://127.0.0.1:9' });
  const good = saveTerms(save);
  const foreign = save('foreign.json', buildTerms({ poster: stranger.address }));
  const to = ['--to', worker.address];
  const id = ['--negotiation', '5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10'];
  const cases: [number, RegExp, Hex | undefined, ...string[]][] = [
    [1, /PRIVATE_KEY is not set/, undefined, 'send-proposal', ...to, '--terms', good],
    [1, /PRIVATE_KEY is not set/, undefined, 'inbox'],
    [2, /either --to <address> or --negotiation/, posterKey, 'send-proposal', '--terms', good],
    [2, /--to: An address must be/, posterKey, 'send-proposal', '--to', 'bob', '--terms', good],
    [2, /--total: An amount in TOK/, posterKey, 'send-proposal', ...to, '--total', '1e3'],
    [2, /needs --terms, or --total and --criteria/, posterKey, 'send-proposal', ...to],
    [2, /--terms brings all terms/, posterKey, 'send-proposal', ...to, '--terms', good, '--total', '1'],
    [2, /must hold one JSON object/, posterKey, 'send-proposal', ...to, '--terms', save('list.json', [])],
    [1, /there is no such file/, posterKey, 'send-proposal', ...to, '--terms', 'nowhere.json'],
    [1, /terms\.market/, posterKey, 'send-proposal', ...to, '--terms', save('empty.json', {})],
    [1, /between other wallets/, posterKey, 'send-proposal', ...to, '--terms', foreign],
    [1, /npm start/, posterKey, 'send-proposal', ...to, '--total', '5', '--criteria', 'x'],
    [1, /no negotiation 5f0c9a52/, posterKey, 'send', 'TaskAcceptance', ...id],
    [2, /needs a type: TaskProposal/, posterKey, 'send', 'Nonsense', ...id],
    [2, /needs --payload/, posterKey, 'send', 'DeliveryNotice', ...to],
    [1, /milestone/, posterKey, 'send', 'DeliveryNotice', ...to, '--payload', 'empty.json'],
    [2, /--transport must be local or xmtp/, posterKey, 'inbox', '--transport', 'pigeon'],
  ];
  for (const [exitCode, message, key, ...args] of cases) {
    const ended = await run(key, ...args);
    assert.equal(ended.exitCode, exitCode, `${args.join(' ')}: ${ended.err}`);
    assert.match(ended.err, message);
    assert.doesNotMatch(ended.err, /\n\s+at /);
  }
  const { negotiations, outbox } = await runJson(posterKey, 'inbox');
  assert.deepEqual({ negotiations, outbox }, { negotiations: [], outbox: 0 });
  assert.notEqual(poster.address, worker.address);
});

test('--help tells each command by an example', async (context: TestContext) => {
  const { run } = createRun(createFolder(context));
  for (const name of ['send-proposal', 'send', 'inbox']) {
    const { exitCode, out } = await run(undefined, name, '--help');
    assert.equal(exitCode, 0);
    assert.match(out, new RegExp(`^Usage: svc ${name}`));
  }
});
