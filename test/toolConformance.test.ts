// Runs the public conformance scenarios: all of them against the tool server with its fixtures, and those of OAuth against the
// client with which svc opens hosted wallets. Each night: what they ask for is proven with a market in mcp.test.ts, and the limits
// of the server in httpLimits.test.ts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as z from 'zod';
import { createGuardedServer } from '#service/cli/serveTools.ts';
import { createToolHttpServer } from '#service/mcp/httpServer.ts';
import { createToolServer } from '#service/mcp/server.ts';
import type { Tool } from '#service/mcp/tool.ts';
import { tools } from '#service/mcp/tools.ts';
import { listen } from './support/listen.ts';

const root = join(import.meta.dirname, '..');
const script = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * The scenarios of a server of tools that answer data and keep no sessions. The others read resources and prompts of a fixture
 * (ours are tested with a market), or want logs, progress, sampling, elicitation by a fixture, images, or a stream to come back to.
 */
const ours = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'json-schema-2020-12',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

const nothing = z.object({});
const address = z.object({ street: z.string(), city: z.string() }).partial().meta({ id: 'address' });

/** The tools that the scenarios call by name, built and served as ours are. */
const fixtureTools: readonly Tool[] = [
  {
    name: 'test_simple_text',
    title: 'Simple text',
    description: 'Answers a text.',
    input: nothing,
    output: z.object({ text: z.string() }),
    run: async () => ({ text: 'This is a simple text response for testing.' }),
  },
  {
    name: 'test_error_handling',
    title: 'An error',
    description: 'Fails.',
    input: nothing,
    output: nothing,
    run: async () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    title: 'A schema',
    description: 'Tool with JSON Schema 2020-12 features',
    input: z.strictObject({ name: z.string().optional(), address: address.optional() }),
    output: nothing,
    run: async () => ({}),
  },
];

/** It ends with 1 where a scenario fails, which those that are not ours do. */
function conform(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { timeout: 600_000 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

async function startFixture(context: TestContext): Promise<string> {
  const options = { version: '0', tools: [...tools, ...fixtureTools], needs: {} as never, onError() {} };
  const { server, close } = createToolHttpServer({
    createToolServer: () => createToolServer(options),
    createServer: createGuardedServer,
    host: '127.0.0.1',
    onError() {},
  });
  context.after(close);
  return `${(await listen(server)).url}/mcp`;
}

test('every server scenario passes, but for what a server of tools does not have', async (context) => {
  const url = await startFixture(context);
  const report = await conform('server', '--url', url, '--suite', 'all');
  const passed = [...report.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].flatMap(
    ([, name, passes, failures]) => (Number(passes) > 0 && Number(failures) === 0 ? name : []),
  );
  assert.deepEqual(passed, ours, report);
});

// Not run, being like these: other places of metadata, other ways of telling scopes, and a client that is a web page.
for (const scenario of ['auth/token-endpoint-auth-none', 'auth/scope-step-up']) {
  test(`svc as a client of hosted wallets passes the scenario ${scenario}`, async () => {
    const command = `${process.execPath} ${join(root, 'test/support/hostedClient.ts')}`;
    const report = await conform(
      'client',
      '--scenario',
      scenario,
      '--timeout',
      '300000',
      '--command',
      command,
    );
    assert.match(report, /Passed: (\d+)\/\1, 0 failed, 0 warnings[\s\S]*OVERALL: PASSED/);
  });
}
