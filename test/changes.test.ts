// Proves what moves: news of tasks, deadlines that pass, forks, restarts, a chain that goes away and comes back.
import { after, before, describe } from 'node:test';
import { testForeignDocuments } from './changes/foreignDocuments.ts';
import { testForeignTexts } from './changes/foreignTexts.ts';
import { testOutages } from './changes/outages.ts';
import { testStops } from './changes/stops.ts';
import { testStreams } from './changes/streams.ts';
import { startSite, type TestSite } from './support/site.ts';

let site: TestSite;
before(async () => {
  site = await startSite();
});
after(() => site.close());
const siteOf = () => site;

describe('the stream of changes', () => testStreams(siteOf));
describe('texts of other users', () => testForeignTexts(siteOf));
describe('documents of other users', () => testForeignDocuments(siteOf));
describe('stops, restarts and deadlines', () => testStops(siteOf));
describe('a chain out of reach', () => testOutages(siteOf));
