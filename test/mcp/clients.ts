// Stock clients, old and new, over stdio and HTTP: the SDK's, and the inspector's command line. The latter lives in a
// separate folder with its own lock file, and is installed when it is first needed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parsePolicy } from '#service/policy/policyFile.ts';
import { loadPages, readBlocks } from '../docs/markdown.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startSvc, svcScript } from '../support/svc.ts';
import { walkTools } from './walk.ts';

const root = join(import.meta.dirname, '../..');
const inspectorFolder = join(root, 'test/inspector');
const inspectorScript = join(
  inspectorFolder,
  'node_modules/@modelcontextprotocol/inspector-cli/build/cli.js',
);
const run = promisify(execFile);

type Server = {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly type?: string;
  readonly url?: string;
};

const folder = mkdtempSync(join(tmpdir(), 'svc-clients-'));

export function testClients(get: () => TestGateway): void {
  let env: Record<string, string>;
  let http: ReturnType<typeof startSvc>;
  let httpUrl: string;

  before(async () => {
    symlinkSync(svcScript, join(folder, 'svc'));
    // The walk attaches it, from the folder in which the tools are started.
    copyFileSync('package.json', join(folder, 'package.json'));
    env = {
      PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
      SVC_SITE_URL: get().url(),
      SVC_GATEWAY_URL: get().url(),
      SVC_DATA_DIR: folder,
    };
    http = startSvc(['mcp', '--http', '--port', '0'], { cwd: folder, env });
    httpUrl = await new Promise<string>((resolve) => {
      http.child.stdout?.once('data', (chunk: Buffer) => resolve(/http:\S+/.exec(String(chunk))?.[0] ?? ''));
    });
  });
  after(async () => {
    http?.child.kill('SIGTERM');
    await http?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  describe('the client of the SDK', () => {
    test('lists and calls every tool over stdio, with answers as their schemas say', async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [svcScript, 'mcp'], env }),
      );
      await walkTools(client).finally(() => client.close());
    });

    test('lists and calls every tool over HTTP, with answers as their schemas say', async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(httpUrl)));
      await walkTools(client).finally(() => client.close());
    });
  });

  describe('the command line of the inspector', () => {
    before(async () => {
      if (existsSync(inspectorScript)) return;
      await run('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], {
        cwd: inspectorFolder,
      });
    });
    const inspect = async (...args: readonly string[]) => {
      const { stdout } = await run(process.execPath, [inspectorScript, '--cli', ...args], { env });
      return JSON.parse(stdout);
    };

    test('each configuration in the guide for agents is valid, and starts or reaches the tools', async () => {
      const [page = assert.fail()] = loadPages('docs/agents.md');
      const snippets = readBlocks(page).filter(({ language }) => language === 'json');
      const servers = snippets.flatMap(({ text }): Server[] => {
        const { mcpServers, servers: typed, ...policy } = JSON.parse(text);
        if ('actions' in policy) parsePolicy(text, 'the policy in the guide');
        return mcpServers === undefined && typed === undefined ? [] : [(mcpServers ?? typed).svc];
      });
      assert.deepEqual(
        servers.map(({ command, url }) => url ?? command),
        ['svc', 'svc', 'http://127.0.0.1:4021/mcp'],
      );
      assert.deepEqual(servers[0]?.args, servers[1]?.args);
      const file = join(folder, 'client.json');
      writeFileSync(file, JSON.stringify({ mcpServers: { svc: { ...servers[0], env } } }));
      const places = [
        ['--config', file, '--server', 'svc'],
        // The port is this test's; all else is as the guide says.
        [httpUrl, '--transport', servers[2]?.type ?? ''],
      ];
      const listed = await Promise.all(places.map((place) => inspect(...place, '--method', 'tools/list')));
      for (const { tools } of listed) assert.equal(tools.length, 21);
    });

    for (const transport of ['stdio', 'http'] as const) {
      test(`calls tools over ${transport}, good and bad`, async () => {
        const place = transport === 'stdio' ? ['svc', 'mcp'] : [httpUrl, '--transport', 'http'];
        const call = (name: string, arg: string) =>
          inspect(...place, '--method', 'tools/call', '--tool-name', name, '--tool-arg', arg);
        const [good, bad] = await Promise.all([
          call('svc_list_open_tasks', 'limit=2'),
          call('svc_get_task', 'taskId=v2:standard:99999'),
        ]);
        assert.equal(good.structuredContent.count, 2);
        assert.equal(bad.isError, true);
        assert.match(bad.content[0].text, /Task not found/);
      });
    }
  });
}
