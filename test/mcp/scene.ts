// A seeded market, the tools of svc over it, and a stock client of them.
import { after, before } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { callTool, openClient, startTools, type TestTools } from '../support/tools.ts';

export let gateway: TestGateway;
export let tools: TestTools;
export let client: Client;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
  tools = await startTools(gateway.url());
  client = await openClient(null, tools.url);
});
after(async () => {
  await client?.close();
  await tools?.close();
  await gateway?.close();
});

export const call = (name: string, args: object) => callTool(client, name, args);
