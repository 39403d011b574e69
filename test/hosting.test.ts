// Keeps the files of hosting/ honest: they parse, name what there is, and keep closed what must be closed. Where a tool
// that reads them is installed (promtool, systemd-analyze, nginx, Caddy), it reads them here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { readSettings } from '#service/config.ts';
import { gatewayApi, siteApi } from '#service/contract/apis.ts';
import { createMetrics } from '#service/http/metrics.ts';
import { commands } from '#service/main.ts';
import { mailLimits } from '#service/relay/mailLimits.ts';
import { readTables, root } from './docs/markdown.ts';
import { readGuide } from './support/guide.ts';
import { createFolder } from './support/svc.ts';

const hosting = join(root, 'hosting');
const read = (path: string) => readFileSync(join(hosting, path), 'utf8');
const parseYaml = (path: string) => parse(read(path), { merge: true });
const settings = new Set(readSettings({}).map(({ name }) => name));
const guide = readGuide('docs/operations-guide.md');

type Rule = { readonly alert: string; readonly expr: string; readonly annotations: { summary: string } };
const rules: readonly Rule[] = parseYaml('prometheus/svc-alerts.yml').groups[0].rules;

/** Says so where the tool is not there: then the file was only parsed. */
function runIfInstalled(context: TestContext, tool: string, args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  if (error !== undefined) context.diagnostic(`${tool} is not installed`);
  else assert.equal(status, 0, stdout + stderr);
}

test('every variable in the files is a setting of svc', () => {
  const text = globSync('**/*', { cwd: hosting, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
  const set = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  // Those of PostgreSQL's own tools are its own.
  const ours = set.filter((name) => !name.startsWith('PG'));
  const named = new Set([...(text.match(/\b(SVC_[A-Z_]+|DATABASE_URL)\b/g) ?? []), ...ours]);
  // Variables of the compose file and of a unit only.
  for (const name of ['SVC_SETTINGS', 'PRICE_OPTIONS']) named.delete(name);
  assert.ok(named.size > 10);
  for (const name of named) assert.ok(settings.has(name), name);
});

test('every alert has a row in the guide, and the guide names no other', () => {
  const rows = readTables(guide.text).flat();
  const described = rows.flatMap(([name = '']) => name.match(/\bSvc[A-Z]\w+|\bWatchdog\b/g) ?? []);
  assert.deepEqual(described.sort(), rules.map(({ alert }) => alert).sort());
});

test('every kind of event in an alert is one that a process reports', () => {
  const files = ['chain/takeStep.ts', 'chain/follow.ts', 'chain/lead.ts', 'keeper/keeper.ts'];
  const source = files.map((name) => readFileSync(join(root, 'service/src', name), 'utf8')).join('');
  const kinds = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/(?:follower|keeper)_total\{event="(\w+)"/g)].map(([, kind]) => kind),
  );
  assert.ok(kinds.length > 4);
  for (const kind of kinds) assert.match(source, new RegExp(`kind: .*'${kind}'`));
});

/** Metrics with the labels that an expression selects or groups by, as `svc_payments_total` and `outcome`. */
function listSelected(expr: string): { readonly metric: string; readonly labels: readonly string[] }[] {
  const selected = [...expr.matchAll(/\b(svc_\w+)\{([^}]*)\}/g)].map(([, metric = '', text = '']) => ({
    metric,
    labels: [...text.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label),
  }));
  const grouped = [...expr.matchAll(/by \(([^)]*)\) \((?:\w+\()?(svc_\w+)/g)].map(
    ([, text = '', metric = '']) => ({
      metric,
      labels: text.split(/, ?/),
    }),
  );
  // Prometheus adds these itself.
  const added = ['instance', 'job', 'le', 'part'];
  return [...selected, ...grouped].map(({ metric, labels }) => ({
    metric,
    labels: labels.filter((label) => !added.includes(label)),
  }));
}

test('every label in an alert or on the dashboard is one that its metric has', async () => {
  const { panels } = JSON.parse(read('grafana/svc-dashboard.json'));
  type Panel = { readonly targets?: readonly { readonly expr: string }[] };
  const shown = panels.flatMap(({ targets = [] }: Panel) => targets.map(({ expr }) => expr));
  const all = [...rules.map(({ expr }) => expr), ...shown].flatMap(listSelected);
  assert.ok(all.filter(({ labels }) => labels.length > 0).length > 30);
  for (const { metric, labels: names } of all) {
    const metrics = createMetrics();
    const labels = Object.fromEntries(names.map((name) => [name, 'x']));
    const [, name = '', kind] = /^svc_(\w+?)(?:_(total|bucket|count|sum))?$/.exec(metric) ?? [];
    const measure = async () => {
      if (kind === 'total') metrics.count(name as never, labels);
      else if (kind !== undefined) metrics.time(name as never, labels, 1);
      else metrics.gauge(name as never, () => [{ labels, value: 1 }]);
      await metrics.format();
    };
    await assert.doesNotReject(measure, `${metric} has no labels ${names.join()}`);
  }
});

test('every route that an alert leaves out is one that a server has', () => {
  const paths = [siteApi, gatewayApi].flatMap(({ routes }) => Object.values(routes).map(({ path }) => path));
  const left = rules.flatMap(({ expr }) => /route!~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? []);
  assert.ok(left.length > 0);
  for (const pattern of left)
    assert.ok(
      paths.some((path) => new RegExp(`^${pattern}$`).test(path)),
      pattern,
    );
});

test('an alert about something that stops also sounds where it never began', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr ?? '';
  assert.match(exprOf('SvcNobodyFollows'), /(svc_follower_total\{event="moved"\}).* or absent\(\1\)/);
  assert.match(exprOf('SvcAuditMissing'), /(svc_audit_at).* or absent\(\1\)/);
  // A counter appears with its first count, which is no increase.
  assert.match(exprOf('SvcFault'), /(svc_requests_total\{status="500"\}) unless \1 offset/);
});

test('an alert sounds before a mailbox is full, and before the disk, the clock and PostgreSQL fail', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr ?? '';
  assert.match(exprOf('SvcMailboxFull'), new RegExp(`svc_mailbox_places\\) > ${0.8 * mailLimits.unknown}$`));
  const expected = {
    SvcDiskLow: / < 0\.15$/,
    SvcClockOff: / > 1 or .* > 1$/,
    SvcStandbyBehind: /> 60 or/,
    SvcWraparound: / > 0\.5$/,
    SvcLongTransaction: / > 300$/,
  };
  for (const [name, figure] of Object.entries(expected)) assert.match(exprOf(name), figure, name);
  // Disk and clock are of the exporter of the host, which both lists name.
  for (const list of ['svc-targets.yml', 'container-targets.yml'])
    assert.match(read(`prometheus/${list}`), /part: host \}\n {2}targets: \["[\w.]+:9100"\]/);
});

test('Prometheus takes the rules and the configuration', (context) => {
  const { rule_files, scrape_configs } = parseYaml('prometheus/prometheus.yml');
  const [{ file_sd_configs }] = scrape_configs;
  for (const name of [...rule_files, ...file_sd_configs[0].files])
    assert.ok(existsSync(join(hosting, 'prometheus', name)), name);
  runIfInstalled(context, 'promtool', ['check', 'config', join(hosting, 'prometheus/prometheus.yml')]);
  runIfInstalled(context, 'promtool', ['test', 'rules', join(root, 'test/fixtures/alerts.yml')]);
});

test('nginx and Caddy take their files, which send browsers to TLS and pass the name on', (context) => {
  for (const name of ['nginx.conf', 'Caddyfile'])
    assert.match(read(`proxy/${name}`), /Strict-Transport-Security "max-age=\d{8}"/);
  const folder = createFolder(context);
  const file = join(folder, 'nginx.conf');
  const key = [
    '-keyout',
    join(folder, 'key.pem'),
    '-out',
    join(folder, 'certificate.pem'),
    '-subj',
    '/CN=market',
  ];
  runIfInstalled(context, 'openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', ...key]);
  const site = read('proxy/nginx.conf')
    .replace(/\/etc\/ssl\/\S+\.pem/, join(folder, 'certificate.pem'))
    .replace(/\/etc\/ssl\/\S+\.key/, join(folder, 'key.pem'));
  assert.match(site, /listen 80;\n {2}listen \[::\]:80;\n.*\n {2}return 301 https:\/\/\$host\$request_uri;/);
  assert.match(site, /proxy_set_header Host \$http_host;/);
  writeFileSync(file, `pid ${join(folder, 'pid')};\nevents {}\nhttp {\n${site}}\n`);
  runIfInstalled(context, 'nginx', ['-t', '-e', 'stderr', '-c', file]);
  runIfInstalled(context, 'caddy', [
    'validate',
    '--adapter',
    'caddyfile',
    '--config',
    join(hosting, 'proxy/Caddyfile'),
  ]);
});

test('the dashboard asks the source that is provisioned, in every panel', () => {
  const { panels } = JSON.parse(read('grafana/svc-dashboard.json'));
  const [{ uid }] = parseYaml('grafana/datasource.yml').datasources;
  const shown = panels.filter(({ type }: { type: string }) => type !== 'row');
  assert.ok(shown.length > 15);
  assert.equal(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length);
  for (const { title, datasource, targets } of shown) {
    assert.equal(datasource.uid, uid, title);
    for (const { expr } of targets) assert.match(expr, /\b(svc_\w+|up)\b/, title);
  }
});

test('the units keep the data folder closed, which systemd would open at every start', (context) => {
  const common = read('systemd/svc-.service.d/common.conf').split('\n');
  for (const line of ['StateDirectoryMode=0700', 'UMask=0077', 'NoNewPrivileges=yes'])
    assert.ok(common.includes(line), line);
  const units = globSync('svc-*.service', { cwd: join(hosting, 'systemd') });
  assert.equal(units.length, 5);
  const folder = createFolder(context);
  const users = new Set<string | undefined>();
  for (const name of units) {
    const unit = read(`systemd/${name}`);
    const [, command = ''] =
      /^ExecStart=\/usr\/bin\/node node_modules\/svc\/bin\/svc\.mjs ([\w-]+)/m.exec(unit) ?? [];
    assert.ok(Object.hasOwn(commands, command), name);
    users.add(/^User=(.+)$/m.exec(unit)?.[1]);
    // The programs of this machine are elsewhere; an instance is a file of its own here.
    writeFileSync(
      join(folder, name.replace('@', '@8080')),
      unit.replace('/usr/bin/node', '/bin/true').replace(/^EnvironmentFile=.*$/m, ''),
    );
  }
  assert.equal(users.size, units.length, 'each part has a user of its own');
  const files = globSync('*.service', { cwd: folder }).map((name) => join(folder, name));
  runIfInstalled(context, 'systemd-analyze', ['verify', '--man=no', ...files]);
});

test('the backup is a unit that common.conf leaves alone, and notes its time after everything else', (context) => {
  const [, script = ''] =
    /^ExecStart=\/usr\/local\/sbin\/(.+)$/m.exec(read('systemd/backup-svc.service')) ?? [];
  const [dump, copy, remove] = ['pg_dump ', 'backup take ', 'find '].map((part) =>
    read(`sbin/${script}`).indexOf(part),
  ) as [number, number, number];
  assert.ok(0 < dump && dump < copy && copy < remove);
  assert.match(read(`sbin/${script}`), /^set -eu$/m);
  for (const name of globSync('*', { cwd: join(hosting, 'sbin') }))
    runIfInstalled(context, 'sh', ['-n', join(hosting, 'sbin', name)]);
  runIfInstalled(context, 'systemd-analyze', [
    'calendar',
    /^OnCalendar=(.+)$/m.exec(read('systemd/backup-svc.timer'))?.[1] ?? '',
  ]);
});

test('no line of settings has a comment behind its value: systemd would take it for a part of it', () => {
  const files = globSync('env/*.env', { cwd: hosting });
  assert.equal(files.length, 6);
  for (const text of [guide.text, ...files.map(read)])
    for (const line of text.match(/^\s*#?[A-Z_]+=.*$/gm) ?? []) assert.doesNotMatch(line, /=.*\s#/);
});

test('both proxies hide metrics; nginx limits clients and does not buffer streams', () => {
  const text = read('proxy/nginx.conf');
  // A matcher beside `handle` would come after it.
  assert.match(read('proxy/Caddyfile'), /handle \/metrics \{\s+respond 404\s+\}/);
  assert.match(text, /location = \/metrics \{ return 404; \}/);
  assert.match(text, /limit_req zone=.*;\n\s+limit_conn /);
  for (const path of ['/api/events', '/v1/mailbox/events'])
    assert.match(
      text,
      new RegExp(`location = ${path} \\{[^}]*proxy_buffering off;[^}]*proxy_read_timeout 45s;`),
    );
});

type Service = Readonly<Partial<Record<'command' | 'volumes', readonly string[]>>> & {
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
};

test('the compose file has every part, mounts files that exist, and Prometheus asks each part', () => {
  const { services, volumes } = parseYaml('compose.yaml') as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  const parts = ['db', 'site-1', 'site-2', 'gateway-1', 'gateway-2', 'keeper', 'audit', 'proxy'];
  assert.deepEqual(Object.keys(services), [...parts, 'host', 'prometheus', 'grafana']);
  for (const [name, { command = [], volumes: mounted = [], depends_on = {} }] of Object.entries(services)) {
    if (/^\w/.test(command[0] ?? ''))
      assert.ok(existsSync(join(root, `service/src/cli/${command[0]}.ts`)), name);
    for (const on of Object.keys(depends_on)) assert.ok(services[on] !== undefined, on);
    for (const mount of mounted) {
      const [source = ''] = mount.split(':');
      if (source.startsWith('./')) assert.ok(existsSync(join(hosting, source)), mount);
      else if (!/^[$/]/.test(source)) assert.ok(source in volumes, mount);
    }
  }
  const portOf = { site: '8080', gateway: '4020', keeper: '4023', audit: '4024' } as const;
  const targets = parseYaml('prometheus/container-targets.yml') as readonly {
    labels: { part: keyof typeof portOf };
    targets: readonly string[];
  }[];
  for (const { labels, targets: addresses } of targets.filter(({ labels }) => labels.part in portOf))
    for (const address of addresses) {
      const [host = '', port] = address.split(':');
      assert.equal(services[host]?.command?.[0], labels.part);
      assert.equal(port, portOf[labels.part]);
      const { command = [], environment = {} } = services[host] as Service;
      assert.ok([...command, ...Object.values(environment)].includes(portOf[labels.part]), address);
    }
});

test('the image is built in stages, runs as no root, and has a health check', () => {
  const lines = read('Dockerfile').split('\n');
  const froms = lines.filter((line) => line.startsWith('FROM '));
  assert.equal(froms.length, 2);
  const last = lines.slice(lines.lastIndexOf(froms[1] as string));
  assert.ok(last.includes('USER 1000:1000'));
  assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ')));
  // So that another architecture needs no emulation.
  assert.ok(!last.some((line) => line.startsWith('RUN ')));
  for (const secret of ['**/.env', '.git', '**/node_modules'])
    assert.ok(read('Dockerfile.dockerignore').split('\n').includes(secret), secret);
});
