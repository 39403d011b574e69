// Proves the seeded market: every state and phase, time left in disputes, and the files that it names. Its texts: api/reads.ts.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { disputePhases, taskStates } from '#sdk/domain/state.ts';
import { formatTaskId } from '#sdk/domain/taskId.ts';
import type { Artifact } from '#sdk/schemas/documents.ts';
import { taskReplySchema } from '#sdk/schemas/task.ts';
import { listSeededFiles, type SeededFile } from '#service/devnet/seed/seedFiles.ts';
import { storyDays, taskStories } from '#service/devnet/seed/story.ts';
import { wallSeconds } from '../support/devnet.ts';
import { readHistories, type TaskHistory } from '../support/taskHistory.ts';
import { scene } from './scene.ts';

const hour = 3_600;
const day = 24 * hour;

let loaded: Promise<TaskHistory[]> | undefined;
function loadHistories(): Promise<TaskHistory[]> {
  const { publicClient, deployment } = scene.chain;
  const read = (market: Market) => readHistories(publicClient, deployment, market);
  loaded ??= Promise.all(markets.map(read)).then((found) => found.flat());
  return loaded;
}
const now = () => wallSeconds() + scene.chain.report.clockOffsetSeconds;

test('both markets show every state and phase, and every event of registry and court has happened', async () => {
  const histories = await loadHistories();
  assert.equal(histories.length, taskStories.length);
  for (const market of markets) {
    const own = histories.filter((history) => history.market === market);
    const without = (names: readonly string[], seen: readonly string[]) =>
      names.filter((name) => name !== 'NONE' && !seen.includes(name));
    assert.deepEqual(
      without(
        taskStates,
        own.map(({ state }) => state),
      ),
      [],
      market,
    );
    assert.deepEqual(
      without(
        disputePhases,
        own.map(({ phase }) => phase),
      ),
      [],
      market,
    );
  }
  const happened = new Set(histories.flatMap(({ events }) => events));
  const known = [...taskRegistryAbi, ...disputeCourtAbi].flatMap((part) =>
    part.type === 'event' && part.inputs.some(({ name }) => name === 'taskId') ? [part.name] : [],
  );
  const missing = known.filter((name) => !happened.has(name));
  assert.deepEqual(missing, ['NoticeAnswered'], 'nobody in the story answers a notice');
});

test('every live dispute of the story has time left, so that no keeper ends it at once', async () => {
  const histories = await loadHistories();
  const live = histories.filter(({ phase }) => phase !== 'NONE' && phase !== 'CLOSED');
  assert.ok(live.length >= 10, `${live.length} disputes`);
  for (const { task, dispute } of live)
    assert.ok(Number(dispute.phaseEnds) > now() + hour, `task ${task.id}`);
});

test('every file that a seeded delivery or piece of evidence names is in the store of the gateway', async () => {
  const histories = await loadHistories();
  const { gatewayUrl } = scene.servers;
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

test('the chain has forty days behind it and stands in the present', async () => {
  const { publicClient } = scene.chain;
  const [genesis, head] = await Promise.all([
    publicClient.getBlock({ blockNumber: 0n }),
    publicClient.getBlock(),
  ]);
  const age = head.timestamp - genesis.timestamp;
  assert.ok(age >= storyDays * day && age < (storyDays + 1) * day);
  assert.ok(Math.abs(Number(head.timestamp) - now()) < 60);
});
