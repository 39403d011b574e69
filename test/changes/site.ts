// The site of these tests, which share it.
import { after, before } from 'node:test';
import { startSite, type TestSite } from '../support/site.ts';

export let site: TestSite;
before(async () => {
  site = await startSite();
});
after(() => site.close());
