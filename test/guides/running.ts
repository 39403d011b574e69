// docs/operations-guide.md and docs/configuration.md name what there is, and all of it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { readSettings } from '#service/config.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { readTables, root } from '../docs/markdown.ts';
import { readGuide } from '../support/guide.ts';
import { startSvc } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { scene } from './scene.ts';

const guide = readGuide('docs/operations-guide.md');

test('the guide, the alerts and the dashboard name the metrics that processes serve from their start', async (context) => {
  const { chain, cwd } = scene;
  const file = join(cwd, 'deployment.json');
  writeFileSync(file, formatDeployment(chain.deployment));
  // The first endpoint is dead, since failures of one are counted once there are any.
  const env = {
    SVC_DEPLOYMENT: file,
    SVC_RPC_URL: `http://127.0.0.1:9,${chain.report.rpcUrl}`,
    SVC_KEEPER_KEY: accountOf('keeper').privateKey,
    SVC_SITE_URL: String(chain.report.siteUrl),
  };
  const readMetrics = async ([command = '', ...options]: readonly string[]) => {
    const { child } = startSvc([command, ...options], { cwd, env });
    context.after(() => child.kill('SIGKILL'));
    const isServer = command === 'site' || command === 'gateway';
    const lines = createInterface({ input: (isServer ? child.stdout : child.stderr) as Readable });
    for await (const line of lines) {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url === undefined) continue;
      await until(async () => !isServer || (await fetch(`${url}/health`)).ok);
      return (await fetch(`${url}/metrics`)).text();
    }
    throw new Error(`svc ${command} has ended.`);
  };
  const texts = await Promise.all(processes.map((line) => readMetrics(line.split(' '))));
  const served = new Set([...texts.join('').matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
  // Absent until there is something to say, or until somebody has looked.
  for (const late of [
    'svc_audit_differences',
    'svc_backup_at',
    'svc_database_bytes',
    'svc_request_bytes',
    'svc_keeper_open_exits',
    'svc_keeper_ether',
    'svc_mailbox_places',
    'svc_payments_lost',
    'svc_price_published_at',
  ])
    served.add(late);
  // Only where notifications are on, or the gateway settles payments itself.
  for (const name of ['svc_notices_total', 'svc_notices_waiting', 'svc_facilitator_ether']) served.add(name);
  // Of PostgreSQL alone.
  for (const name of ['replication_seconds', 'transaction_seconds', 'wraparound_ratio'])
    served.add(`svc_database_${name}`);
  const described = new Set(readNames(guide.text + readGuide('docs/price.md').text));
  assert.deepEqual([...described].sort(), [...served].sort());
  for (const path of ['hosting/prometheus/svc-alerts.yml', 'hosting/grafana/svc-dashboard.json']) {
    const named = readNames(readFileSync(join(root, path), 'utf8'));
    assert.ok(named.length > 20, path);
    for (const name of named) assert.ok(served.has(name), `${path} names ${name}`);
  }
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

const processes = [
  'site',
  'gateway',
  'keeper --metrics-port 0',
  'audit --watch --metrics-port 0',
  'publish-price --source fixed:0.005 --min 0.001 --max 0.1 --dry-run --watch --metrics-port 0',
];

/** Roles and databases of the guide, and files of Prometheus. */
const noMetrics = ['svc_backup', 'svc_new', 'svc_site'];

/** Without the endings of a histogram's series. */
function readNames(text: string): string[] {
  const names = text.match(/\bsvc_[a-z_]+/g) ?? [];
  return names
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
    .filter((name) => !noMetrics.includes(name));
}
