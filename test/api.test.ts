// Proves the read API on a living market: one chain and one server for everything that leaves them as they are.
import { after, before, describe } from 'node:test';
import { testConditionalReads } from './api/conditional.ts';
import { testContract } from './api/contract.ts';
import { testEarlierShape } from './api/earlier.ts';
import { testLedgers } from './api/ledgers.ts';
import { testReadme } from './api/readme.ts';
import { testReads } from './api/reads.ts';
import { testRefusals } from './api/refusals.ts';
import { testShortcuts } from './api/shortcuts.ts';
import { testSiteReads } from './api/siteReads.ts';
import { testTransport } from './api/transport.ts';
import { startSite, type TestSite } from './support/site.ts';

let site: TestSite;
before(async () => {
  site = await startSite();
});
after(() => site.close());
const siteOf = () => site;

describe('lists, tasks and wallets', () => testReads(siteOf));
describe('ledgers', () => testLedgers(siteOf));
describe('site config, Union, health and metrics', () => testSiteReads(siteOf));
describe('answers before the router', () => testShortcuts(siteOf));
describe('the earlier shape', () => testEarlierShape(siteOf));
describe('conditional requests and compression', () => testConditionalReads(siteOf));
describe('refusals', () => testRefusals(siteOf));
describe('methods, origins, ids and logs', () => testTransport(siteOf));
describe('the contract', () => testContract(siteOf));
describe('the README', () => testReadme(siteOf));
