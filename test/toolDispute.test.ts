// Proves that three stock MCP clients end work by tools alone, with the calls and tokens that it takes: a listing with two proposals,
// of which one is chosen, works and is paid; and a private task with a dispute, evidence of both sides and a
// ruling. No document, key, signature or hash of a file is copied. The simpler jobs of docs/agents.md: demo.test.ts.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createPublicClient, http, type PublicClient } from 'viem';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { createDemoAgent, type DemoAgent, type Exchange, type Reply } from '#service/demo/demoAgent.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { buildAccountStep, buildEntries } from '#service/devnet/seed/accountSteps.ts';
import { ask } from './support/devnet.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { checkCosts } from './support/jobCosts.ts';
import { send } from './support/replay/randomRun.ts';
import { svcScript } from './support/svc.ts';
import { callTool, openClient } from './support/tools.ts';

const market = 'micro';
const work = {
  market,
  title: 'Translate a leaflet',
  criteriaText: 'Every paragraph is there.',
  totalAmountTok: '900',
  deadline: '+3d',
  reviewPeriod: '12h',
};

/** Whenever this asks, the call before has said that all papers were sent. */
async function taskFor(agent: DemoAgent, taskId: string): Promise<Reply> {
  const { task, leftOut } = await agent.call('svc_get_task', { taskId });
  assert.doesNotMatch(leftOut.join(), /others lack/, agent.name);
  return task;
}

/** Without `seal` the task decides. */
async function attach(agent: DemoAgent, taskId: string | null, path: string, seal?: boolean): Promise<Reply> {
  agent.writeFile(path, `${path} of ${agent.name}`);
  const place = { ...(taskId && { taskId }), ...(seal !== undefined && { seal }) };
  return agent.call('svc_attach_file', { path, from: agent.address, ...place });
}

/** Where every call is written with its answer, to be counted by a tokenizer. */
const transcript = process.env.SVC_TEST_TRANSCRIPT;

/** What an agent gave that has a hash in it, such as `svc_prepare root`. */
const hashesGiven = new Set<string>();
function noteHashes({ tool, args, text }: Exchange): void {
  if (transcript) appendFileSync(transcript, `${JSON.stringify({ tool, args, text })}\n`);
  const look = (name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value)) look(Array.isArray(value) ? name : field, inner);
    else if (/[0-9a-f]{64}/i.test(String(value))) hashesGiven.add(`${tool} ${name}`);
  };
  look('', args);
}

/** An offer is signed and carried out by its hash alone, so that no other one can slip in; its conversation has no other name. */
const offerByHash = [
  'svc_send_message root',
  'svc_send_message settlementDigest',
  'svc_prepare root',
  'svc_prepare settlementDigest',
];

type Name = Parameters<typeof accountOf>[0];
const people: readonly Name[] = ['lab', 'coder', 'painter', 'assessor'];
let gateway: TestGateway;
let client: PublicClient;
before(async () => {
  gateway = await startGateway();
  const { deployment, rpcUrl } = gateway.devnet;
  client = createPublicClient({ transport: http(rpcUrl) }) as PublicClient;
  const own = people.map((name) => accountOf(name).address);
  const entries = buildEntries(deployment).filter(({ from }) => own.includes(from));
  const bond = buildAccountStep(deployment, market, 'assessor', ['bond', 15_000, 0]);
  for (const transaction of [...entries, bond]) await send(client, transaction);
});

const running = new Map<Name, Promise<DemoAgent>>();
after(async () => {
  for (const agent of running.values()) await (await agent).close();
  await gateway.close();
});

/** Each is started once for all tests, and counts from zero for each of them. */
async function startAgents<Names extends readonly Name[]>(...names: Names) {
  // Conversations are listed by the second of their last message: those of the story before must not share it.
  await pause(1_000);
  const [siteUrl, gatewayUrl] = [gateway.site().url, gateway.url()];
  const started = names.map(async (name): Promise<DemoAgent> => {
    const options = { script: svcScript, onCall: noteHashes };
    const agent = running.get(name) ?? createDemoAgent({ siteUrl, gatewayUrl }, accountOf(name), options);
    running.set(name, agent);
    const { spent, ...rest } = await agent;
    const { calls, tokens } = spent();
    return { ...rest, spent: () => ({ calls: spent().calls - calls, tokens: spent().tokens - tokens }) };
  });
  return (await Promise.all(started)) as { [At in keyof Names]: DemoAgent };
}

/** A ready call of an answer, as it is. */
async function follow(agent: DemoAgent, inbox: Reply): Promise<Reply> {
  const [next] = inbox.conversations[0].next;
  return agent.call(next.tool, next.arguments);
}
const inboxOf = (agent: DemoAgent) => agent.call('svc_inbox', { address: agent.address, limit: 1 });

/**
 * Prints what the agents used, and checks it against what it may be; and which hashes they copied out of answers. Four characters
 * are one token here: with the tokenizer o200k a token of these calls has 2.6 to 3.2, because many are of hashes and addresses.
 */
function checkSpent(
  context: TestContext,
  agents: readonly DemoAgent[],
  most: { calls: number; tokens: number; hashes: readonly string[] },
) {
  const spent = agents.map(({ name, spent: read }) => ({ name, ...read() }));
  const sum = (kind: 'calls' | 'tokens') => spent.reduce((total, one) => total + one[kind], 0);
  context.diagnostic(`${sum('calls')} calls, ${sum('tokens')} tokens: ${JSON.stringify(spent)}`);
  if (transcript) appendFileSync(transcript, `${JSON.stringify({ job: context.name })}\n`);
  const hashes = [...hashesGiven].sort();
  hashesGiven.clear();
  assert.ok(sum('calls') <= most.calls && sum('tokens') <= most.tokens, JSON.stringify(spent));
  assert.deepEqual(hashes, most.hashes.toSorted());
  return { calls: sum('calls'), tokens: sum('tokens') };
}

async function pass(seconds: number): Promise<void> {
  await ask(client, 'evm_increaseTime', seconds);
  await ask(client, 'evm_mine');
}

// First, since offers of unknown senders are listed apart.

test('an open task', async (context) => {
  const agents = await startAgents('lab', 'coder');
  const [poster, worker] = agents;
  const { taskId } = await poster.act('post-task', { ...work, fundNowTok: '900' });
  const { tasks } = await worker.call('svc_list_open_tasks', { market, limit: 5 });
  assert.equal(tasks[0].id, taskId);
  await taskFor(worker, taskId);
  await worker.act('approve-tok-router', { market, amountTok: '1000' });
  await worker.act('claim-task', { taskId });
  await poster.act('start-work', { taskId });
  await attach(worker, taskId, 'leaflet.txt');
  await worker.act('submit-proof', { taskId, note: 'All of it.', artifacts: ['leaflet.txt'] });
  const { deliveries } = await taskFor(poster, taskId);
  const [{ name }] = deliveries[0].untrustedText.document.artifacts;
  const { untrustedText } = await poster.call('svc_read_file', { taskId, name });
  assert.equal(untrustedText.text, 'leaflet.txt of coder');
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  checkSpent(context, agents, { calls: 12, tokens: 1_800, hashes: [] });
});

test('one agent lists work, two propose, one is chosen, works and is paid, through tools alone', async (context) => {
  const agents = await startAgents('lab', 'coder', 'painter');
  const [poster, ...workers] = agents;
  const { id } = await poster.call('svc_publish_listing', {
    from: poster.address,
    market,
    title: 'Sort the shells of a beach',
    criteriaText: 'One row for each kind.',
    minTok: '300',
    maxTok: '700',
    deadline: '+20d',
    reviewPeriod: '6h',
  });
  for (const [at, worker] of workers.entries()) {
    const { listings } = await worker.call('svc_listings', { market, q: 'shells' });
    assert.equal(listings[0].id, id);
    const sent = await worker.call('svc_send_message', {
      from: worker.address,
      to: listings[0].poster,
      type: 'TaskProposal',
      payload: { about: listings[0].id, rationale: 'I know shells.' },
      offer: { totalAmountTok: String(600 - 100 * at), deadline: '+5d' },
    });
    assert.equal(sent.sent, true, sent.next);
  }
  const own = { id, address: poster.address };
  const { proposals } = await poster.call('svc_listings', own);
  assert.equal(proposals.length, 2);
  const hosted = await callTool(await openClient(context, `${gateway.url()}/mcp`), 'svc_listings', own);
  assert.equal(hosted.data.listings[0].id, id, 'a gateway shows the listing without its proposals');
  assert.match(
    hosted.data.leftOut.join(),
    /the proposals: .* Sign in with svc_inbox, or run svc mcp on your machine/,
  );
  const [cheapest] = proposals.toSorted(
    (one: Reply, other: Reply) => Number(one.totalAmountTok) - Number(other.totalAmountTok),
  );
  assert.ok(cheapest.onlyPriceAndDeadline);
  await poster.call('svc_send_message', {
    from: poster.address,
    root: cheapest.root,
    type: 'Note',
    payload: { text: 'I choose yours. Please sign.', chooses: cheapest.root },
  });
  const chosen = workers.find(({ address }) => address === cheapest.worker) ?? assert.fail();
  await chosen.act('approve-tok-router', { market, amountTok: '1000' });
  const signed = await follow(chosen, await inboxOf(chosen));
  assert.equal(signed.sent, true, signed.next);
  const taskId = await poster.settle(await follow(poster, await inboxOf(poster)));
  assert.ok(taskId);
  await poster.act('start-work', { taskId });
  await chosen.act('submit-proof', { taskId, note: 'Seven kinds.' });
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  const { task } = await chosen.call('svc_get_task', { taskId });
  assert.equal(task.state, 'COMPLETED');
  // A listing has no other name than its id, the hash of what was published.
  const hashes = [
    ...offerByHash,
    ...['svc_listings id', 'svc_send_message about', 'svc_send_message chooses'],
  ];
  checkSpent(context, agents, { calls: 17, tokens: 4_400, hashes });
});

test('a sealed file that comes with an offer is read by its name, and one of two with the same name is asked for', async (context) => {
  const agents = await startAgents('lab', 'coder');
  const [poster, worker] = agents;
  const offer = { ...work, title: 'Translate the box', artifacts: ['box.txt'] };
  const proposal = { from: poster.address, to: worker.address, type: 'TaskProposal', offer };
  await assert.rejects(poster.call('svc_send_message', proposal), /no box.txt without taskId/);
  await assert.rejects(attach(poster, null, 'box.txt'), /Without taskId, give seal/);
  await attach(poster, null, 'box.txt', true);
  await poster.call('svc_send_message', proposal);
  await follow(worker, await inboxOf(worker));
  await worker.act('approve-tok-router', { market, amountTok: '1000' });
  const taskId = (await poster.settle(await follow(poster, await inboxOf(poster)))) ?? assert.fail();
  const { text } = (await worker.call('svc_read_file', { taskId, name: 'box.txt' })).untrustedText;
  assert.equal(text, 'box.txt of lab');
  await poster.act('start-work', { taskId });
  const delivery = { taskId, note: 'Done.', artifacts: ['box.txt'] };
  // That the poster has a file of this name makes it no file of the worker.
  await assert.rejects(worker.act('submit-proof', delivery), /no box.txt for v2:micro:/);
  await attach(worker, taskId, 'box.txt', true);
  worker.writeFile('box.txt', 'A second version.');
  await worker.call('svc_attach_file', { path: 'box.txt', taskId, from: worker.address, seal: true });
  await assert.rejects(worker.act('submit-proof', delivery), /Several files have this name: give sha256/);
  await attach(worker, taskId, 'translated.txt', true);
  await worker.act('submit-proof', { ...delivery, artifacts: ['translated.txt'] });
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  checkSpent(context, agents, { calls: 19, tokens: 4_400, hashes: offerByHash });
});

test('a private task with two milestones, a dispute and a ruling, by three agents through tools alone', async (context) => {
  const agents = await startAgents('lab', 'coder', 'assessor');
  const [poster, worker, judge] = agents;
  const { address } = poster;

  await poster.call('svc_send_message', {
    from: address,
    to: worker.address,
    type: 'TaskProposal',
    offer: {
      market,
      title: 'Index a box of letters',
      criteriaText: 'One row for each letter.',
      milestones: [
        { amountTok: '300', description: 'How the index will look.' },
        { amountTok: '400', description: 'The index.' },
      ],
      deadline: '+3d',
      reviewPeriod: '6h',
    },
  });
  const signed = await follow(worker, await inboxOf(worker));
  assert.equal(signed.sent, true, signed.next);
  await worker.act('approve-tok-router', { market, amountTok: '1000' });
  const taskId = await poster.settle(await follow(poster, await inboxOf(poster)));
  assert.ok(taskId);
  await poster.act('start-work', { taskId });

  const words = await taskFor(worker, taskId);
  assert.equal(words.untrustedText.title, 'Index a box of letters');
  assert.match(JSON.stringify(words), /How the index will look\..*The index\./, 'each part has its text');
  await worker.act('submit-proof', { taskId, note: 'How the index will look.' });
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  const { artifact } = await attach(worker, taskId, 'letters.csv');
  const anybody = async (sha256: string) => (await fetch(`${gateway.url()}/v1/files/${sha256}`)).status;
  assert.equal(await anybody(artifact.sha256), 404, 'the words of a private file are at no address');
  assert.equal(await anybody(artifact.sealed.sha256), 200);
  const artifacts = ['letters.csv'];
  const delivered = await worker.act('submit-proof', { taskId, artifacts, note: 'The letters.' });
  assert.equal(delivered.papers, 'The poster got 1 document and 1 key.');
  const review = await taskFor(poster, taskId);
  assert.equal(review.bound, 'document', 'the words are those whose hash both signed');
  // The words of a private task are in the messages of its parties; the chain has hashes.
  assert.equal(review.untrustedText.criteria, 'One row for each letter.');
  assert.equal(review.deliveries[1].documentState, 'verified');
  assert.equal(review.deliveries[1].untrustedText.document.note, 'The letters.');
  const stranger = await taskFor(judge, taskId);
  assert.equal(stranger.untrustedText?.criteria ?? null, null, 'and nowhere else');

  await attach(poster, taskId, 'scan.txt', true);
  const opened = await poster.act('open-dispute', {
    taskId,
    artifacts: ['scan.txt'],
    evidenceText: 'One is in it.',
  });
  assert.equal(opened.papers, 'The worker got 1 document and 1 key.');
  await worker.act('answer-dispute', { taskId, evidenceText: 'It is a letter.' });
  const proposal = { taskId, arbitrator: judge.address };
  await poster.act('propose-arbitrator', proposal);
  const named = await worker.act('propose-arbitrator', proposal);
  assert.match(named.papers, /The judge got \d documents and \d keys\./);

  const mine = await judge.call('svc_my_work', { address: judge.address, market });
  const [found] = mine.markets[0].concerns;
  assert.deepEqual(
    [found.taskId, found.phase],
    [taskId, 'read the evidence'],
    'the judge finds the case first',
  );
  const full = await taskFor(judge, taskId);
  const papers = [...full.deliveries, ...full.dispute.evidence];
  assert.equal(full.untrustedText.criteria, 'One row for each letter.');
  assert.equal(full.dispute.rulingFrom, full.turn.until + 1, 'the end of the hearing');
  assert.deepEqual(
    papers.map(({ documentState }) => documentState),
    Array(4).fill('verified'),
  );
  const texts: string[] = [];
  for (const { untrustedText } of papers)
    for (const { name } of untrustedText.document.artifacts ?? [])
      texts.push((await judge.call('svc_read_file', { taskId, name })).untrustedText.text);
  assert.deepEqual(texts, ['letters.csv of coder', 'scan.txt of lab']);
  // Both sides are heard before a ruling.
  await pass(marketParameters.micro.hearingSeconds + 60);
  const ruled = await judge.act('resolve-dispute', { taskId, workerBps: '5000', reasonText: 'It is both.' });
  assert.match(ruled.papers, /The poster got .* The worker got /);
  for (const party of [poster, worker]) {
    const { dispute, state, milestones, split } = await taskFor(party, taskId);
    assert.equal(state, 'RESOLVED');
    const ends = milestones.map((one: Reply) => `${one.amountTok} ${one.state}`);
    assert.deepEqual([ends, split], [['300 paid', '400 split'], { workerTok: '200', posterTok: '200' }]);
    assert.equal(dispute.ruling.untrustedText.document.reasons, 'It is both.');
  }
  // Half of each bond, of 5 % of the second milestone.
  const { markets } = await judge.call('svc_my_work', { address: judge.address, market });
  const ended = markets[0].concerns.find((one: Reply) => one.taskId === taskId);
  assert.deepEqual(
    [ended?.turn, ended?.roles, ended?.moved],
    ['nobody', ['arbitrator'], ['received 20 TOK from dispute']],
  );

  const spent = checkSpent(context, agents, { calls: 28, tokens: 8_700, hashes: offerByHash });
  checkCosts('private task with two milestones, a dispute, sealed files of both sides and a ruling', spent);
});
