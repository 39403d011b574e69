// docs/operations-guide.md and docs/configuration.md name what there is, and all of it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { countRounds } from '#service/app/createKeeper.ts';
import { readSettings } from '#service/config.ts';
import { createMetrics } from '#service/http/metrics.ts';
import { readBlocks, readTables, root } from '../docs/markdown.ts';
import type { GuideScene } from '../guides.test.ts';
import { readGuide } from '../support/guide.ts';
import { readLines } from '../support/lines.ts';
import { startSvc } from '../support/svc.ts';
import { until } from '../support/until.ts';

const guide = readGuide('docs/operations-guide.md');

export function testRunning(sceneOf: () => GuideScene): void {
  test('the guide names exactly the metrics that /metrics has, in its table and in its alerts', async (context) => {
    const { chain, cwd } = sceneOf();
    const file = join(cwd, 'deployment.json');
    writeFileSync(file, formatDeployment(chain.deployment));
    // The first endpoint is dead, since failures of one are counted once there are any.
    const env = { SVC_DEPLOYMENT: file, SVC_RPC_URL: `http://127.0.0.1:9,${chain.report.rpcUrl}` };
    const readMetrics = async (command: 'site' | 'gateway') => {
      const { child } = startSvc([command], { cwd, env });
      context.after(() => child.kill('SIGKILL'));
      const [url = ''] = /http:\S+/.exec(await readLines(child)()) ?? [];
      await until(async () => (await fetch(`${url}/health`)).ok);
      return (await fetch(`${url}/metrics`)).text();
    };
    const text = (await readMetrics('site')) + (await readMetrics('gateway')) + formatKeeperMetrics();
    const served = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const named = new Set(guide.text.match(/\bsvc_[a-z_]+/g));
    for (const upstream of ['svc_site', 'svc_gateway', 'svc_new']) named.delete(upstream);
    assert.deepEqual([...named].sort(), [...served].sort());
  });

  test('every kind of event in an alert is one that the indexer or the keeper reports', () => {
    const source = ['indexer/step.ts', 'indexer/advance.ts', 'indexer/follow.ts', 'keeper/keeper.ts']
      .map((name) => readFileSync(join(root, 'service/src', name), 'utf8'))
      .join('');
    const kinds = [...guide.text.matchAll(/event="(\w+)"/g)].map(([, kind]) => kind);
    assert.ok(kinds.length > 2);
    for (const kind of kinds) assert.match(source, new RegExp(`kind: '${kind}'`));
  });

  test('an alert about something that stops also sounds where it never began', () => {
    const alerts = new Map(
      readTables(guide.text).flatMap((rows) =>
        rows.map(([name = '', expression = '']) => [name, expression]),
      ),
    );
    assert.match(
      alerts.get('nobody follows') ?? '',
      /(svc_follower_total\{event="moved"\}).* or absent\(\1\)/,
    );
    // A counter appears with its first count, which is no increase.
    assert.match(alerts.get('our faults') ?? '', /(svc_requests_total\{status="500"\}) unless \1 offset/);
  });

  test('the units keep the data folder closed, which systemd would open at every start', () => {
    const units = readBlocks(guide).filter(({ text }) => text.includes('[Service]'));
    assert.equal(units.length, 1);
    for (const line of ['StateDirectory=svc', 'StateDirectoryMode=0700', 'UMask=0077'])
      assert.ok(units[0]?.text.split('\n').includes(line), line);
  });

  test('the table of variables is that of the configuration', () => {
    const [[, ...rows] = []] = readTables(readGuide('docs/configuration.md').text);
    assert.deepEqual(
      rows.map(([name = '']) => name.slice(1, -1)).sort(),
      readSettings({})
        .map(({ name }) => name)
        .sort(),
    );
  });
}

/** As its port serves them once there was something to count. */
function formatKeeperMetrics(): string {
  const metrics = createMetrics();
  metrics.count('keeper', { event: 'waiting' });
  countRounds(metrics)({ block: 1n, open: 0, called: 0 });
  return metrics.format();
}
