// Proves that stock clients can list and call the tools. The public conformance scenarios: toolConformance.test.ts.
import { after, before, describe } from 'node:test';
import { testClients } from './mcp/clients.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway?.close());

describe('stock clients', () => testClients(() => gateway));
