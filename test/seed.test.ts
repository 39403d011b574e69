// Proves the seeded market: every state and phase, texts that match their hashes, and money that adds up.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { createMailboxClient } from '#sdk/client/mailboxClient.ts';
import { openSealedFile } from '#sdk/client/sealFile.ts';
import { readTaskWords } from '#sdk/documents/viewDocument.ts';
import { zeroAddress } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { isTerminal } from '#sdk/domain/state.ts';
import { formatTaskId } from '#sdk/domain/taskId.ts';
import { collectDocuments, collectFileKeys } from '#sdk/negotiation/judgeDisclosure.ts';
import { buildTranscripts } from '#sdk/negotiation/transcript.ts';
import type { Artifact } from '#sdk/schemas/documents.ts';
import { taskReplySchema } from '#sdk/schemas/task.ts';
import { accountOf, accounts } from '#service/devnet/accounts.ts';
import { listSeededFiles, type SeededFile } from '#service/devnet/seed/seedFiles.ts';
import { numberTasks, storyDays, type TaskStory, taskStories } from '#service/devnet/seed/story.ts';
import { type RunningChain, startChain, wallSeconds } from './support/devnet.ts';
import { contractsOf } from './support/marketReader.ts';
import { readHistories, type TaskHistory } from './support/taskHistory.ts';
import { wantedEverywhere, wantedOnStandard } from './support/wantedTasks.ts';

const hour = 3_600;
const day = 24 * hour;

let chain: RunningChain;
let histories: TaskHistory[];
before(async () => {
  chain = await startChain();
  const { publicClient, deployment } = chain;
  const read = (market: Market) => readHistories(publicClient, deployment, market);
  histories = (await Promise.all(markets.map(read))).flat();
});
after(() => chain.stop());

test('there are at least 60 tasks over both markets', () => {
  const countOf = (market: Market) => histories.filter((history) => history.market === market).length;
  assert.ok(
    countOf('standard') >= 40 && countOf('micro') >= 20,
    `${countOf('standard')}, ${countOf('micro')}`,
  );
  assert.ok(histories.length >= 60);
  assert.equal(histories.length, taskStories.length);
});

for (const market of markets) {
  const wanted = { ...wantedEverywhere, ...(market === 'standard' && wantedOnStandard) };
  test(`the ${market} market shows every state, phase and way`, () => {
    const own = histories.filter((history) => history.market === market);
    const missing = Object.keys(wanted).filter((name) => !own.some(wanted[name] as never));
    assert.deepEqual(missing, []);
  });
}

test('every open task carries a document that its criteriaHash covers, every private one none', () => {
  const titles = new Set<string>();
  for (const { uri, task } of histories) {
    if (task.scope === 1) {
      assert.equal(uri, '');
      continue;
    }
    const document = readTaskWords(uri, task.criteriaHash);
    assert.ok(document !== null, `task ${task.id} has a document`);
    assert.equal(document.bound, 'document');
    assert.ok(document.description.length > 60 && document.criteria.length > 30 && document.tags.length > 1);
    assert.ok(!titles.has(document.title), `"${document.title}" is there once`);
    titles.add(document.title);
  }
});

test('every file that a seeded delivery or piece of evidence names is in the store of the gateway', async () => {
  const { gatewayUrl } = chain.report;
  const named: Artifact[] = [];
  for (const { market, task } of histories) {
    const id = formatTaskId({ market, number: task.id });
    const reply = await fetch(`${gatewayUrl}/api/market/task?id=${id}`);
    const { deliveries, dispute } = taskReplySchema.parse(await reply.json()).task;
    for (const { document } of [...deliveries, ...(dispute?.evidence ?? [])])
      if (document !== null && 'artifacts' in document) named.push(...document.artifacts);
  }
  const privateNumbers = histories.filter(({ task }) => task.scope === 1);
  const isPrivate = ({ task: { market, number } }: SeededFile) =>
    privateNumbers.some((history) => history.market === market && history.task.id === number);
  const open = listSeededFiles().filter((file) => !isPrivate(file));
  const hashes = new Set(named.map(({ sha256 }) => sha256));
  assert.equal(hashes.size, new Set(open.map(({ sha256 }) => sha256)).size);
  for (const { sha256, bytes, name } of named) {
    const reply = await fetch(`${gatewayUrl}/v1/files/${sha256}`);
    assert.equal(reply.status, 200, name);
    const content = await reply.bytes();
    assert.deepEqual([content.length, hash('sha256', content)], [bytes, sha256], name);
  }
});

test('poster and worker of a private task find its words and the key of its sealed file in their mailboxes', async () => {
  const story = taskStories.find(({ key }) => key === 'auditMemo') as TaskStory;
  const number = numberTasks().get(story) as bigint;
  const delivered = histories.find(({ market, task }) => market === story.market && task.id === number);
  for (const name of [story.poster, 'coder'] as const) {
    const account = privateKeyToAccount(accountOf(name).privateKey);
    const connection = { baseUrl: chain.report.gatewayUrl };
    const { chainId } = chain.deployment;
    const mailbox = createMailboxClient({ ...connection, wallet: account, chainId });
    const { messages } = await mailbox.read();
    const { transcripts } = buildTranscripts(messages.flatMap(({ wire }) => JSON.parse(wire ?? '[]')));
    const words = collectDocuments(transcripts).get(delivered?.task.criteriaHash ?? '');
    assert.equal((words as { title?: string } | undefined)?.title, story.title, name);
    const delivery = [...collectDocuments(transcripts).values()].find(
      (one) => 'artifacts' in one && 'note' in one,
    ) as { artifacts: Artifact[] };
    const [memo] = delivery.artifacts;
    assert.equal(memo?.name, 'memo.pdf');
    const stored = await fetch(`${connection.baseUrl}/v1/files/${memo.sealed?.sha256}`);
    const key = collectFileKeys(transcripts)[memo.sealed?.sha256 ?? ''] ?? '';
    // It checks the hash of the plain file.
    const plain = await openSealedFile(new Uint8Array(await stored.arrayBuffer()), key, memo);
    assert.match(Buffer.from(plain).toString('latin1'), /^%PDF/);
  }
});

test('the chain has forty days behind it and stands in the present', async () => {
  const { publicClient } = chain;
  const [genesis, head] = await Promise.all([
    publicClient.getBlock({ blockNumber: 0n }),
    publicClient.getBlock(),
  ]);
  const age = head.timestamp - genesis.timestamp;
  assert.ok(age >= storyDays * day && age < (storyDays + 1) * day);
  assert.ok(Math.abs(Number(head.timestamp) - wallSeconds()) < 60);
});

test('nothing is overdue, open tasks have a day or more, and something ends within hours', () => {
  const now = wallSeconds();
  const ends = histories
    .filter(({ state }) => !isTerminal(state))
    .map((history) => [history, Number(endOf(history))] as const);
  for (const [{ market, task, state }, end] of ends) {
    assert.ok(end > now, `${state} task ${task.id} on ${market} is not overdue`);
    if (state === 'POSTED') assert.ok(end > now + day, `task ${task.id} on ${market} has a day left`);
  }
  const soon = (wanted: (history: TaskHistory) => boolean) =>
    ends.some(([history, end]) => wanted(history) && end < now + 6 * hour);
  assert.ok(
    soon(({ state }) => state === 'DELIVERED'),
    'a review',
  );
  assert.ok(
    soon(({ task }) => task.dismissAt > 0),
    'a notice',
  );
  assert.ok(
    soon(({ phase }) => phase === 'PROPOSING'),
    'a window to propose',
  );
  assert.ok(
    soon(({ phase }) => phase === 'ASSIGNED'),
    'a window to rule',
  );
});

for (const market of markets) {
  test(`the money on ${market} adds up to the last unit`, async () => {
    const { publicClient, deployment } = chain;
    const { escrow, deposits, court, staking, gateway, tok, usdc } = contractsOf(deployment, market);
    const own = histories.filter((history) => history.market === market);
    const balance = (token: typeof tok | typeof usdc, owner: `0x${string}`) =>
      publicClient.readContract({ ...token, functionName: 'balanceOf', args: [owner] });

    const held = own.map(({ task }) => task.funded - task.released - task.refunded - task.fees);
    const sumHeld = held.reduce((sum, amount) => sum + amount, 0n);
    assert.ok(sumHeld > 0n);
    assert.equal(await balance(tok, escrow.address), sumHeld);
    own.forEach(({ state, task }, index) => {
      if (isTerminal(state)) assert.equal(held[index], 0n, `task ${task.id} holds nothing`);
    });

    const agents = accounts.map(({ address }) => address);
    const deposited = await publicClient.readContract({
      ...deposits,
      functionName: 'accountsOf',
      args: [agents],
    });
    const sumDeposited = deposited.reduce((sum, account) => sum + account.balance, 0n);
    assert.equal(await publicClient.readContract({ ...deposits, functionName: 'totalHeld' }), sumDeposited);
    assert.equal(await balance(usdc, deposits.address), sumDeposited);

    const bonded = await publicClient.readContract({ ...court, functionName: 'totalBonded' });
    // Each side that has put up its bond.
    const disputed = own
      .filter(({ state }) => state === 'DISPUTED')
      .map(({ dispute }) => dispute.bond * (dispute.workerPayer === zeroAddress ? 1n : 2n));
    assert.equal(
      await balance(tok, court.address),
      disputed.reduce((sum, bond) => sum + bond, bonded),
    );

    const [staked, reserve, allocated] = await Promise.all([
      publicClient.readContract({ ...staking, functionName: 'totalStaked' }),
      publicClient.readContract({ ...staking, functionName: 'rewardReserve' }),
      publicClient.readContract({ ...staking, functionName: 'rewardsAllocated' }),
    ]);
    assert.equal(await balance(tok, staking.address), staked + reserve + allocated);
    const pending = await publicClient.readContract({ ...gateway, functionName: 'pendingFees' });
    assert.equal(await balance(tok, gateway.address), pending);
  });
}

/** When the time limit of the current phase ends. */
function endOf({ state, task, dispute }: TaskHistory): bigint {
  switch (state) {
    case 'CLAIMED':
      return task.updatedAt + BigInt(task.funded === task.totalAmount ? 2 * day : day);
    case 'ACTIVE':
      return task.dismissAt > 0 ? BigInt(task.dismissAt) : task.deadline;
    case 'DELIVERED':
      return task.updatedAt + BigInt(task.reviewPeriod);
    case 'DISPUTED':
      return dispute.phaseEnds;
    default:
      return task.deadline;
  }
}
