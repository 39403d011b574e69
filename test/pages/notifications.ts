// The page of notifications as a newcomer uses it: an address, its confirmation at /dev/mail, a test notice, quiet hours, and
// the way out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openView, shoot } from '../support/browser.ts';
import { serve } from '../support/listen.ts';
import { ask } from '../support/rawHttp.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { browser, gateway, openAs, options } from './scene.ts';

describe('notifications', options, () => {
  test('a reader adds an address, confirms it by a button, gets a test notice, sets quiet hours and ends it', async (context) => {
    const { page } = await openAs(context, 'coder', '/my.html');
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await page.getByRole('link', { name: 'Get notices by e-mail' }).click();
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByText('Nowhere yet.').waitFor();

    await page.getByLabel('E-mail address').fill('coder@example.org');
    await page.getByRole('button', { name: 'Add this address' }).click();
    await page.getByText('waits for its confirmation').waitFor();
    await page.getByText('c…@example.org').waitFor();

    const mailbox = await openView(context, browser, `${gateway.url()}/dev/mail`);
    await until(async () => {
      await mailbox.page.reload();
      return (await mailbox.page.locator('article').count()) === 1;
    });
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { host: 'market.example' }])
      assert.equal(
        (await ask(gateway.url(), { path: '/dev/mail', headers })).status,
        404,
        'on this machine only',
      );
    await mailbox.page.getByRole('link', { name: 'Confirm' }).click();
    await mailbox.page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
    assert.ok(
      await page.getByText('waits for its confirmation').isVisible(),
      'opening the link confirms nothing',
    );
    await mailbox.page.getByRole('button', { name: 'Confirm' }).click();
    await mailbox.page.getByText('Your address is confirmed.').waitFor();

    await page.getByText('confirmed', { exact: true }).waitFor();
    await shoot(page, 'notifications.png', 1_000);
    await page.getByRole('button', { name: 'Send a test notice' }).click();
    await page.getByText('It is on its way.').waitFor();
    await page.goto(`${gateway.url()}/market.html?market=standard&q=lighthouse&minUsd=5`);
    await page.getByRole('link', { name: 'Save this search' }).click();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByRole('link', { name: 'standard tasks, “lighthouse”, at least $5' }).waitFor();
    await page.getByRole('button', { name: 'Remove this search' }).click();
    await page.getByText('None yet.').waitFor();
    // A link of the time when both markets were one list saves a search for each.
    await page.goto(`${gateway.url()}/notifications.html?search=market%3Dboth%26q%3Dlighthouse`);
    await page.getByRole('button', { name: 'Save this search' }).click();
    for (const market of ['micro', 'standard']) {
      await page.getByRole('link', { name: `${market} tasks, “lighthouse”` }).waitFor();
    }
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Remove this search' }).first().click();
      await until(
        async () => (await page.getByRole('button', { name: 'Remove this search' }).count()) === left,
      );
    }
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'UTC', 'as it is stored');
    await page.getByLabel('When').selectOption('notQuiet');
    await page.getByRole('button', { name: 'Use the zone of this browser, Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await checkBarriers(page);
    await page.reload();
    await page.getByLabel('From').waitFor();
    assert.equal(await page.getByLabel('When').inputValue(), 'notQuiet');
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');

    await until(async () => {
      await mailbox.page.goto(`${gateway.url()}/dev/mail`);
      return (await mailbox.page.locator('article').count()) === 2;
    });
    await mailbox.page.getByRole('link', { name: 'Stop these mails' }).first().click();
    await mailbox.page.getByRole('button', { name: 'Stop these notices' }).click();
    await mailbox.page.getByText('You get no more notices').waitFor();
    await page.reload();
    await page.getByText('Nowhere yet.').waitFor();
    assert.deepEqual(mailbox.complaints, []);

    const gone = await serve((_request, response) => response.writeHead(410).end());
    context.after(gone.close);
    await page.getByText('A webhook, for programs').click();
    await page.getByLabel('URL').fill(`${gone.url}/hook`);
    await page.getByLabel('E-mail address').fill('half@exam');
    await page.getByRole('button', { name: 'Add this webhook' }).click();
    await page.getByText('failed', { exact: true }).waitFor();
    assert.equal(
      await page.getByLabel('E-mail address').inputValue(),
      'half@exam',
      'the other form is left alone',
    );
    await page
      .getByText(
        'It gets no more notices. Remove it, or add it again and confirm it. The last attempt failed: it answered 410.',
      )
      .waitFor();
  });

  // A subscription needs the push service of the browser's vendor, which no test reaches: what arrives is delivered by DevTools.
  test('the service worker shows what is pushed, and confirms the first one', async (context) => {
    const { page } = await openView(context, browser, `${gateway.url()}/notifications.html`, {
      isAlone: true,
    });
    await page.context().grantPermissions(['notifications'], { origin: gateway.url() });
    const devTools = await page.context().newCDPSession(page);
    const registrations: string[] = [];
    devTools.on('ServiceWorker.workerRegistrationUpdated', (event) =>
      registrations.push(...event.registrations.map(({ registrationId }) => registrationId)),
    );
    await devTools.send('ServiceWorker.enable');
    await page.evaluate(
      `navigator.serviceWorker.register('/notices.js').then(() => navigator.serviceWorker.ready)`,
    );
    await until(async () => registrations.length > 0);
    // A browser without windows draws no notices: what the worker wants to show is noted.
    const [worker = await page.context().waitForEvent('serviceworker')] = page.context().serviceWorkers();
    await worker.evaluate(`
      globalThis.noted = [];
      const show = registration.showNotification;
      ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
        noted.push([title, options.data.url]);
        return show.call(this, title, options);
      };
    `);
    const confirmed = page.context().waitForEvent('request', {
      predicate: (request) => request.url().endsWith('/v1/notifications/confirmations'),
    });
    const url = `${gateway.url()}/market.html?task=v2:standard:1`;
    await devTools.send('ServiceWorker.deliverPushMessage', {
      origin: gateway.url(),
      registrationId: registrations.at(-1) ?? '',
      data: JSON.stringify({ title: 'Your turn: review the delivery', url, confirm: 'a-token' }),
    });
    assert.equal((await confirmed).postData(), JSON.stringify({ token: 'a-token' }));
    await until(async () => ((await worker.evaluate('noted')) as unknown[]).length > 0);
    assert.deepEqual(await worker.evaluate('noted'), [['Your turn: review the delivery', url]]);
  });
});
