// Proves that agents whose processes are killed while they trade still end their tasks, that no wallet spends more than its
// policy has counted and allowed, and that site and chain agree afterwards.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { erc20Abi, parseEventLogs } from 'viem';
import { sleep } from '#sdk/domain/backoff.ts';
import { SvcError } from '#sdk/domain/errors.ts';
import { createSiteClient } from '#service/app/connect.ts';
import { type AgentAccount, createDemoAgent, type DemoAgent, demoPolicy } from '#service/demo/demoAgent.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createLedger } from '#service/policy/decisionLog.ts';
import { judge, sumUp } from '#service/policy/judge.ts';
import { parsePolicy } from '#service/policy/policyFile.ts';
import { type RunningChain, startChain } from './support/devnet.ts';
import { createFolder, startSvc, svcScript } from './support/svc.ts';

const market = 'micro';
const tasksWanted = 3;
const killsWanted = 4;
/** What the policy allows in a day. A fast machine needs more tasks than three until enough processes were killed. */
const mostTasks = 9;
const killEveryMs = 2_500;
const longestStepMs = 60_000;

test('agents that are killed while they trade end their tasks, and no policy is exceeded', async (context) => {
  const cwd = createFolder(context);
  const chain = await startChain('--no-seed', '--no-keeper');
  context.after(() => chain.stop());
  const { siteUrl, gatewayUrl } = chain.report;
  const site = createSiteClient(siteUrl);
  const accounts = [accountOf('newcomer'), accountOf('visitor')];
  const create = (one: AgentAccount) => createDemoAgent({ siteUrl, gatewayUrl }, one, { script: svcScript });
  const agents = await Promise.all(accounts.map(create));
  context.after(() => Promise.all(agents.map((agent) => agent.close())));
  const [poster, worker] = agents as [DemoAgent, DemoAgent];
  for (const agent of agents) await agent.act('top-up', { market, amountUsdc: '50' });

  const done = new AbortController();
  context.after(() => done.abort());
  let kills = 0;
  const killing = (async () => {
    for (; !done.signal.aborted; kills++) {
      await sleep(killEveryMs, done.signal);
      const pid = agents[kills % agents.length]?.pid() ?? null;
      if (pid !== null && !done.signal.aborted) process.kill(pid, 'SIGKILL');
    }
  })();

  /** Gives up a request of which nobody knows the result, as an operator does. */
  const forget = (agent: DemoAgent, requestId: string) =>
    startSvc(['request', requestId, '--forget'], {
      cwd,
      env: { SVC_SITE_URL: siteUrl, SVC_GATEWAY_URL: gatewayUrl, SVC_DATA_DIR: agent.dataDir },
    }).ended;

  /** Repeats the action with the same arguments, after a restart where the process was killed, until `find` returns something. */
  async function insist<Found>(
    agent: DemoAgent,
    action: string,
    args: Readonly<Record<string, unknown>>,
    find: (reply: { taskId?: string | null }) => Promise<Found | undefined>,
  ): Promise<Found> {
    const endAt = performance.now() + longestStepMs;
    let failure: unknown;
    while (performance.now() < endAt) {
      const reply = await (async () => {
        if (agent.pid() === null) await agent.restart();
        return agent.act(action, args);
      })().catch(async (error: unknown) => {
        failure = error;
        const requestId = error instanceof SvcError && /key-[0-9a-f-]{36}/.exec(error.message)?.[0];
        if (requestId) await forget(agent, requestId);
        return {};
      });
      const found = await find(reply);
      if (found !== undefined) return found;
      await sleep(200);
    }
    throw failure;
  }

  for (let number = 1; number <= tasksWanted || (kills < killsWanted && number <= mostTasks); number++) {
    const task = {
      market,
      title: `Task ${number}`,
      description: 'A line of text.',
      criteriaText: 'One line.',
      totalAmountTok: '100',
      fundNowTok: '100',
      deadline: '+2d',
      reviewPeriod: '6h',
    };
    const taskId = await insist(poster, 'post-task', task, async (reply) => reply.taskId ?? undefined);
    const isIn = (state: string) => async () =>
      (await site.task(taskId)).task.state === state ? true : undefined;
    await insist(worker, 'claim-task', { taskId }, isIn('CLAIMED'));
    await insist(poster, 'start-work', { taskId }, isIn('ACTIVE'));
    await insist(worker, 'submit-proof', { taskId, note: 'One line, as agreed.' }, isIn('DELIVERED'));
    await insist(poster, 'accept-milestone', { taskId, milestone: '0' }, isIn('COMPLETED'));
  }
  done.abort();
  await killing;
  assert.ok(kills >= killsWanted, `${kills} kills`);

  const policy = parsePolicy(JSON.stringify(demoPolicy), 'policy.json');
  for (const { name, address, dataDir } of agents) {
    const ledger = createLedger(join(dataDir, 'policy.sqlite'));
    const entries = ledger.loadSpent(address);
    ledger.close();
    for (const [at, { spendings }] of entries.entries()) {
      const before = entries.slice(0, at).flatMap((entry) => entry.spendings);
      assert.deepEqual(judge(policy, spendings, before), [], name);
    }
    const counted = sumUp(entries.flatMap(({ spendings }) => spendings));
    const { tokToken: tok, usdc } = chain.deployment;
    for (const [token, contract] of Object.entries({ tok, usdc }) as ['tok' | 'usdc', typeof tok][]) {
      const left = await readOutgoing(chain, contract, address);
      assert.ok(left > 0n && left <= counted[token], `${name}: ${left} of ${counted[token]} ${token}`);
      assert.ok(counted[token] <= policy.perDay[token], `${name}: ${counted[token]} ${token}`);
    }
  }

  const { rpcUrl } = chain.report;
  const audit = await startSvc(['audit', '--json', '--site', siteUrl, '--rpc', rpcUrl], { cwd }).ended;
  assert.equal(audit.exitCode, 0, audit.err);
  const { tasks, differences } = JSON.parse(audit.out) as { tasks: number; differences: unknown[] };
  assert.ok(tasks >= tasksWanted);
  assert.deepEqual(differences, []);
});

/** The sum of all transfers of a token from a wallet. */
async function readOutgoing(
  { publicClient }: RunningChain,
  address: `0x${string}`,
  from: `0x${string}`,
): Promise<bigint> {
  const logs = await publicClient.getLogs({ address, fromBlock: 0n, toBlock: 'latest' });
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    .filter(({ args }) => args.from.toLowerCase() === from.toLowerCase())
    .reduce((sum, { args }) => sum + args.value, 0n);
}
