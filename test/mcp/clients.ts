// Stock clients of tools: that of the SDK over stdio, with the configurations of docs/agents.md. The public conformance
// scenarios: toolConformance.test.ts.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parsePolicy } from '#service/policy/policyFile.ts';
import { loadPages, readBlocks } from '../docs/markdown.ts';
import { scene } from '../guides/scene.ts';
import { svcScript } from '../support/svc.ts';
import { walkTools } from './walk.ts';

type Server = {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly type?: string;
  readonly url?: string;
};

const folder = mkdtempSync(join(tmpdir(), 'svc-clients-'));
after(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(svcScript, join(folder, 'svc'));
// The walk attaches it, from the folder in which the tools are started.
copyFileSync('package.json', join(folder, 'package.json'));
const readEnv = () => ({
  PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter),
  SVC_SITE_URL: scene.servers.gatewayUrl,
  SVC_GATEWAY_URL: scene.servers.gatewayUrl,
  SVC_DATA_DIR: folder,
});

test('the client of the SDK lists and calls every tool with strict arguments, with answers as their schemas say', async (context) => {
  const client = new Client({ name: 'test', version: '1' });
  context.after(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: 'svc', args: ['mcp'], env: readEnv(), cwd: folder }),
  );
  await walkTools(client);
});

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
    ['http://127.0.0.1:4020/mcp', 'svc', 'svc'],
  );
  assert.deepEqual(servers[1]?.args, servers[2]?.args);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: 'svc', args: [...(servers[1]?.args ?? [])], env: readEnv() }),
  );
  const { tools } = await client.listTools().finally(() => client.close());
  assert.equal(tools.length, 25);
});
