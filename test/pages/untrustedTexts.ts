// Texts that look like markup, scripts or script links are shown as plain text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { openView } from '../support/browser.ts';
import { createCast, enter } from '../support/cast.ts';
import { postShown, type Scene } from './scene.ts';

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
