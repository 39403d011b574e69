// Proves that stock clients can list and call the tools, and that the public conformance scenarios pass.
import { after, before, describe } from 'node:test';
import { testClients } from './mcp/clients.ts';
import { testConformance } from './mcp/conformance.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway?.close());

describe('stock clients', () => testClients(() => gateway));
describe('the public conformance scenarios', () => testConformance());
