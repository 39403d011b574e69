// A delivery with files: uploaded by the worker, checked and opened by the poster, and never run by anyone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { shoot } from '../support/browser.ts';
import { checkBarriers } from './barriers.ts';
import { recordFunctions } from './recordFunctions.ts';
import { enterCast, gateway, openAs, options, prepareTask } from './scene.ts';
import { accepts, act } from './walletSteps.ts';

const mark = 'globalThis.hasRun = true; if (globalThis.localStorage) localStorage.setItem("has-run", "1")';
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = [
  { name: 'birds.txt', mimeType: 'text/plain', buffer: Buffer.from('1. robin\n2. wren\n') },
  { name: 'wren.png', mimeType: 'image/png', buffer: picture },
  { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(`<script>${mark}</script>`) },
  {
    name: 'drawing.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>${mark}</script></svg>`),
  },
  { name: 'tool.js', mimeType: 'text/javascript', buffer: Buffer.from(mark) },
];

describe('the work', options, () => {
  test('a worker delivers files; the poster opens them as verified, none of them runs, and accepts', async (context) => {
    const cast = await enterCast('standard');
    const id = await prepareTask(cast, 'claim', 'start');
    const worker = await openAs(context, 'visitor', `/market.html?task=${id}`);
    await act(worker.page, 'Deliver', async (dialog) => {
      await dialog.getByLabel('Note to the poster').fill('Two birds, and a picture of the second.');
      await dialog.getByLabel('Links').fill('https://work.example/birds');
      await dialog.getByLabel('Files').setInputFiles(files);
      await dialog.getByRole('button', { name: 'Sign in at this gateway' }).click();
      await dialog
        .getByText(', uploaded')
        .nth(files.length - 1)
        .waitFor();
      await dialog.getByText('Public for ever: your words').waitFor();
      await shoot(dialog, 'deliver.png');
    });
    const mainActions = (shown: Page) => shown.locator('#next-step [data-is=main]').allTextContents();
    const turn = worker.page.locator('.turn [aria-live]', { hasText: 'Waiting for the poster' });
    // The same element, as a screen reader follows it.
    const live = (await turn.elementHandle()) ?? assert.fail();
    await worker.page.getByRole('button', { name: 'Deliver', exact: true }).waitFor();
    assert.deepEqual(await mainActions(worker.page), [], 'it is the turn of the poster');
    // The browser complains of what is refused below.
    const path = `/market.html?task=${id}`;
    const { page } = await openAs(context, 'newcomer', path, () => false);
    await page.getByText('Words as signed').waitFor();
    await page.getByText('Two birds, and a picture of the second.').waitFor();
    await page.getByRole('link', { name: 'https://work.example/birds' }).waitFor();
    await page.getByRole('button', { name: 'Open birds.txt' }).click();
    await page.getByText('Verified: this is the file that the document names, byte for byte.').waitFor();
    await page.getByText('1. robin').waitFor();
    await shoot(page, 'accept.png', 1_400);
    await page.getByRole('button', { name: 'Dispute' }).waitFor();
    assert.deepEqual(await mainActions(page), ['Accept and pay $5']);
    await page.getByRole('button', { name: 'Open wren.png' }).click();
    const image = page.getByRole('img', { name: 'wren.png' });
    await image.waitFor();
    assert.equal(await page.evaluate("document.querySelector('.filelist img').naturalWidth"), 1);
    await page.getByText('Technical details').click();
    await page.getByText('Hash on chain').waitFor();
    await checkBarriers(page);

    // What could run does so nowhere.
    for (const name of ['page.html', 'drawing.svg', 'tool.js']) {
      await page.getByRole('button', { name: `Open ${name}` }).click();
      const card = page.getByRole('listitem').filter({ hasText: name });
      await card.getByText('are never opened here').waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save ${name}` }).click();
      assert.equal((await saved).suggestedFilename(), name);
    }
    const { body } = await gateway.get(`/api/market/task?id=${id}`);
    const artifacts: { readonly name: string; readonly sha256: string }[] =
      body.task.deliveries[0].document.artifacts;
    for (const { name, sha256 } of artifacts.slice(2)) {
      const file = `/v1/files/${sha256}`;
      const outcome = await page.evaluate(`(${tryToRun})(${JSON.stringify(file)})`);
      assert.deepEqual(
        outcome,
        { script: 'refused', module: 'refused', worker: 'refused', frame: 'empty' },
        name,
      );
      // A visit saves the file and stays where it is.
      const saved = page.waitForEvent('download');
      await page.evaluate(`location.href = ${JSON.stringify(file)}`);
      assert.equal((await saved).suggestedFilename(), sha256);
    }
    assert.equal(await page.evaluate('globalThis.hasRun ?? localStorage.getItem("has-run")'), null);
    await page.setViewportSize({ width: 390, height: 844 });
    const accept = page.getByRole('button', { name: accepts });
    const [amount, button] = await Promise.all([
      page.locator('.decide b').boundingBox(),
      accept.boundingBox(),
    ]);
    assert.ok((amount?.y ?? Infinity) < (button?.y ?? 0), 'on a phone the amount comes first');
    const ready = () => accept.and(page.locator(':enabled')).waitFor();
    await recordFunctions(page, 'accept', ready, () =>
      act(page, accepts, async () => {
        await page.getByRole('row', { name: /^To the worker.* 1,000 TOK/ }).waitFor();
      }),
    );
    // The button that opened the dialog is gone.
    await page.locator('#next-step:focus').waitFor();
    await worker.page.locator('#next-step').getByText('Done: everything was paid to you.').waitFor();
    assert.equal(await live.textContent(), 'Done: everything was paid to you.');
    await shoot(worker.page, 'paid.png');
  });
});

/** Runs in the page: every way in which a page could run a file of its own origin. */
const tryToRun = `async (path) => {
  const loaded = (element) => new Promise((resolve) => {
    element.onload = () => resolve('ran');
    element.onerror = () => resolve('refused');
    document.body.append(element);
  });
  const script = await loaded(Object.assign(document.createElement('script'), { src: path }));
  const module = await import(path).then(() => 'ran', () => 'refused');
  const worker = await new Promise((resolve) => {
    try {
      const started = new Worker(path);
      started.onerror = () => resolve('refused');
      started.onmessage = () => resolve('ran');
    } catch {
      resolve('refused');
    }
  });
  const frame = document.createElement('iframe');
  frame.src = path;
  document.body.append(frame);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const inside = frame.contentDocument?.querySelector('script, svg') ?? null;
  frame.remove();
  return { script, module, worker, frame: inside === null ? 'empty' : 'filled' };
}`;
