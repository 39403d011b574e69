// Proves the gateway's reads on a living market: boards and deposits are what the contracts themselves say.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';
import { createPublicClient, createWalletClient, type Hex, http, type PublicClient } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { errorMessages } from '#sdk/domain/errors.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { buildEnvelope, noHead, signEnvelope } from '#sdk/negotiation/envelope.ts';
import {
  boardRoutes,
  feesSchema,
  marketHealthSchema,
  reputationBoardSchema,
  treasuryHistorySchema,
  treasurySchema,
  verifierBoardSchema,
} from '#sdk/schemas/boards.ts';
import { profileRoutes } from '#sdk/schemas/profiles.ts';
import type { Route } from '#sdk/schemas/route.ts';
import { requestRoutes } from '#sdk/schemas/walletRequest.ts';
import { gatewayRoutes } from '#service/contract/apis.ts';
import { claimRoutes } from '#service/contract/claiming.ts';
import { gatewayTaskRoutes } from '#service/contract/gatewayTasks.ts';
import { accountOf, accounts } from '#service/devnet/accounts.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { send } from './support/asking.ts';
import { base } from './support/baseChain.ts';
import { ask } from './support/devnet.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { readCurls, readGuide } from './support/guide.ts';
import { contractsOf } from './support/marketReader.ts';
import { unseenHash } from './support/postingSite.ts';
import { callTool, openClient } from './support/tools.ts';
import { until } from './support/until.ts';
import { payV1, signAuthorization } from './support/x402.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway.close());

const on = (market: Market) => contractsOf(gateway.devnet.deployment, market);
const chainOf = () => createPublicClient({ transport: http(gateway.devnet.rpcUrl) }) as PublicClient;

async function read(path: string) {
  const { status, body } = await gateway.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('open, recent and single tasks are those of the site, by default as many; mistakes are 400, unknown tasks 404', async () => {
  for (const list of ['open', 'recent']) {
    const there = await read(`/api/market/${list}?market=micro`);
    assert.deepEqual(await read(`/v1/market/${list}?market=micro`), there);
  }
  const task = await read('/api/market/task?id=v2:micro:1');
  for (const path of ['v2:micro:1', '1?market=micro', 'v2:micro:1?market=micro'])
    assert.deepEqual(await read(`/v1/tasks/${path}`), task);
  const { headers } = await gateway.get('/v1/market/open');
  assert.match(headers.get('svc-block') ?? '', /^\d+$/);
  const again = await gateway.get('/v1/market/open', { 'If-None-Match': headers.get('etag') ?? '' });
  assert.equal(again.status, 304);
  const lists = ['market/open?limit=0', 'market/recent?market=grand', 'leaderboard/reputation?limit=x'];
  const wallets = ['leaderboard/reputation', 'leaderboard/verifiers', 'treasury'].map(
    (one) => `${one}?address=x`,
  );
  for (const path of [...lists, ...wallets, 'tasks/none', 'tasks/0', 'tasks/v2:micro:1?market=standard'])
    assert.equal((await gateway.get(`/v1/${path}`)).status, 400, path);
  for (const path of ['tasks/999999', 'tasks/v2:micro:99999999999999999999', 'nothing'])
    assert.equal((await gateway.get(`/v1/${path}`)).status, 404, path);
});

test('every page that has a next one links it, behind a session and behind a payment too', async () => {
  await gateway.restart({ isPaidDiscovery: true });
  const [press, coder] = (['press', 'coder'] as const).map((name) =>
    privateKeyToAccount(accountOf(name).privateKey),
  ) as [PrivateKeyAccount, PrivateKeyAccount];
  for (const text of ['One', 'Two']) {
    const sender = { evmAddress: coder.address, xmtpPublicKey: 'none' };
    const payload = { text, to: press.address };
    const draft = { type: 'Note', negotiationId: crypto.randomUUID(), sender, payload };
    const envelope = await signEnvelope(buildEnvelope(draft, noHead, new Date()), coder.signTypedData);
    const sent = await send(gateway.url(), '/v1/messages', toCanonical(envelope));
    assert.equal(sent.status, 202, sent.body.error);
  }
  const token = await gateway.signIn(press);
  const bySession = async () => ({ authorization: `Bearer ${token}` });
  const byPayment = async () => {
    const [{ payTo }] = (await gateway.get('/v1/paid/market/open')).body.accepts;
    return payV1(await signAuthorization(press, { to: payTo }));
  };
  const pages = Object.values<Route>(gatewayRoutes).filter(({ query }) => 'cursor' in query.shape);
  const linked: string[] = [];
  for (const { path, needsSession, others } of pages) {
    const allow = needsSession ? bySession : others?.[402] === undefined ? async () => ({}) : byPayment;
    const first = await gateway.get(`${path}?limit=1`, await allow());
    assert.equal(first.status, 200, path);
    const { nextCursor } = first.body;
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    if (nextCursor === null) {
      assert.equal(next, '', path);
      continue;
    }
    assert.equal(next, `${path}?limit=1&cursor=${nextCursor}`);
    const second = await gateway.get(next, await allow());
    assert.equal(second.status, 200, next);
    assert.notDeepEqual(second.body, first.body, next);
    linked.push(path);
  }
  for (const path of [
    '/v1/market/open',
    '/v1/paid/market/open',
    '/v1/paid/market/recent',
    '/v1/mailbox/conversations',
  ])
    assert.ok(linked.includes(path), `${path} among ${linked.join()}`);
  await gateway.restart();
});

test('the reputation board is what the registry counts and escrow paid, best first', async () => {
  for (const market of markets) {
    const { reputation, escrow } = on(market);
    const board = reputationBoardSchema.parse(
      await read(`/v1/leaderboard/reputation?market=${market}&limit=100`),
    );
    assert.ok(board.agents.length > 5);
    const paid = { ...escrow, eventName: 'Released', fromBlock: 0n } as const;
    const released = await chainOf().getContractEvents(paid);
    for (const [at, agent] of board.agents.entries()) {
      const args = [agent.address as Hex] as const;
      const asked = { ...reputation, functionName: 'reputationOf', args } as const;
      const [record, score] = await chainOf().readContract(asked);
      const earned = released
        .filter(({ args }) => args.to === agent.address)
        .reduce((sum, { args }) => sum + (args.amount ?? 0n), 0n);
      const { completed, disputesWon: won, disputesLost: lost, left, dismissed } = record;
      const counted = { completed, won, lost, left, dismissed, earnedTokWei: String(earned) };
      assert.partialDeepStrictEqual(agent, { rank: at + 1, score: Number(score), ...counted });
      assert.ok(at === 0 || (board.agents[at - 1]?.score ?? 0) >= agent.score);
    }
    const last = board.agents.at(-1);
    const path = `/v1/leaderboard/reputation?market=${market}`;
    const alone = await read(`${path}&address=${last?.address.toLowerCase()}`);
    assert.deepEqual([alone.count, alone.agents], [1, [last]]);
    const short = await read(`${path}&limit=3`);
    assert.deepEqual([short.count, short.total, short.agents.length], [3, board.total, 3]);
  }
});

test('the board counts every way in which a dispute ends, as the court logged it', async () => {
  const total: Record<string, number> = {};
  for (const market of markets) {
    const { court, registry } = on(market);
    const logged = {
      ruling: 0,
      default: 0,
      concededByPoster: 0,
      concededByWorker: 0,
      settled: 0,
      silence: 0,
    };
    const shares = new Map<string, number>();
    for (const { eventName, args } of await chainOf().getContractEvents({ ...court, fromBlock: 0n })) {
      if (!/^(DisputeResolved|DisputeTimedOut|DisputeConceded|MutuallySettled)$/.test(eventName)) continue;
      const { taskId = 0n, phase, by } = args as { taskId?: bigint; phase?: number; by?: string };
      const asked = { ...registry, functionName: 'partiesOf', args: [taskId] } as const;
      const parties = await chainOf().readContract(asked);
      for (const party of parties) shares.set(party, (shares.get(party) ?? 0) + 1);
      if (eventName === 'DisputeResolved') logged.ruling += 1;
      else if (eventName === 'MutuallySettled') logged.settled += 1;
      else if (eventName === 'DisputeTimedOut') logged[phase === 1 ? 'default' : 'silence'] += 1;
      else logged[by === parties[0] ? 'concededByPoster' : 'concededByWorker'] += 1;
    }
    const board = reputationBoardSchema.parse(
      await read(`/v1/leaderboard/reputation?market=${market}&limit=100`),
    );
    assert.deepEqual(board.outcomes, logged, market);
    for (const { address, outcomes } of board.agents)
      assert.equal(
        Object.values(outcomes).reduce((sum, count) => sum + count, 0),
        shares.get(address) ?? 0,
        address,
      );
    for (const [kind, count] of Object.entries(logged)) total[kind] = (total[kind] ?? 0) + count;
  }
  for (const [kind, count] of Object.entries(total)) assert.ok(count > 0, `the seeded market has ${kind}`);
});

test('the verifier board is what the court keeps', async () => {
  const { court } = on('standard');
  const { verifiers } = verifierBoardSchema.parse(await read('/v1/leaderboard/verifiers'));
  assert.ok(verifiers.some(({ address }) => address === accountOf('umpire').address));
  for (const { address, bondTokWei, resolved, missed, openCases, eligible } of verifiers) {
    const asked = { ...court, functionName: 'arbitratorOf', args: [address as Hex] } as const;
    const [record, isEligible] = await chainOf().readContract(asked);
    assert.deepEqual(
      [BigInt(bondTokWei), resolved, missed, openCases, eligible],
      [record.bond, record.resolved, record.missed, record.openCases, isEligible],
    );
  }
});

test('the treasury shows every deposit as the vault judges it, the paused first', async () => {
  const { deposits } = on('standard');
  const { agents, totals } = treasurySchema.parse(await read('/v1/treasury?limit=100'));
  assert.equal(agents[0]?.address, accountOf('drifter').address);
  assert.equal(agents[0]?.paused, true);
  const alone = await read(`/v1/treasury?address=${agents[1]?.address.toLowerCase()}`);
  assert.deepEqual([alone.count, alone.agents], [1, agents.slice(1, 2)]);
  for (const agent of agents) {
    const asked = { ...deposits, functionName: 'accountOf', args: [agent.address as Hex] } as const;
    const [account, paused, canEngage, recommended] = await chainOf().readContract(asked);
    assert.deepEqual(
      [agent.balanceUsd * 1e6, agent.lockedUsd * 1e6, agent.engagements, agent.paused, agent.canEngage],
      [Number(account.balance), Number(account.locked), account.engagements, paused, canEngage],
    );
    assert.equal(agent.recommended, recommended);
  }
  const held = await chainOf().readContract({ ...deposits, functionName: 'totalHeld' });
  assert.equal(totals.balanceUsd * 1e6, Number(held), 'nobody’s deposit is missing');
});

test('collateral over time begins with the first deposit and ends with what the contracts hold now, forks included', async () => {
  const client = chainOf();
  const { deposits, court, usdc } = on('standard');
  const history = async () => treasuryHistorySchema.parse(await read('/v1/treasury/history')).points;
  const holds = async () => {
    const held = await client.readContract({ ...deposits, functionName: 'totalHeld' });
    const [, records] = await client.readContract({ ...court, functionName: 'arbitrators', args: [0n, 50n] });
    const bonds = records.reduce((sum, { bond }) => sum + bond, 0n);
    return { depositsUsd: Number(held) / 1e6, bondsTokWei: String(bonds) };
  };
  const isNow = async () => {
    const { time: _, ...last } = (await history()).at(-1) ?? { time: 0 };
    return isDeepStrictEqual(last, await holds());
  };
  assert.ok(await isNow());
  const points = await history();
  assert.ok(points.length > 1 && (points[0]?.depositsUsd ?? 0) < (points.at(-1)?.depositsUsd ?? 0));
  const snapshot = await ask(client, 'evm_snapshot');
  const owner = privateKeyToAccount(accountOf('newcomer').privateKey);
  const wallet = createWalletClient({ account: owner, chain: base, transport: http(gateway.devnet.rpcUrl) });
  const amount = 30_000_000n;
  await wallet.writeContract({ ...usdc, functionName: 'approve', args: [deposits.address, amount] });
  await wallet.writeContract({ ...deposits, functionName: 'topUp', args: [amount] });
  const before = points.at(-1)?.depositsUsd ?? 0;
  await until(async () => (await history()).at(-1)?.depositsUsd === before + 30);
  assert.ok(await isNow());
  await ask(client, 'evm_revert', snapshot);
  await ask(client, 'evm_mine');
  await until(async () => (await history()).at(-1)?.depositsUsd === before);
  assert.deepEqual(await history(), points);
});

test('market health adds up to what the contracts and the lists say', async () => {
  for (const market of markets) {
    const { weeks, open, totals } = marketHealthSchema.parse(
      await read(`/v1/market/health?market=${market}`),
    );
    const sum = (count: (week: (typeof weeks)[number]) => number) =>
      weeks.reduce((total, week) => total + count(week), 0);
    const { agents } = await read(`/v1/leaderboard/reputation?market=${market}&limit=100`);
    const earned = agents.map(({ earnedTokWei }: { earnedTokWei: string }) => BigInt(earnedTokWei));
    const { tasks } = await read(`/api/market/recent?market=${market}&limit=100`);
    const tally = (state: string) => tasks.filter((task: { state: string }) => task.state === state).length;
    const paid = weeks.reduce((total, { paidTokWei }) => total + BigInt(paidTokWei), 0n);
    const received = earned.reduce((total: bigint, one: bigint) => total + one, 0n);
    assert.equal(paid, received);
    const { escrow, tok, registry } = on(market);
    const held = { ...tok, functionName: 'balanceOf', args: [escrow.address] } as const;
    const escrowTokWei = String(await chainOf().readContract(held));
    assert.deepEqual(totals, { escrowTokWei, paidTokWei: String(paid) });
    const count = await chainOf().readContract({ ...registry, functionName: 'taskCount' });
    const posted = sum((week) => week.posted);
    assert.equal(posted, Number(count));
    assert.ok(sum(({ completed }) => completed) >= tally('COMPLETED') && tally('COMPLETED') > 0);
    assert.ok(sum(({ resolved }) => resolved) >= tally('RESOLVED'));
    assert.ok(
      weeks.every(({ start }) => new Date(start * 1_000).getUTCDay() === 1),
      'weeks begin on Monday',
    );
    const list = await read(`/api/market/open?market=${market}&limit=100`);
    assert.deepEqual([open.tasks, open.isAll], [list.count, true]);
  }
});

test('the fees are those of the specification', async () => {
  const fees = feesSchema.parse(await read('/v1/fees'));
  assert.deepEqual(fees.accessFee, {
    tokWei: '1000000000000000000000',
    actions: ['post', 'claim', 'dismiss', 'leave'],
  });
  const { entryUsd, recommendedUsd, pauseUsd } = fees.collateral;
  assert.deepEqual([entryUsd, recommendedUsd, pauseUsd], [25, 45, 8]);
  assert.equal(fees.plans[0]?.id, 'free');
});

test('while the chain is read again, boards and ledgers are 503; then they are as before', async () => {
  const { devnet, get, site, restart } = gateway;
  const boards = [
    '/v1/leaderboard/reputation',
    '/v1/treasury',
    '/v1/treasury/history?market=micro',
    '/v1/market/health',
  ];
  const readLedgers = () =>
    Promise.all(
      markets.flatMap((market) =>
        accounts.map(({ address }) => read(`/api/get-market-ledger?address=${address}&market=${market}`)),
      ),
    );
  const whole = await readLedgers();

  // As after a long absence, with nobody who reads on.
  const { database, drain } = site().market;
  drain();
  const store = createForwardStore(database, devnet.clock.now);
  await until(async () => {
    const reading = await store.loadReading();
    if (reading === null) return false;
    return store.returnToReading(reading).then(
      () => true,
      () => false,
    );
  });
  const ledger = `/api/get-market-ledger?address=${accounts[0]?.address}`;
  for (const path of [...boards, ledger]) {
    await until(async () => (await get(path)).status !== 200);
    const { status, headers, body } = await get(path);
    assert.deepEqual([status, body], [503, { error: errorMessages.NOT_READY, code: 'NOT_READY' }], path);
    assert.equal(headers.get('retry-after'), '2');
  }
  await restart();
  for (const path of boards) await until(async () => (await get(path)).status === 200);
  assert.deepEqual(await readLedgers(), whole);
});

const commands = readCurls(readGuide('docs/using-the-api.md'), 'The gateway');

test('the guide’s commands work, and show every route that needs nothing else', async () => {
  for (const { path } of Object.values<Route>({
    ...gatewayTaskRoutes,
    ...boardRoutes,
    ...claimRoutes,
    ...requestRoutes,
    ...profileRoutes,
  })) {
    if (path.startsWith('/v1/requests/')) continue;
    const shown = new RegExp(`localhost:4020${path.replace(/:\w+/, '[\\w:]+')}['?]`);
    assert.ok(
      commands.some((command) => shown.test(command)),
      path,
    );
  }
  for (const command of commands) {
    const here = command.replaceAll('http://localhost:4020', gateway.url());
    const args = ['-c', here.replace(/^curl /, `curl -sS -o /dev/null -w '%{http_code}' `)];
    const { stdout } = await promisify(execFile)('sh', args);
    assert.match(stdout, command.includes('payer') ? /^(200|402|409)$/ : /^20[01]$/, command);
  }
});

test('quota, check and the tools at /mcp answer the same quota to the same caller, who reported three posts', async (context) => {
  await gateway.restart({ trustedProxies: ['127.0.0.1'] });
  const address = '0x00000000000000000000000000000000000000b8';
  const tell = async (ip: string) => {
    const headers = { 'x-forwarded-for': ip };
    const { status, body } = await send(gateway.url(), '/api/posting/check', { address }, headers);
    const quota = await fetch(`${gateway.url()}/api/posting/quota?address=${address}`, { headers });
    const tools = await openClient(context, `${gateway.url()}/mcp`, {}, headers);
    const { data } = await callTool(tools, 'svc_onboarding_checklist', { address });
    const left = /(\d) of 3 posts left/.exec(JSON.stringify(data))?.[1];
    return [status, (body.quota ?? body).used, ((await quota.json()) as { used: number }).used, left];
  };
  for (const seed of [81, 82, 83]) {
    const txHash = unseenHash(seed);
    const post = { address, taskId: `v2:standard:${7_000 + seed}`, txHash, taskAmountTok: '1000' };
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    assert.equal((await send(gateway.url(), '/api/posting/record', post, headers)).status, 200);
  }
  assert.deepEqual(await tell('198.51.100.7'), [429, 3, 3, '0']);
  assert.deepEqual(await tell('198.51.100.8'), [200, 0, 0, '3']);
});

test('this machine is one caller by either of its own addresses', async () => {
  await gateway.restart({ trustedProxies: ['127.0.0.1'] });
  const address = '0x00000000000000000000000000000000000000b9';
  const post = { address, taskId: 'v2:standard:7091', txHash: unseenHash(91), taskAmountTok: '1000' };
  const by = (ip: string) => ({ 'x-forwarded-for': ip });
  assert.equal((await send(gateway.url(), '/api/posting/record', post, by('::1'))).status, 200);
  for (const ip of ['::1', '127.0.0.1', '::ffff:127.0.0.1'])
    assert.equal((await send(gateway.url(), '/api/posting/check', { address }, by(ip))).body.used, 1, ip);
});
