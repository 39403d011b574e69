// An RPC that fails or lies, seen from outside: every answer of the site is true for the block that it names, reads go
// on from the last known state and say how old it is, and 503 is answered only while nothing is known.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { createRpc, type Rpc } from '#sdk/chain/rpc.ts';
import { errorMessages } from '#sdk/domain/errors.ts';
import { createSite } from '#service/app/createSite.ts';
import { createAuditedSite, createAuditReads } from '#service/cli/audit.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createChainSource } from '#service/indexer/source.ts';
import { auditMarkets } from '#service/market/audit.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './support/faultyProxy.ts';
import { postTask } from './support/posting.ts';
import { get, getQuota } from './support/postingSite.ts';
import { buildSiteOptions, type LogLine, startSite, type TestSite } from './support/site.ts';
import { until } from './support/until.ts';

const reads = [
  '/api/market/open',
  '/api/market/recent?market=micro',
  '/api/market/task?id=v2:standard:3',
  '/api/market/timeline?id=v2:standard:3',
  '/api/site-config',
  '/api/union/overview',
];

/** Not asked for while the chain is there: what they need is learnt at the start. */
const postingReads = [
  `/api/posting/quota?address=${accountOf('press').address}`,
  '/api/posting/tok-preview?tier=basic&market=micro',
  `/api/posting/quote?address=${accountOf('press').address}&tier=basic&payWith=usdc`,
];

const failing: readonly Fault[] = [
  'down',
  'silent',
  'too many requests',
  'server errors',
  'garbage',
  'null results',
  'wrong chain id',
  'other genesis',
  'truncated logs',
  'no logs',
];

let site: TestSite;
let proxy: FaultyProxy;
let rpc: Rpc;
/** How far the site's clock is ahead, so that nobody has to wait for an age. */
let aheadSeconds = 0;

before(async () => {
  site = await startSite();
  const { deployment, rpcUrl, clock } = site.devnet;
  proxy = await startFaultyProxy(rpcUrl);
  rpc = createRpc({ urls: [rpcUrl], chainId: deployment.chainId, genesisHash: deployment.genesisHash });
  await site.stop();
  await site.start({ rpcUrls: [proxy.url], now: () => clock.now() + aheadSeconds });
});
afterEach(() => {
  proxy.setFault('none');
  aheadSeconds = 0;
});
after(async () => {
  proxy.close();
  rpc.close();
  await site.close();
});

async function assertTrue(url: string, withHistory: boolean): Promise<void> {
  const source = createChainSource(rpc, site.devnet.deployment);
  const { differences } = await auditMarkets(createAuditReads(createAuditedSite(url), source, withHistory));
  assert.deepEqual(differences, []);
}

/** Until the proxy has this fault and the site has met it twice. */
async function bringAbout(fault: Fault, through: FaultyProxy, log: readonly LogLine[]): Promise<void> {
  through.setFault(fault);
  // Of one that is silent it takes long to say that it failed.
  const count = () =>
    fault === 'silent' ? through.requests() : log.filter(({ level }) => level === 'error').length;
  const before = count();
  await until(() => count() > before + 1);
}

for (const fault of failing) {
  test(`${fault}: reads go on, say how old they are and are true, and then it catches up`, async () => {
    // Which chain it serves an endpoint is asked again after a failure.
    await bringAbout('down', proxy, site.log);
    const shown = Number((await site.get(reads[0] as string)).headers.get('svc-block'));
    const posting = postTask(await site.castOn('standard'));
    await bringAbout(fault, proxy, site.log);
    const id = await posting;
    aheadSeconds = 3_600;
    for (const path of reads) {
      const response = await site.get(path);
      assert.equal(response.status, 200, path);
      assert.ok(Number(response.headers.get('svc-block')) >= shown, path);
      assert.ok(Number(response.headers.get('svc-block-age')) >= 3_500, path);
    }
    for (const path of postingReads) assert.equal((await site.get(path)).status, 200, path);
    const { status, ready } = await site.getJson('/health');
    assert.deepEqual({ status, ready }, { status: 'degraded', ready: true });
    await assertTrue(site.url(), false);

    proxy.setFault('none');
    aheadSeconds = 0;
    await until(async () => (await site.get(`/api/market/task?id=${id}`)).ok);
    await until(async () => (await site.getJson('/health')).status === 'ok');
    await assertTrue(site.url(), true);
  });
}

for (const fault of ['slow', 'flapping', 'batches refused'] as const) {
  test(`${fault}: what is posted shows all the same, and every answer is true`, async () => {
    proxy.setFault(fault);
    const id = await postTask(await site.castOn('standard'));
    await until(async () => (await site.get(`/api/market/task?id=${id}`)).ok);
    await assertTrue(site.url(), true);
  });
}

for (const fault of failing.filter((one) => !one.endsWith('logs'))) {
  test(`${fault} from the first moment: 503 with {error} while nothing is known, and then answers`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-empty-'));
    const log: LogLine[] = [];
    const other = await startFaultyProxy(site.devnet.rpcUrl);
    const isMet = bringAbout(fault, other, log);
    const options = buildSiteOptions({ devnet: site.devnet, dataDir, log });
    const fresh = await createSite({ ...options, rpcUrls: [other.url] });
    context.after(async () => {
      await fresh.close();
      other.close();
      rmSync(dataDir, { recursive: true, force: true });
    });
    await isMet;
    for (const path of reads) {
      const response = await fetch(fresh.url + path);
      assert.equal(response.status, 503, path);
      assert.equal(response.headers.get('svc-block'), null, path);
      assert.deepEqual(await response.json(), { error: errorMessages.NOT_READY, code: 'NOT_READY' }, path);
    }
    assert.equal((await fetch(`${fresh.url}/health`)).status, 503);

    other.setFault('none');
    await until(async () => (await fetch(`${fresh.url}/health`)).ok);
    await assertTrue(fresh.url, false);
  });
}

test('while history cannot be read, no paid plan is missing, and a task says that its deliveries may be', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-unread-'));
  const other = await startFaultyProxy(site.devnet.rpcUrl);
  other.setFault('logs refused');
  const fresh = await createSite({
    ...buildSiteOptions({ devnet: site.devnet, dataDir }),
    rpcUrls: [other.url],
  });
  context.after(async () => {
    await fresh.close();
    other.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await until(async () => (await fetch(`${fresh.url}/health`)).ok);
  const ask = () => fetch(`${fresh.url}${postingReads[0]}`);
  const refused = await ask();
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.deepEqual(await refused.json(), { error: errorMessages.NOT_READY, code: 'NOT_READY' });

  other.setFault('plan logs alone');
  await until(async () => (await ask()).status !== 503);
  assert.equal((await getQuota(fresh.url, accountOf('press').address)).tier, 'premium');
  const health = await get(fresh.url, '/health');
  assert.equal(health.body.history.complete, false, 'the rows do not know it');

  const [unread, read] = await Promise.all(
    [fresh.url, site.url()].map(
      async (url) => (await get(url, '/api/market/task?id=v2:standard:1')).body.task,
    ),
  );
  assert.deepEqual([unread.deliveries, unread.historyComplete], [[], false]);
  assert.equal(read.historyComplete, true);
  assert.notEqual(read.deliveries.length, 0);
});
