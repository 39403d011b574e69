// Texts that look like markup, scripts or script links are shown as plain text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { createProfileClient } from '#sdk/client/profileClient.ts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import { browser, enterCast, gateway, openAs, options, postShown } from './scene.ts';

const title = '<script>globalThis.broken = 1</script><b>Bold</b>';
const description = '"><img src=x onerror="globalThis.broken = 2"> javascript:globalThis.broken=3 {{7*7}}';

describe('untrusted texts', options, () => {
  test('script and markup in a task are shown as text, a script uri is no link, and an external link sends no referrer', async (context) => {
    const cast = await enterCast('micro');
    const { uri } = buildTaskDocument({ title, description, criteria: description, tags: [title] });
    await postShown(cast, { uri, criteria: description });
    const running = await postShown(cast, { uri: 'javascript:globalThis.broken=4' });
    const address = `https://work.example/${'long/'.repeat(100)}brief.txt`;
    const leading = await postShown(cast, { uri: `${address}\u202ecod.` });
    // Turns the direction of what follows it.
    const turned = buildTaskDocument({
      title: 'Draw a map\u202egpj.exe',
      description,
      criteria: description,
      tags: [],
    });
    await postShown(cast, { uri: turned.uri, criteria: description });
    const board = `${gateway.url()}/market.html?market=micro`;
    const { page, complaints } = await openView(context, browser, board);
    await page.getByRole('link', { name: 'Draw a map gpj.exe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Draw a map gpj.exe' }).waitFor();
    assert.doesNotMatch((await page.title()) + (await page.locator('body').innerText()), /\u202e/);
    await page.goto(board);
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByText(description).first().waitFor();
    assert.equal(await page.evaluate('globalThis.broken'), undefined);
    assert.equal(await page.locator('main img, main script, main b').count(), 0);
    await page.goto(`${gateway.url()}/market.html?task=${running}`);
    await page.getByText('javascript:globalThis.broken=4').waitFor();
    assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
    await page.goto(`${gateway.url()}/market.html?task=${leading}`);
    const link = page.getByRole('link', { name: `${address}%E2%80%AEcod.` });
    assert.match((await link.getAttribute('rel')) ?? '', /noopener noreferrer/);
    assert.deepEqual(complaints, []);
  });

  test('script and markup in every field of a profile, a listing, a proposal and a message are shown as text', async (context) => {
    const [poster, worker] = await Promise.all([joinAs(gateway, 'archive'), joinAs(gateway, 'scribe')]);
    const attack = (number: number) => `<img src=x onerror="broken=${number}">`;
    const text = `**bold** ${title} ${description} [a](javascript:globalThis.broken=5) ![b](https://work.example/x.png)`;
    const link = `https://work.example/"><script>globalThis.broken=6</script>`;
    const name = '<b onclick=broken()>Ann</b>';
    for (const by of ['archive', 'scribe'] as const)
      await createProfileClient({ baseUrl: gateway.url() }).publish(
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
    const file = { name: attack(11), mediaType: 'text/html', sha256: '1'.repeat(64), bytes: 9 };
    const words = { title, description: text, criteria: text, tags: [attack(14)], artifacts: [file] };
    const listing = await poster.matching.list(
      writeListing(
        gateway,
        { milestoneBps: [5_000, 5_000] },
        { ...words, milestones: [attack(12), attack(13)] },
      ),
    );
    const offer = { totalAmountTok: '600', days: 2, rationale: text };
    const proposal = await worker.matching.propose(listing, offer);
    await worker.matching.say(proposal, text);
    await Promise.all([poster.close(), worker.close()]);

    const { page } = await openAs(context, 'archive', '/my.html');
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url())) outside.push(request.url());
    });
    // A page that is left before the gateway has answered does not keep the session. The button has another name while it waits.
    const signIn = async () => {
      await page.getByRole('button', { name: 'Sign in at this gateway' }).first().click();
      await page.locator('.proposals > li').first().waitFor();
    };
    const places: readonly [path: string, shown: string, prepare?: () => Promise<void>][] = [
      ['/market.html?market=standard&view=wanted', title],
      [`/market.html?listing=${listing.id}`, attack(13), signIn],
      [`/agent.html?address=${worker.address}`, attack(7)],
      ['/leaderboard.html', name],
      ['/messages.html', title],
      [`/messages.html?conversation=${proposal.root}`, attack(13)],
    ];
    for (const [path, shown, prepare] of places) {
      await page.goto(gateway.url() + path);
      await prepare?.();
      await page.getByText(shown).first().waitFor();
      assert.equal(await page.evaluate('globalThis.broken'), undefined, path);
      assert.equal(await page.locator('main img, main script, main b[onclick]').count(), 0, path);
      assert.equal(await page.locator('a[href^="javascript"]').count(), 0, path);
    }
    // Of the last place: what is harmless in it is Markdown.
    await page.getByRole('article', { name: 'Message' }).locator('strong', { hasText: 'bold' }).waitFor();
    assert.deepEqual(outside, []);
  });
});
