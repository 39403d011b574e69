// Several processes of the site on one database, and processes that are killed at any moment: no answer is ever wrong,
// and no row is ever lost.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createAuditedSite, createAuditReads } from '#service/cli/audit.ts';
import { createChainSource } from '#service/indexer/source.ts';
import { type AuditResult, auditMarkets } from '#service/market/audit.ts';
import { onBothDatabases } from './support/databases.ts';
import { loadRows, readFresh } from './support/indexer/rows.ts';
import { type LiveMarket, startLiveMarket } from './support/liveMarket.ts';
import { createRandom } from './support/replay/random.ts';
import { type SiteProcess, startSiteProcess } from './support/siteProcess.ts';
import { until } from './support/until.ts';

const limit = { timeout: 600_000 };
/** Followers alone are killed oftener, in test/indexer/killed.test.ts. */
const kills = 4;

let market: LiveMarket;
let source: ReturnType<typeof createChainSource>;
before(async () => {
  market = await startLiveMarket();
  source = createChainSource(market.createSource().rpc, market.deployment);
  await market.play(30);
});
after(() => market.close());

const sites: SiteProcess[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.kill()));
});

function start(place: Parameters<typeof startSiteProcess>[1]): SiteProcess {
  const site = startSiteProcess(market, place);
  sites.push(site);
  return site;
}

async function audit(site: SiteProcess, withHistory: boolean): Promise<AuditResult> {
  return auditMarkets(createAuditReads(createAuditedSite(await site.url), source, withHistory));
}

type Health = {
  readonly ready?: boolean;
  readonly block?: number;
  readonly history?: { readonly complete: boolean };
};

async function health(site: SiteProcess): Promise<Health> {
  return (await fetch(`${await site.url}/health`)).json() as Promise<Health>;
}

async function showsHead(site: SiteProcess): Promise<boolean> {
  return BigInt((await health(site)).block ?? 0) === (await source.readHead()).number;
}

const msSince = (start: number) => Math.round(performance.now() - start);

onBothDatabases(({ place, open, create }) => {
  test('one follows, all serve, and when the one is killed another takes over', limit, async (context) => {
    const at = await place();
    const group = [start(at), start(at), start(at)];
    await Promise.all(group.map((site) => until(async () => (await health(site)).ready === true)));
    for (let round = 0; round < 3; round++) {
      const waiting = performance.now();
      await until(() => group.filter((site) => site.isLeading()).length === 1);
      if (round > 0) context.diagnostic(`taken over after ${msSince(waiting)} ms`);
      await market.play(4);
      const mined = performance.now();
      await Promise.all(group.map((site) => until(() => showsHead(site))));
      context.diagnostic(`shown by all ${group.length} after ${msSince(mined)} ms; 300 are wanted`);
      for (const site of group) assert.deepEqual((await audit(site, false)).differences, []);
      const leader = group.find((site) => site.isLeading()) as SiteProcess;
      group.splice(group.indexOf(leader), 1);
      if (group.length > 0) await leader.kill();
      else assert.equal(round, 2);
    }
  });

  test(
    `a site killed ${kills} times at random gives no wrong answer in any of its lives`,
    limit,
    async (context) => {
      const at = await place();
      const random = createRandom(Date.now() >>> 0);
      let audits = 0;
      const check = async (site: SiteProcess) => {
        assert.deepEqual((await audit(site, false)).differences, []);
        audits++;
      };
      for (let round = 0; round < kills; round++) {
        const site = start(at);
        await until(async () => (await health(site)).ready === true);
        await check(site);
        const killed = pause(random.below(500)).then(() => site.kill());
        await market.play(1 + random.below(5));
        try {
          for (;;) await check(site);
        } catch (error) {
          // In the end it no longer answers.
          assert.ok(!(error instanceof assert.AssertionError), error as Error);
        }
        await killed;
      }
      context.diagnostic(`${audits} whole audits between the kills`);
      const last = start(at);
      await until(async () => (await health(last)).history?.complete === true && (await showsHead(last)));
      assert.deepEqual((await audit(last, true)).differences, []);
      assert.deepEqual(await loadRows(open(at), source.identity), await readFresh(source, await create()));
    },
  );
});
