// Measures the latency of tools over stdio, compared with the same request to the API.
import { join } from 'node:path';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Figure } from './figure.ts';
import { median } from './figure.ts';
import { openBundle } from './processes.ts';
import { taskPath } from './reads.ts';
import type { Setup } from './setup.ts';

const id = 'v2:standard:1';
const address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

/** One of each kind: site only, site and chain, many chain reads. */
const questions = [
  { name: 'svc_get_task', arguments: { taskId: id } },
  { name: 'svc_list_open_tasks', arguments: { limit: 20 } },
  { name: 'svc_task_next_steps', arguments: { taskId: id, address } },
  { name: 'svc_onboarding_checklist', arguments: { address } },
] as const;

export async function measureTools(setup: Setup): Promise<Figure[]> {
  const chain = await setup.busyChain();
  const site = await setup.site(chain, setup.folder('tools'));
  const env = { SVC_SITE_URL: site.url, SVC_RPC_URL: chain.rpcUrl };
  const stdio = {
    command: process.execPath,
    args: [join(await openBundle(), 'bin/svc.mjs'), 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...env },
  };
  const figures = await measureOver('stdio', new StdioClientTransport(stdio), setup.sizes.visible);
  const plain = await timeEach(setup.sizes.visible, () =>
    fetch(`${site.url}${taskPath}1`).then((answer) => answer.text()),
  );
  await site.close();
  return [...figures, { name: 'the same task from the API: median', value: plain, unit: 'milliseconds' }];
}

async function measureOver(name: string, transport: Transport, rounds: number): Promise<Figure[]> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const figures: Figure[] = [];
  for (const question of questions) {
    const value = await timeEach(rounds, async () => {
      const { isError, content } = await client.callTool(question);
      if (isError === true) throw new Error(`${question.name}: ${JSON.stringify(content)}`);
    });
    figures.push({ name: `${question.name} over ${name}: median`, value, unit: 'milliseconds' });
  }
  await client.close();
  return figures;
}

/** The first calls are a warm-up and not counted. */
async function timeEach(rounds: number, ask: () => Promise<unknown>): Promise<number> {
  const milliseconds: number[] = [];
  for (let round = -5; round < rounds; round++) {
    const startedAt = performance.now();
    await ask();
    if (round >= 0) milliseconds.push(performance.now() - startedAt);
  }
  return median(milliseconds);
}
