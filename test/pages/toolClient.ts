// The stock client of the Model Context Protocol, in a page of another origin: it connects to the tools of a gateway by address.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { build } from 'esbuild';
import { serve } from '../support/listen.ts';
import { browser, gateway, options } from './scene.ts';

/** Of both eras of the protocol: the newer one names its revision and its method in headers. */
const script = `
  import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
  globalThis.readTasks = async (address, versionNegotiation) => {
    const client = new Client({ name: 'page', version: '1' }, { versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'svc_list_open_tasks', arguments: { limit: 2 } });
    await client.close();
    return { tools: tools.length, tasks: structuredContent.tasks.length };
  };`;

test('a tool client in a page of another origin speaks to the gateway', options, async (context) => {
  const resolveDir =
    createRequire(import.meta.url)
      .resolve('@modelcontextprotocol/client')
      .split('node_modules')[0] ?? '';
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const elsewhere = await serve((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>A page of somebody else</title>');
  });
  context.after(elsewhere.close);
  const page = await browser.newPage();
  context.after(() => page.close());
  const refused: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())));
  await page.goto(elsewhere.url);
  await page.addScriptTag({ type: 'module', content: outputFiles[0]?.text ?? '' });
  for (const mode of [undefined, { mode: 'auto' }]) {
    const read = page.evaluate(
      ([address, negotiation]) =>
        (globalThis as never as { readTasks: (...args: unknown[]) => Promise<object> }).readTasks(
          address,
          negotiation,
        ),
      [`${gateway.url()}/mcp`, mode] as const,
    );
    const found = (await read.catch((error: Error) =>
      assert.fail(`${error.message}\n${refused.join('\n')}`),
    )) as {
      readonly tools: number;
      readonly tasks: number;
    };
    assert.ok(found.tools > 10, JSON.stringify(found));
    assert.equal(found.tasks, 2);
  }
});
