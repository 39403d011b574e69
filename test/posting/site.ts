// The site of these tests, which share it.
import { after, before } from 'node:test';
import { findQuietOffset } from '../support/quietDay.ts';
import { startSite, type TestSite } from '../support/site.ts';

export let site: TestSite;
before(async () => {
  // A stale price stays stale, and no day ends unless a test advances the clock.
  site = await startSite({}, { isPriceKept: false, clockOffsetSeconds: findQuietOffset() });
});
after(() => site.close());
