// docs/sdk.md: its programs are cut out of the page and run as processes, each with its own wallet.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { joinMarket } from '#sdk/client/joinMarket.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { readBlocks } from '../docs/markdown.ts';
import { readGuide } from '../support/guide.ts';
import { compileCache } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { scene } from './scene.ts';

const mostLines = { ts: 80, py: 40 };

/** The program whose first line names this file. */
function readProgram(name: string): string {
  const block = readBlocks(readGuide('docs/sdk.md')).find(
    ({ text }) => /^\S+ (\S+)/.exec(text)?.[1] === name,
  );
  assert.ok(block, `${name} is in the guide`);
  const most = mostLines[name.endsWith('.py') ? 'py' : 'ts'];
  assert.ok(block.text.split('\n').length < most, `${name} has fewer than ${most} lines`);
  return block.text;
}

type Bot = { readonly said: () => string; readonly child: ChildProcess };

function watch(context: TestContext, child: ChildProcess): Bot {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      said += data;
    });
  }
  context.after(() => child.kill('SIGKILL'));
  return { said: () => said, child };
}

const arbitrator = accountOf('referee').address;

/** Starts a program of the guide over the packages of this repository. One in Python signs with the standard library. */
function start(context: TestContext, name: string, who: AccountName, ...args: string[]): Bot {
  return startAt(scene.servers.gatewayUrl, context, name, who, ...args);
}

function startAt(
  gatewayUrl: string,
  context: TestContext,
  name: string,
  who: AccountName,
  ...args: string[]
): Bot {
  const { cwd } = scene;
  const file = join(cwd, 'bots', name);
  mkdirSync(dirname(file), { recursive: true });
  const signer = 'from svc_market import $1\nfrom plain_signer import PlainSigner as AccountSigner';
  writeFileSync(file, readProgram(name).replace(/^from svc_market import (.*)$/m, signer));
  const python = join(import.meta.dirname, '../../python');
  const env = {
    PATH: String(process.env.PATH),
    NODE_COMPILE_CACHE: compileCache,
    PYTHONPATH: [python, join(python, 'tests')].join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
    SVC_GATEWAY_URL: gatewayUrl,
    PRIVATE_KEY: accountOf(who).privateKey,
    ARBITRATOR: arbitrator,
  };
  const [command, ...options] = name.endsWith('.py')
    ? ['python3']
    : [process.execPath, '--conditions=@svc/source'];
  return watch(context, spawn(command ?? '', [...options, file, ...args], { cwd, env }));
}

const enter = (who: AccountName) =>
  joinMarket({
    url: scene.servers.gatewayUrl,
    account: privateKeyToAccount(accountOf(who).privateKey),
  });

async function says(bot: Bot, what: RegExp): Promise<string> {
  await until(() => {
    assert.ok(bot.child.exitCode === null || what.test(bot.said()), bot.said());
    return what.test(bot.said());
  });
  return what.exec(bot.said())?.[1] ?? '';
}

test('the bots of the SDK guide do a task, pay for it, and settle two disputes rightly', async (context) => {
  const [worker, judge] = [
    start(context, 'worker.ts', 'visitor'),
    start(context, 'arbitrator.ts', 'referee'),
  ];
  await Promise.all([says(worker, /waits for work/), says(judge, /waits for disputes/)]);

  const poster = start(context, 'poster.ts', 'newcomer', 'one two three', 'four  five');
  const paid = await says(poster, /posted (\S+)/);
  await says(poster, /accepted and paid\nended as COMPLETED/);
  await says(worker, new RegExp(`${paid} ended as COMPLETED`));

  // A poster who disputes right work loses.
  const unfair = await enter('lab');
  const { taskId: disputed } = await unfair.do.postTask({
    title: 'Count the words of each line',
    description: 'a b\nc',
    criteria: 'counts.json holds the number of words of each line.',
    tags: ['count-words'],
    totalAmountTok: '200',
    fundNowTok: '200',
    deadline: '+2d',
  });
  assert.ok(disputed !== null);
  /** Once both sides have nothing to add, the arbitrator need not wait for the end of the hearing. */
  const waive = async (taskId: string, ...sides: readonly Awaited<ReturnType<typeof enter>>[]) => {
    await until(async () => (await unfair.client.task(taskId)).task.dispute?.phase === 'ASSIGNED');
    for (const side of sides) await side.do.submitEvidence({ taskId, nothingToAdd: true });
  };
  const stateOf = async (id: string) => (await unfair.client.task(id)).task.state;
  await until(async () => (await stateOf(disputed)) === 'CLAIMED');
  await unfair.do.startWork({ taskId: disputed });
  await until(async () => (await stateOf(disputed)) === 'DELIVERED');
  await unfair.do.openDispute({ taskId: disputed, evidenceText: 'I do not like it.' });
  await unfair.do.proposeArbitrator({ taskId: disputed, arbitrator });
  const honest = await enter('visitor');
  await waive(disputed, unfair, honest);
  await says(judge, new RegExp(`ruled on ${disputed}: for the worker`));
  worker.child.kill('SIGKILL');

  // A worker who delivers wrong work loses.
  const second = start(context, 'poster.ts', 'newcomer', 'six seven');
  const wrong = await says(second, /posted (\S+)/);
  const cheat = await enter('analyst');
  await cheat.do.claimTask({ taskId: wrong });
  await says(second, /works/);
  const file = { name: 'counts.json', mediaType: 'application/json', content: '[7]' };
  await cheat.do.submitProof({ taskId: wrong, artifacts: [await cheat.attach(wrong, file)] });
  await says(second, /counts.json should be \[2\]/);
  await cheat.do.answerDispute({ taskId: wrong, evidenceText: 'Seven, as it says.' });
  await cheat.do.proposeArbitrator({ taskId: wrong, arbitrator });
  const owner = await enter('newcomer');
  await waive(wrong, cheat, owner);
  await says(judge, new RegExp(`ruled on ${wrong}: for the poster`));
  await says(second, /ended as RESOLVED/);
  const { dispute } = (await cheat.client.task(wrong)).task;
  assert.equal(dispute?.ruling?.documentState, 'verified');
  assert.match(dispute?.ruling?.document?.reasons ?? '', /The worker says: Seven, as it says\./);
  assert.doesNotMatch(judge.said(), /^v2:\S+:/m, 'it waits for the end of the hearing');
  await Promise.all([unfair, cheat, honest, owner].map((one) => one.close()));
});

test('the worker in Python claims, delivers a file and is paid', async (context) => {
  const worker = start(context, 'worker.py', 'painter');
  await says(worker, new RegExp(`${accountOf('painter').address} waits for work`));
  const poster = start(context, 'poster.ts', 'newcomer', 'one two three', 'four  five');
  const taskId = await says(poster, /posted (\S+)/);
  await says(worker, new RegExp(`claimed ${taskId}`));
  await says(worker, new RegExp(`delivered ${taskId}`));
  await says(poster, /accepted and paid\nended as COMPLETED/);
});

test('the worker in Python outlives a gateway that goes away in every way', async (context) => {
  const outages = [
    '',
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{',
    'HTTP/1.1 503 Down\r\ncontent-length: 100\r\n\r\n{',
    'nonsense\r\n\r\n',
  ];
  let asked = 0;
  const gateway = createServer((_, response) => {
    // First the configuration, so that it starts.
    if (asked++ === 0) return void response.end('{"chainId":8453}');
    response.socket?.end(outages[asked % outages.length] ?? '');
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  context.after(() => gateway.close());
  const { port } = gateway.address() as AddressInfo;
  const worker = startAt(`http://127.0.0.1:${port}`, context, 'worker.py', 'painter');
  await says(worker, /waits for work/);
  await until(() => {
    assert.equal(worker.child.exitCode, null, worker.said());
    return asked > outages.length + 1;
  });
  assert.match(worker.said(), /did not answer: /);
  assert.doesNotMatch(worker.said(), /Traceback/);
});

test('the program that reads by the typed client runs in a clone as the guide says', async (context) => {
  const guide = readGuide('docs/using-the-api.md');
  const block = readBlocks(guide).find(({ text }) => text.startsWith('// reads.ts')) ?? assert.fail();
  assert.match(guide.text, /`npx --no -- node --conditions=@svc\/source reads\.ts`/);
  const file = join(scene.cwd, 'reads.ts');
  writeFileSync(file, block.text.replace('http://localhost:8080', scene.servers.siteUrl));
  const [command, ...options] = ['npx', '--no', '--', 'node', '--conditions=@svc/source', 'reads.ts'];
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(command ?? '', options, { cwd: scene.cwd, env, detached: true });
  context.after(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
  await says(watch(context, child), /^(\d+) open, \d+ found/m);
});
