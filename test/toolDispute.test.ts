// Proves that three stock MCP clients end a private task with two milestones, a dispute, evidence of both sides and a ruling by
// tools alone: no document, key or signature is copied, and what a wallet made survives the end of its process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { createDemoAgent, type DemoAgent, type Reply } from '#service/demo/demoAgent.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { ask, startChain } from './support/devnet.ts';

const market = 'micro';

test('a private task with a dispute and a ruling, by three agents through tools alone', async (context) => {
  const chain = await startChain('--no-keeper');
  context.after(() => chain.stop());
  const { siteUrl, gatewayUrl } = chain.report;
  const create = (name: Parameters<typeof accountOf>[0]) =>
    createDemoAgent({ siteUrl, gatewayUrl }, accountOf(name));
  const agents = await Promise.all([create('lab'), create('coder'), create('assessor')]);
  context.after(() => Promise.all(agents.map((agent) => agent.close())));
  const [poster, worker, judge] = agents;
  const { address } = poster;

  /** A ready call of an answer, as it is. */
  const follow = async (agent: DemoAgent, inbox: Reply) => {
    const [next] = inbox.conversations[0].next;
    return agent.call(next.tool, next.arguments);
  };
  const inboxOf = (agent: DemoAgent) => agent.call('svc_inbox', { address: agent.address, limit: 1 });
  const taskFor = async (agent: DemoAgent, taskId: string): Promise<Reply> =>
    (await agent.call('svc_get_task', { taskId })).task;
  const attach = async (agent: DemoAgent, taskId: string, path: string, text: string) => {
    agent.writeFile(path, text);
    const { artifact } = await agent.call('svc_attach_file', {
      path,
      taskId,
      from: agent.address,
      seal: true,
    });
    return { taskId, artifacts: [artifact] };
  };
  const readFiles = async (agent: DemoAgent, ...documents: readonly Reply[]) => {
    const texts = [];
    for (const { untrustedText } of documents)
      for (const { sealed, key, sha256 } of untrustedText.document.artifacts) {
        const file = { sha256: sealed.sha256, key, plainSha256: sha256 };
        texts.push((await agent.call('svc_read_file', file)).untrustedText.text);
      }
    return texts;
  };

  await poster.call('svc_send_message', {
    from: address,
    to: worker.address,
    type: 'TaskProposal',
    offer: {
      market,
      title: 'Index a box of letters',
      criteriaText: 'One row for each letter.',
      totalAmountTok: '700',
      milestones: ['300', '400'],
      deadline: '+3d',
      reviewPeriod: '6h',
    },
  });
  const signed = await follow(worker, await inboxOf(worker));
  assert.equal(signed.sent, true, signed.next);
  await worker.act('approve-tok-router', { market, amountTok: '1000' });
  const agreed = await inboxOf(poster);
  const [{ arguments: ready }] = agreed.conversations[0].next;
  await assert.rejects(
    poster.call('svc_prepare', {
      ...ready,
      arguments: { ...ready.arguments, settlementDigest: `0x${'1'.repeat(64)}` },
    }),
    /another settlementDigest/,
  );
  const taskId = await poster.settle(await follow(poster, agreed));
  assert.ok(taskId);
  await poster.act('start-work', { taskId });

  const words = await taskFor(worker, taskId);
  assert.equal(words.untrustedText.title, 'Index a box of letters');
  const first = await attach(worker, taskId, 'letters.csv', 'date,sender\n');
  const delivered = await worker.act('submit-proof', { ...first, note: 'The letters.' });
  assert.equal(delivered.papers, 'The poster got 1 documents and 1 keys.');
  const review = await taskFor(poster, taskId);
  assert.equal(review.deliveries[0].documentState, 'verified');
  assert.deepEqual(await readFiles(poster, review.deliveries[0]), ['date,sender\n']);
  await poster.act('accept-milestone', { taskId, milestone: '0' });

  await worker.act('submit-proof', { taskId, note: 'There are no envelopes.' });
  const scan = await attach(poster, taskId, 'scan.txt', 'An envelope.');
  const opened = await poster.act('open-dispute', { ...scan, evidenceText: 'One is in the scan.' });
  assert.equal(opened.papers, 'The worker got 1 documents and 1 keys.');
  await worker.act('answer-dispute', { taskId, evidenceText: 'It is a letter.' });
  const proposal = { taskId, arbitrator: judge.address };
  await poster.act('propose-arbitrator', proposal);
  const named = await worker.act('propose-arbitrator', proposal);
  assert.match(named.papers, /The judge got \d documents and \d keys\./);

  const mine = await judge.call('svc_my_work', { address: judge.address, market });
  assert.ok(JSON.stringify(mine).includes(taskId), 'the judge finds the case');
  const full = await taskFor(judge, taskId);
  const papers = [...full.deliveries, ...full.dispute.evidence];
  assert.equal(full.untrustedText.criteria, 'One row for each letter.');
  assert.deepEqual(
    papers.map(({ documentState }) => documentState),
    Array(4).fill('verified'),
  );
  assert.deepEqual(await readFiles(judge, ...papers), ['date,sender\n', 'An envelope.']);
  // Both sides are heard before a ruling.
  await ask(chain.publicClient, 'evm_increaseTime', marketParameters.micro.hearingSeconds + 60);
  await ask(chain.publicClient, 'evm_mine');
  const ruled = await judge.act('resolve-dispute', { taskId, workerBps: '5000', reasonText: 'It is both.' });
  assert.match(ruled.papers, /The poster got .* The worker got /);
  for (const party of [poster, worker]) {
    const { dispute, state } = await taskFor(party, taskId);
    assert.equal(state, 'RESOLVED');
    assert.equal(dispute.ruling.untrustedText.document.reasons, 'It is both.');
  }

  const spent = agents.map(({ name, spent: read }) => ({ name, ...read() }));
  const calls = spent.reduce((sum, one) => sum + one.calls, 0);
  const tokens = spent.reduce((sum, one) => sum + one.tokens, 0);
  context.diagnostic(`${calls} calls, ${tokens} tokens: ${JSON.stringify(spent)}`);
  assert.ok(calls <= 32, `${calls} calls`);
  assert.ok(tokens <= 16_000, `${tokens} tokens`);
});
