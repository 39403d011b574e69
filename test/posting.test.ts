// Proves the posting quota on a living market: what is counted, what is refused, and what a plan changes.
import { after, before, describe } from 'node:test';
import { testPlans } from './posting/plans.ts';
import { testQuota } from './posting/quota.ts';
import { testRecord } from './posting/record.ts';
import { testPostingRefusals } from './posting/refusals.ts';
import { findQuietOffset } from './support/quietDay.ts';
import { startSite, type TestSite } from './support/site.ts';

let site: TestSite;
before(async () => {
  // A stale price stays stale, and no day ends unless a test advances the clock.
  site = await startSite({}, { isPriceKept: false, clockOffsetSeconds: findQuietOffset() });
});
after(() => site.close());
const siteOf = () => site;

describe('refusals', () => testPostingRefusals(siteOf));
describe('the quota', () => testQuota(siteOf));
describe('recorded posts', () => testRecord(siteOf));
describe('plans', () => testPlans(siteOf));
