// Texts that look like markup, scripts or script links are shown as plain text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { joinMarket } from '#sdk/client/joinMarket.ts';
import { createProfileClient } from '#sdk/client/profileClient.ts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { createCast, enter } from '../support/cast.ts';
import { createTestWallet } from '../support/testWallet.ts';
import { postShown, type Scene } from './scene.ts';
import { connect } from './walletSteps.ts';

const title = '<script>globalThis.broken = 1</script><b>Bold</b>';
const description = '"><img src=x onerror="globalThis.broken = 2"> javascript:globalThis.broken=3 {{7*7}}';

export function testUntrustedTexts(sceneOf: () => Scene): void {
  test('script and markup in a task are shown as text, on the board and on its page', async (context) => {
    const { browser, gateway } = sceneOf();
    const cast = await createCast(gateway.devnet.rpcUrl, 'micro');
    await enter(cast);
    const uri = buildTaskDocument({ title, description, criteria: description, tags: [title] }).uri;
    const id = await postShown(sceneOf(), cast, { uri, criteria: description });
    const { page, complaints } = await openView(
      context,
      browser,
      `${gateway.url()}/market.html?market=micro`,
    );
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByText(description).first().waitFor();
    assert.equal(await page.evaluate('globalThis.broken'), undefined);
    assert.equal(await page.locator('main img, main script, main b').count(), 0);
    assert.ok(page.url().includes(encodeURIComponent(id)) || page.url().includes(id));
    assert.deepEqual(complaints, []);
  });

  test('script and markup in every field of a profile, a listing, a proposal and a message are shown as text', async (context) => {
    const { browser, gateway } = sceneOf();
    const join = (name: AccountName) =>
      joinMarket({
        url: gateway.url(),
        account: privateKeyToAccount(accountOf(name).privateKey),
        rpcUrl: gateway.devnet.rpcUrl,
      });
    const [poster, worker] = await Promise.all([join('archive'), join('scribe')]);
    const attack = (number: number) => `<img src=x onerror="broken=${number}">`;
    const text = `${title} ${description} [a](javascript:globalThis.broken=5) ![b](https://work.example/x.png)`;
    const link = `https://work.example/"><script>globalThis.broken=6</script>`;
    const profiles = createProfileClient({ baseUrl: gateway.url() });
    const name = '<b onclick=broken()>Ann</b>';
    for (const by of ['archive', 'scribe'] as const)
      await profiles.publish(
        privateKeyToAccount(accountOf(by).privateKey),
        {
          schema: 'svc-profile-v1',
          name,
          headline: attack(7),
          about: text,
          kind: 'person',
          skills: [attack(8)],
          languages: ['en'],
          links: [link],
          services: [{ title: attack(9), text, priceTokWei: null, days: 2, tags: [attack(10)] }],
        },
        { chainId: 8453 },
      );
    const file = {
      name: '<img src=x onerror=broken()>',
      mediaType: 'text/html',
      sha256: '1'.repeat(64),
      bytes: 9,
    };
    const listing = await poster.matching.list({
      schema: 'svc-listing-v1',
      market: 'standard',
      task: {
        schema: 'svc-task-v1',
        title,
        description: text,
        criteria: text,
        milestones: [attack(12), attack(13)],
        tags: [attack(14)],
        artifacts: [file],
      },
      budget: { minTokWei: String(parseTok('500')), maxTokWei: String(parseTok('900')) },
      milestoneBps: [5_000, 5_000],
      deadline: gateway.devnet.clock.now() + 40 * 86_400,
      reviewPeriod: 3 * 86_400,
    });
    const offer = { totalAmountTok: '600', days: 2, rationale: text };
    const proposal = await worker.matching.propose(listing, offer);
    await worker.matching.say(proposal, text);
    await Promise.all([poster.close(), worker.close()]);

    const wallet = createTestWallet('Test wallet', accountOf('archive').privateKey, gateway.devnet.rpcUrl);
    const { page, complaints } = await openView(context, browser, `${gateway.url()}/my.html`, { wallet });
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url())) outside.push(request.url());
    });
    await connect(page);
    const signIn = () => page.getByRole('button', { name: 'Sign in at this gateway' }).first().click();
    const places: readonly [path: string, shown: string, prepare?: () => Promise<void>][] = [
      ['/market.html?market=standard&view=wanted', title],
      [`/market.html?listing=${listing.id}`, attack(13), signIn],
      [`/agent.html?address=${worker.address}`, attack(7)],
      [`/agent.html?address=${poster.address}`, attack(9)],
      ['/leaderboard.html', name],
      ['/messages.html', title],
    ];
    for (const [path, shown, prepare] of places) {
      await page.goto(gateway.url() + path);
      await prepare?.();
      await page.getByText(shown).first().waitFor();
      assert.equal(await page.evaluate('globalThis.broken'), undefined, path);
      assert.equal(await page.locator('main img, main script, main b[onclick]').count(), 0, path);
      assert.equal(await page.locator('a[href^="javascript"]').count(), 0, path);
    }
    assert.deepEqual([complaints, outside], [[], []]);
  });

  test('a script uri is no link; an external link sends no referrer', async (context) => {
    const { browser, gateway } = sceneOf();
    const cast = await createCast(gateway.devnet.rpcUrl, 'micro');
    await enter(cast);
    const running = await postShown(sceneOf(), cast, { uri: 'javascript:globalThis.broken=4' });
    const address = `https://work.example/${'long/'.repeat(100)}brief.txt`;
    const leading = await postShown(sceneOf(), cast, { uri: `${address}\u202ecod.` });
    const { page } = await openView(context, browser, `${gateway.url()}/market.html?task=${running}`);
    await page.getByText('javascript:globalThis.broken=4').waitFor();
    assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
    await page.goto(`${gateway.url()}/market.html?task=${leading}`);
    const link = page.getByRole('link', { name: `${address}%E2%80%AEcod.` });
    assert.match((await link.getAttribute('rel')) ?? '', /noopener noreferrer/);
  });

  test('a long title takes two lines on the board and can be read in full on its page', async (context) => {
    const { browser, gateway } = sceneOf();
    const cast = await createCast(gateway.devnet.rpcUrl, 'micro');
    await enter(cast);
    const long = `${'Very long '.repeat(80)}and then the end`;
    await postShown(sceneOf(), cast, {
      uri: buildTaskDocument({ title: long, description: '', criteria: 'Any.', tags: [] }).uri,
    });
    const { page } = await openView(context, browser, `${gateway.url()}/market.html?market=micro`);
    const row = page.getByRole('link', { name: long });
    assert.match(
      (await row.getAttribute('title')) ?? '',
      /and then the end\nnothing funded of .*\nDeadline .* UTC/,
    );
    assert.ok((await row.evaluate((element) => element.clientHeight)) < 60);
    await row.click();
    const heading = page.getByRole('heading', { level: 1, name: long });
    const cutHeight = await heading.evaluate((element) => element.clientHeight);
    await page.getByRole('button', { name: 'Show the whole title' }).click();
    assert.ok((await heading.evaluate((element) => element.clientHeight)) > 2 * cutHeight);
  });
}
