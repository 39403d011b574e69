// The three jobs of docs/agents.md, call by call, by stock clients: what agents write and read may not grow.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { marketParameters } from '#sdk/domain/parameters.ts';
import type { DemoAgent, Reply } from '#service/demo/demoAgent.ts';

const market = 'micro';
const work = {
  market,
  title: 'Translate a leaflet',
  criteriaText: 'Every paragraph is there.',
  totalAmountTok: '900',
  deadline: '+3d',
  reviewPeriod: '12h',
};

type Scene = {
  readonly start: (...names: readonly ('lab' | 'coder' | 'assessor')[]) => Promise<readonly DemoAgent[]>;
  readonly pass: (seconds: number) => Promise<void>;
};

const taskFor = async (agent: DemoAgent, taskId: string): Promise<Reply> =>
  (await agent.call('svc_get_task', { taskId })).task;

async function attach(agent: DemoAgent, taskId: string, path: string, seal = false) {
  agent.writeFile(path, `${path} of ${agent.name}`);
  return (await agent.call('svc_attach_file', { path, taskId, from: agent.address, ...(seal && { seal }) }))
    .artifact;
}

/**
 * Four characters are one token here. With the tokenizer o200k a token of these calls has 2.5 to 2.8, because most characters are
 * hashes and addresses: a ceiling of 1,000 is 1,600 of those at most.
 */
function hold(context: TestContext, agents: readonly DemoAgent[], calls: number, tokens: number) {
  const spent = agents.map((agent) => agent.spent());
  const sum = (kind: 'calls' | 'tokens') => spent.reduce((total, one) => total + one[kind], 0);
  context.diagnostic(`${sum('calls')} calls, ${sum('tokens')} tokens`);
  assert.ok(sum('calls') <= calls, `${sum('calls')} calls`);
  assert.ok(sum('tokens') <= tokens, `${sum('tokens')} tokens`);
}

export function testGuideJobs({ start, pass }: Scene): void {
  test('a private task with a counter-offer and a sealed file', async (context) => {
    const agents = await start('lab', 'coder');
    const [poster, worker] = agents as [DemoAgent, DemoAgent];
    const inbox = async (agent: DemoAgent, root: string) =>
      (await agent.call('svc_inbox', { address: agent.address, root, limit: 0 })).conversations[0];
    const { root } = await poster.call('svc_send_message', {
      from: poster.address,
      type: 'TaskProposal',
      to: worker.address,
      offer: work,
    });
    const { conversations } = await worker.call('svc_inbox', { address: worker.address });
    assert.ok(conversations.find((one: Reply) => one.root === root).untrusted.offer, 'the offer in full');
    const { settlementDigest } = await worker.call('svc_send_message', {
      from: worker.address,
      type: 'TaskCounterOffer',
      root,
      offer: { totalAmountTok: '1200' },
    });
    const accept = { from: worker.address, type: 'TaskAcceptance', root, settlementDigest };
    assert.equal((await worker.call('svc_send_message', accept)).sent, true);
    await worker.act('approve-tok-router', { market, amountTok: '1000' });
    assert.ok((await inbox(poster, root)).next.length > 0);
    const { taskId } = await poster.act('create-task', { root, settlementDigest, fundNowTok: '1200' });
    const { untrusted, taskId: named } = await inbox(worker, root);
    const { terms } = untrusted.offer;
    assert.equal(named, taskId);
    assert.equal((await worker.call('svc_verify_settlement_digest', { terms, taskId })).matches, true);
    await poster.act('start-work', { taskId });
    const artifact = await attach(worker, taskId, 'leaflet.txt', true);
    await worker.act('submit-proof', { taskId, note: 'All of it.', artifacts: [artifact] });
    const { deliveries } = await taskFor(poster, taskId);
    const [{ sealed, key, sha256 }] = deliveries[0].untrustedText.document.artifacts;
    const file = await poster.call('svc_read_file', { sha256: sealed.sha256, key, plainSha256: sha256 });
    assert.equal(file.untrustedText.text, 'leaflet.txt of coder');
    await poster.act('accept-milestone', { taskId, milestone: '0' });
    hold(context, agents, 16, 5_100);
  });

  test('an open task, claimed by x402', async (context) => {
    const agents = await start('lab', 'coder');
    const [poster, worker] = agents as [DemoAgent, DemoAgent];
    const { taskId } = await poster.act('post-task', { ...work, fundNowTok: '900' });
    const { tasks } = await worker.call('svc_list_open_tasks', { market, limit: 5 });
    assert.equal(tasks[0].id, taskId);
    await taskFor(worker, taskId);
    await worker.act('approve-tok-router', { market, amountTok: '1000' });
    await worker.settle(await worker.call('svc_claim_paid', { from: worker.address, taskId }));
    await poster.act('start-work', { taskId });
    const artifact = await attach(worker, taskId, 'leaflet.txt');
    await worker.act('submit-proof', { taskId, note: 'All of it.', artifacts: [artifact] });
    const { deliveries } = await taskFor(poster, taskId);
    const [{ sha256 }] = deliveries[0].untrustedText.document.artifacts;
    await poster.call('svc_read_file', { sha256 });
    await poster.act('accept-milestone', { taskId, milestone: '0' });
    hold(context, agents, 13, 2_600);
  });

  test('a dispute with files of both sides, from the post to the ruling', async (context) => {
    const agents = await start('lab', 'coder', 'assessor');
    const [poster, worker, judge] = agents as [DemoAgent, DemoAgent, DemoAgent];
    const { taskId } = await poster.act('post-task', { ...work, fundNowTok: '900' });
    await worker.act('claim-task', { taskId });
    await poster.act('start-work', { taskId });
    await worker.act('submit-proof', {
      taskId,
      note: 'All of it.',
      artifacts: [await attach(worker, taskId, 'leaflet.txt')],
    });
    const missing = await attach(poster, taskId, 'missing.txt');
    await poster.act('open-dispute', { taskId, evidenceText: 'Two are missing.', artifacts: [missing] });
    await worker.call('svc_task_next_steps', { taskId, address: worker.address });
    const there = await attach(worker, taskId, 'there.txt');
    await worker.act('answer-dispute', { taskId, evidenceText: 'They are there.', artifacts: [there] });
    await poster.act('submit-evidence', { taskId, evidenceText: 'Look at the end.' });
    const { arbitrators } = await poster.call('svc_list_arbitrators', { taskId });
    assert.ok(
      JSON.stringify(arbitrators).toLowerCase().includes(judge.address.toLowerCase()),
      JSON.stringify(arbitrators),
    );
    for (const party of [poster, worker])
      await party.act('propose-arbitrator', { taskId, arbitrator: judge.address });
    const { deliveries, dispute } = await taskFor(judge, taskId);
    const files = [...deliveries, ...dispute.evidence].flatMap(
      ({ untrustedText }) => untrustedText.document.artifacts ?? [],
    );
    assert.equal(files.length, 3);
    for (const { sha256 } of files) await judge.call('svc_read_file', { sha256 });
    await pass(marketParameters.micro.hearingSeconds + 60);
    await judge.act('resolve-dispute', { taskId, workerBps: '7500', reasonText: 'One is missing.' });
    for (const party of [poster, worker]) assert.equal((await taskFor(party, taskId)).state, 'RESOLVED');
    hold(context, agents, 23, 6_900);
  });
}
