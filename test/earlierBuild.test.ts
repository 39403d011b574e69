// An upgrade with two builds: an earlier version has data, this one brings the schema forward beside it, and both serve reads and
// writes on one database, until the earlier one is gone; and it can come back.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet } from '#service/devnet/devnet.ts';
import { migrations } from '#service/store/migrate.ts';
import { get, send } from './support/asking.ts';
import { createCast, enter } from './support/cast.ts';
import { onBothDatabases } from './support/databases.ts';
import { extractEarlier } from './support/earlierBuild.ts';
import { postTask } from './support/posting.ts';
import { unseenHash } from './support/postingSite.ts';
import { startServerProcess } from './support/serverProcess.ts';
import { createFolder } from './support/svc.ts';
import { until } from './support/until.ts';

const folder = createFolder({ after });
const deploymentFile = join(folder, 'deployment.json');
let earlierScript: string;

before(() => {
  earlierScript = extractEarlier(folder);
});

onBothDatabases(({ place, open }) => {
  test('an earlier build and this one serve one database side by side, and the earlier one comes back', async (context) => {
    const at = await place();
    const devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
    context.after(devnet.close);
    writeFileSync(deploymentFile, formatDeployment(devnet.deployment));
    const cast = await createCast(devnet.rpcUrl, 'standard');
    await enter(cast);
    const start = (script?: string) => {
      const env = {
        ...at,
        SVC_DEPLOYMENT: deploymentFile,
        SVC_RPC_URL: devnet.rpcUrl,
        SVC_GATEWAY_KEY: `0x${'07'.repeat(32)}`,
        SVC_DRAIN_SECONDS: '0',
      };
      const server = startServerProcess(['gateway'], { cwd: folder, env, ...(script && { script }) });
      context.after(() => server.kill());
      return server;
    };
    const countSteps = async () =>
      (await open(at).query('SELECT name FROM chain.migrations UNION ALL SELECT name FROM migrations'))
        .length;
    const wallet = cast.worker.address;
    const listOpen = async (url: string) => {
      const { body } = await get(url, '/api/market/open?limit=100');
      return ((body.tasks ?? []) as { id: string }[]).map(({ id }) => id);
    };
    let wallets = 0;
    /** Written at one, read and used at the other. */
    const exchange = async (one: string, other: string) => {
      const call = { to: wallet, value: '0x0', data: '0x' };
      const wanted = { kind: 'calls', action: 'fund-task', summary: 'Nothing', chainId: 8453, from: wallet };
      const created = await send(one, '/v1/requests', { ...wanted, calls: [call] });
      assert.equal(created.status, 201);
      const { status, body } = await get(other, `/v1/requests/${created.body.requestId}`);
      assert.deepEqual([status, body.status], [200, 'pending']);
      const task = await postTask(cast);
      for (const url of [one, other]) await until(async () => (await listOpen(url)).includes(task));
      assert.deepEqual(await listOpen(one), await listOpen(other));
      const given = await send(one, '/v1/payment-receipt', { payer: wallet, action: 'claim', taskId: task });
      const { header } = given.body;
      const claim = (url: string) =>
        send(url, `/v1/tasks/${task}/claim`, { payer: wallet }, { [header.name]: header.value });
      assert.equal((await claim(other)).status, 200);
      assert.equal((await claim(one)).status, 402, 'a receipt is of use once, at whichever build');
      const address = `0x${(++wallets).toString(16).padStart(40, 'd')}`;
      const told = { address, taskId: 'v2:standard:70000', txHash: unseenHash(wallets), taskAmountTok: '1' };
      assert.equal((await send(one, '/api/posting/record', told)).status, 200);
      const quota = await get(other, `/api/posting/quota?address=${address}`);
      assert.equal(quota.body.pending, 1, 'a post that the other has recorded counts');
    };

    const earlier = start(earlierScript);
    const earlierUrl = await earlier.url;
    await exchange(earlierUrl, earlierUrl);
    const before = await countSteps();
    const kept = await listOpen(earlierUrl);
    assert.ok(before <= migrations.own.length + migrations.chain.length && kept.length > 0);

    const later = start();
    const laterUrl = await later.url;
    assert.equal(await countSteps(), migrations.own.length + migrations.chain.length);
    await until(async () => (await listOpen(laterUrl)).length >= kept.length);
    assert.deepEqual(await listOpen(laterUrl), kept);
    await exchange(earlierUrl, laterUrl);
    await exchange(laterUrl, earlierUrl);

    assert.equal((await earlier.kill('SIGTERM')).exitCode, 0);
    await exchange(laterUrl, laterUrl);
    const again = start(earlierScript);
    await exchange(laterUrl, await again.url);
    assert.equal((await later.kill('SIGTERM')).exitCode, 0);
    await exchange(await again.url, await again.url);
    assert.equal(await countSteps(), migrations.own.length + migrations.chain.length);
  });
});
