// The client's actions over the embedded chain, as a program uses them: prepare, simulate, send with viem, wait for the API.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPublicClient, createWalletClient, getContract, http, keccak256, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { catalog } from '#sdk/actions/catalog.ts';
import { createActions } from '#sdk/client/createActions.ts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { joinMarket } from '#sdk/client/joinMarket.ts';
import { documentNames, writeNames } from '#sdk/client/marketActions.ts';
import { readCollateral } from '#sdk/client/readCollateral.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { indexOf, taskStates } from '#sdk/domain/state.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { acceptOpenTask, signSettlement, signTerms } from '../docs/examples/signatures.ts';
import { startSite, type TestSite } from './support/site.ts';

let site: TestSite;
before(async () => {
  site = await startSite({}, { isSeeded: false });
});
after(() => site.close());

function walletOf(name: AccountName) {
  const { privateKey } = accountOf(name);
  return createWalletClient({
    account: privateKeyToAccount(privateKey),
    transport: http(site.devnet.rpcUrl),
    pollingInterval: 25,
  });
}

const work = {
  title: 'Count the birds',
  criteria: 'Every species is named.',
  totalAmountTok: '300',
  deadline: '+7d',
};

test('a viem client of the caller reads the chain, and documents need no wallet', async () => {
  const publicClient = createPublicClient({ transport: http(site.devnet.rpcUrl) });
  const actions = createActions(createMarketClient({ baseUrl: site.url() }), { publicClient });
  const { address } = accountOf('visitor');
  const { checks } = await actions.onboarding({ address }).prepare();
  assert.ok(Array.isArray(checks));
  const { criteriaHash } = await actions.hashCriteria({ criteria: 'x' }).prepare();
  assert.equal(criteriaHash, keccak256(stringToBytes('x')));
});

test('an action is simulated, sent and waited for; what would revert is not sent; mistakes and other wallets are named', async () => {
  const client = createMarketClient({ baseUrl: site.url() });
  const actions = createActions(client, { rpcUrl: site.devnet.rpcUrl });
  const poor = walletOf('keeper');
  const poster = walletOf('newcomer');
  const topUp = actions.topUp({ amountUsdc: '45' });
  await topUp.send(poster);
  await topUp.wait();
  const post = actions.postTask({ ...work, from: poster.account.address });
  assert.equal((await post.simulate()).status, 'success');
  await post.send(poster);
  const { taskId, transactionHashes } = await post.wait();
  assert.equal(transactionHashes.length, 2, 'an exact approval, then the post');
  assert.ok(taskId !== null);
  assert.equal((await client.task(taskId)).task.state, 'POSTED', 'the API shows it once wait has ended');
  const claim = actions.claimTask({ taskId });
  await assert.rejects(claim.send(poor), { code: 'TRANSACTION_REVERTED', message: /deposit/ });
  await assert.rejects(claim.wait(), /has not been sent/);
  await assert.rejects(claim.prepare(), { code: 'ARGUMENTS_INVALID', message: /from: is required/ });
  const others = actions.claimTask({ taskId, from: accountOf('visitor').address });
  await assert.rejects(others.send(poor), { code: 'WALLET_OTHER' });
});

test('what was sent is waited for while the service does not answer', async () => {
  let lost = 2;
  const client = createMarketClient({
    baseUrl: site.url(),
    fetch: async (url, init) => {
      if (url.endsWith('/health') && lost-- > 0) throw new TypeError('fetch failed');
      return fetch(url, init);
    },
  });
  const post = createActions(client, { rpcUrl: site.devnet.rpcUrl }).postTask(work);
  await post.send(walletOf('newcomer'));
  assert.match((await post.wait()).taskId ?? '', /^v2:standard:/);
  assert.ok(lost < 0);
});

test('a participant can be logged, awaited and misused without a surprise', async () => {
  const account = privateKeyToAccount(accountOf('newcomer').privateKey);
  const me = await joinMarket({ url: site.url(), account });
  assert.equal(JSON.parse(JSON.stringify(me)).address, account.address);
  const acts = await me.do;
  assert.equal(typeof acts.claimTask, 'function');
  assert.equal('then' in me.do, false);
  assert.equal('then' in me.actions, false);
  await assert.rejects(
    me.run('judge' as never, async () => undefined),
    { code: 'USAGE', message: 'run knows the roles poster, worker, arbitrator, not "judge".' },
  );
  const key = accountOf('newcomer').privateKey;
  await assert.rejects(joinMarket({ url: site.url(), account: key as never }), (error: Error) => {
    assert.match(error.message, /^joinMarket needs an account of viem, such as privateKeyToAccount\(key\)/);
    assert.ok(!error.message.includes(key));
    return true;
  });
});

test('a participant whose collateral is all locked deposits what is missing, and no more', async () => {
  const account = privateKeyToAccount(accountOf('shop').privateKey);
  const me = await joinMarket({ url: site.url(), account, rpcUrl: site.devnet.rpcUrl });
  await me.do.topUp({ amountUsdc: '45' });
  for (let count = 0; count < 9; count++) await me.do.postTask(work);
  await me.depositCollateral();
  const { deposit } = await readCollateral(me.actions, me.address, 'standard');
  assert.deepEqual(deposit, { balance: parseUsdc('50'), locked: parseUsdc('45'), canEngage: true });
});

test('every action of the catalog has a method', () => {
  assert.deepEqual([...writeNames, ...documentNames].sort(), Object.keys(catalog).sort());
});

/** The market that the example of docs/contracts.md signs for. */
async function openExample() {
  const { client, contracts, poster, worker } = await site.castOn('standard');
  const { registry, court } = contracts;
  const { read } = getContract({ ...registry, client });
  const place = { client, chainId: 8453, registry: registry.address };
  return { client, registry, court, poster, worker, read, place };
}

test('by the example of the guide, terms that the worker signed make a task, and its consent ends it', async () => {
  const { client, registry, court, poster, worker, read, place } = await openExample();
  const { terms, settlementDigest, signature } = await signTerms(place, poster.address, worker.account);
  assert.equal(await read.hashTerms([terms]), settlementDigest);
  const { totalAmount: total } = terms;
  await poster.write(registry, 'createTask', [terms, [], '0x', signature, '', total]);
  const taskId = await read.taskCount();
  assert.equal((await read.getTask([taskId])).settlementDigest, settlementDigest);
  const validUntil = (await client.getBlock()).timestamp + 3_600n;
  const consent = await signSettlement(place, taskId, 2_500, validUntil, worker.account);
  await poster.write(court, 'mutualSettle', [taskId, 2_500, validUntil, '0x', consent]);
  const { released, refunded } = await read.getTask([taskId]);
  assert.deepEqual({ released, refunded }, { released: total / 4n, refunded: (total * 3n) / 4n });
});

test('by the example of the guide, an open task is claimed for what is left, also when it is listed again', async () => {
  const { client, registry, poster, worker, read, place } = await openExample();
  const { timestamp } = await client.getBlock();
  const milestones = [parseTok('200'), parseTok('300'), parseTok('500')];
  const totalAmount = parseTok('1000');
  const terms = { totalAmount, milestones, deadline: timestamp + 604_800n, reviewPeriod: 86_400 };
  const words = { criteriaHash: hashCriteria('All of them.'), uri: 'https://work.example/brief.txt' };
  await poster.write(registry, 'postTask', [{ ...terms, ...words, fundNow: totalAmount }]);
  const taskId = await read.taskCount();
  for (const milestone of milestones.keys()) {
    const digest = await acceptOpenTask(place, taskId, worker.address);
    assert.equal(digest, await read.openDigest([taskId, worker.address]), `after ${milestone} milestones`);
    await worker.write(registry, 'claimTask', [taskId, digest]);
    await poster.write(registry, 'startWork', [taskId, digest]);
    await worker.write(registry, 'submitProof', [taskId, milestone, digest, '']);
    const { updatedAt } = await read.getTask([taskId]);
    await poster.write(registry, 'acceptMilestone', [taskId, milestone, updatedAt]);
    if (milestone < milestones.length - 1)
      await worker.write(registry, 'leaveTask', [taskId, indexOf(taskStates, 'ACTIVE')]);
  }
});
