// Proves the read API on a living market: one chain and one server for everything that leaves them as they are.
import { after, before, describe } from 'node:test';
import { createSecret } from '#service/secrets.ts';
import { testConditionalReads } from './api/conditional.ts';
import { testContract } from './api/contract.ts';
import { testFilters } from './api/filters.ts';
import { testGuide } from './api/guide.ts';
import { createBuiltPages, testHostile } from './api/hostile.ts';
import { testLedgers } from './api/ledgers.ts';
import { testReads } from './api/reads.ts';
import { testRefusals } from './api/refusals.ts';
import { testSiteReads } from './api/siteReads.ts';
import { testTransport } from './api/transport.ts';
import { type FakeChatGateway, startChatGateway } from './support/chatGateway.ts';
import { startSite, type TestSite } from './support/site.ts';

let gateway: FakeChatGateway;
let site: TestSite;
before(async () => {
  gateway = await startChatGateway();
  const apiKey = createSecret('sk-test');
  const chat = { baseUrl: gateway.baseUrl, apiKey, model: 'test' };
  site = await startSite({ chat, pages: createBuiltPages() });
});
after(async () => {
  await site.close();
  gateway.close();
});
const siteOf = () => site;

describe('lists, tasks and wallets', () => testReads(siteOf));
describe('filters, order and search', () => testFilters(siteOf));
describe('ledgers', () => testLedgers(siteOf));
describe('site config, Union, health, metrics, earlier shape and feed', () => testSiteReads(siteOf));
describe('conditional requests and compression', () => testConditionalReads(siteOf));
describe('refusals', () => testRefusals(siteOf));
describe('methods, origins, ids and logs', () => testTransport(siteOf));
describe('the contract', () => testContract(siteOf));
describe('the guide', () => testGuide(siteOf));
describe('hostile requests', () => testHostile(siteOf));
