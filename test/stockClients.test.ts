// Proves that stock clients of providers convert the arguments of every tool: OpenAI's in strict mode, Anthropic's and LangChain's.
// They are pinned in stockClients and installed for the run alone: together they have over 100 MB.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createGuardedServer } from '#service/cli/serveTools.ts';
import { createToolHttpServer } from '#service/mcp/httpServer.ts';
import { createToolServer } from '#service/mcp/server.ts';
import type { ToolContext } from '#service/mcp/tool.ts';
import { tools } from '#service/mcp/tools.ts';
import { root } from '../scripts/tools.ts';
import { listen } from './support/listen.ts';
import { createFolder } from './support/svc.ts';

const run = promisify(execFile);
const names = tools.map(({ name }) => name).sort();

test('OpenAI in strict mode, Anthropic and LangChain convert every tool', async (context) => {
  const folder = createFolder(context);
  cpSync(join(root, 'test/stockClients'), folder, { recursive: true });
  const install = [
    'ci',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  await run('npm', install, { cwd: folder });
  const options = { version: '0', tools, needs: {} as ToolContext, onError: console.error };
  const { server, close } = createToolHttpServer({
    createToolServer: () => createToolServer(options),
    host: '127.0.0.1',
    onError: console.error,
    createServer: createGuardedServer,
  });
  context.after(close);
  const { url } = await listen(server);
  const { stdout } = await run(process.execPath, ['convert.js', `${url}/mcp`], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  const { listed, openai, anthropic, langchain } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  assert.deepEqual(listed, names);
  assert.deepEqual(openai, names, 'not strict: the rest');
  assert.deepEqual(anthropic, names);
  assert.deepEqual(langchain, names);
});
