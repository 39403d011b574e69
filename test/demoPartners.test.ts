// A visitor alone with the demo partners: as poster it gets two proposals, a delivery and pays; as worker it is chosen and paid.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { joinMarket, type Participant } from '#sdk/client/joinMarket.ts';
import { createProfileClient } from '#sdk/client/profileClient.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Proposal } from '#sdk/negotiation/proposals.ts';
import { runDemoPartners } from '#service/demo/demoPartners.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createReader } from './support/baseChain.ts';
import { ask } from './support/devnet.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { readGuide } from './support/guide.ts';
import { writeListing } from './support/listings.ts';
import { until } from './support/until.ts';

let gateway: TestGateway;
let visitor: Participant;
const stop = new AbortController();
const errors: unknown[] = [];
let partners: Promise<void>;
before(async () => {
  gateway = await startGateway();
  const account = privateKeyToAccount(generatePrivateKey());
  await ask(createReader(gateway.devnet.rpcUrl), 'svc_fund', account.address);
  visitor = await joinMarket({ url: gateway.url(), account, rpcUrl: gateway.devnet.rpcUrl });
  await visitor.depositCollateral('standard');
  await visitor.do.approveTokRouter({ market: 'standard', amountTok: '10000' });
  partners = runDemoPartners({
    gatewayUrl: gateway.url(),
    rpcUrl: gateway.devnet.rpcUrl,
    signal: stop.signal,
    onError: (error) => errors.push(error),
    pauseMs: 200,
  });
});
after(async () => {
  stop.abort();
  await partners?.catch(() => undefined);
  await visitor?.close();
  await gateway.close();
});

async function findTask(list: 'posterTasks' | 'workerTasks', { settlementDigest }: Proposal['offer']) {
  const { tasks } = await visitor.client[list](visitor.address, { market: 'standard' });
  return tasks.find((task) => task.settlementDigest === settlementDigest);
}

test('a visitor who lists work gets two marked proposals, a delivery, and pays', async () => {
  const budget = { minTokWei: String(parseTok('1500')), maxTokWei: String(parseTok('2000')) };
  const listing = await visitor.matching.list(writeListing(gateway, { budget }));
  const find = (state: string) => async () =>
    (await visitor.matching.proposals(listing)).find((one) => one.state === state);
  await until(async () => (await find('binding')()) !== undefined && (await find('open')()) !== undefined);
  const binding = await find('binding')();
  assert.ok(binding?.comparison.isPlain);
  assert.match(binding.rationale, /Demo.*program/);
  const profiles = createProfileClient({ baseUrl: gateway.url() });
  const { profile } = await profiles.get(binding.worker);
  assert.match(profile?.document?.name ?? '', /^Demo worker/);
  const { text } = readGuide('docs/using-the-api.md');
  const [, skill = ''] = /\/v1\/profiles\?skill=([\w-]+)/.exec(text) ?? [];
  assert.ok(
    (await profiles.find({ skill })).profiles.length > 0,
    `the skill of the guide, ${skill}, finds somebody`,
  );
  await visitor.do.createTask(visitor.matching.toTask(binding));
  const taskOf = () => findTask('posterTasks', binding.offer);
  await until(async () => (await taskOf())?.state === 'CLAIMED');
  const taskId = (await taskOf())?.id ?? '';
  await visitor.do.startWork({ taskId });
  await until(async () => (await taskOf())?.state === 'DELIVERED');
  await visitor.do.acceptMilestone({ taskId });
  await until(async () => (await taskOf())?.state === 'COMPLETED');
  assert.deepEqual(errors, []);
});

test('a visitor who proposes to the demo poster is chosen, delivers and is paid', async () => {
  const press = accountOf('press').address;
  await until(async () => (await visitor.matching.find({ poster: press })).count > 0);
  const [listing = assert.fail()] = (await visitor.matching.find({ poster: press })).listings;
  assert.match(listing.document?.task.title ?? '', /^\(Demo\)/);
  const proposal = await visitor.matching.propose(listing, { totalAmountTok: '2500', days: 1 });
  const stateOf = async () =>
    (await visitor.matching.proposals(listing)).find(({ root }) => root === proposal.root)?.state;
  await until(async () => (await stateOf()) === 'chosen');
  await visitor.matching.sign(proposal);
  const taskOf = () => findTask('workerTasks', proposal.offer);
  await until(async () => (await taskOf())?.state === 'ACTIVE');
  await visitor.do.submitProof({ taskId: (await taskOf())?.id ?? '', note: 'One. Two. Three.' });
  await until(async () => (await taskOf())?.state === 'COMPLETED');
  assert.deepEqual(errors, []);
});
