// Two wallets negotiate a private task on the messages page, from the first offer to the payment.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { createProfileClient } from '#sdk/client/profileClient.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { emptyProfile, parseProfile } from '#web/pages/agent/profileDraft.ts';
import { shoot } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { advance, enterCast, gateway, openAs, options, prepareTask } from './scene.ts';
import { steps } from './taskSteps.ts';
import { accepts, act, fill, signing } from './walletSteps.ts';

/** Read out by a screen reader as it arrives. */
const newest = 'ol.messages[aria-live] > li:last-child';
const numbered = (id: string) => `task ${parseTaskId(id).number}, standard market`;
const isOther = (complaint: string) => !/net::ERR_CONNECTION_FAILED|status of 403/.test(complaint);

describe('negotiation', options, () => {
  const open = (context: TestContext, who: AccountName, path: string) => openAs(context, who, path, isOther);
  /** Refuses the next message of this page, as a gateway that is away for a moment. */
  const loseMessage = (page: Page) =>
    page.route('**/v1/messages', (route) => route.abort('connectionfailed'), { times: 1 });
  async function signIn(page: Page): Promise<void> {
    await page.getByText('The operator of this gateway can read messages.').waitFor();
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  }
  /** An action with words and a file, which are sent to the other party. */
  async function actWithFile(
    page: Page,
    action: string,
    [label, words, name]: readonly string[],
    isLost = false,
  ): Promise<void> {
    const fill = async () => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(label ?? '').fill(words ?? '');
      const buffer = Buffer.from(`The content of ${name}`);
      await dialog.getByLabel('Files').setInputFiles({ name: name ?? '', mimeType: 'text/plain', buffer });
      await dialog.getByText(', uploaded').waitFor();
      if (isLost) await loseMessage(page);
    };
    await act(page, action, fill, isLost ? 'only this page has them' : undefined);
  }
  const readTask = async (id: string, isThere: (task: { readonly releasedTokWei: string }) => boolean) =>
    until(async () => isThere((await gateway.get(`/api/market/task?id=${id}`)).body.task));
  /** Mutes the conversation, and blocks the other party, before there is a task that both share. */
  async function checkQuiet(poster: Page, worker: Page): Promise<void> {
    const row = worker.getByRole('navigation', { name: 'Conversations' }).getByRole('link', {
      name: /Translate a letter/,
    });
    await worker.getByRole('button', { name: 'Mute this conversation' }).click();
    await row.getByText(', muted').waitFor();
    await worker.getByRole('button', { name: 'Unmute this conversation' }).click();
    await worker.getByRole('button', { name: 'Block this wallet' }).click();
    await row.getByText(', blocked').waitFor();
    await poster.getByLabel('Your message').fill('Are you there?');
    await poster.getByRole('button', { name: 'Send', exact: true }).click();
    await poster.getByText('does not accept messages').waitFor();
    await worker.getByRole('button', { name: 'Unblock this wallet' }).click();
    await worker.getByRole('button', { name: 'Block this wallet' }).waitFor();
    await poster.getByRole('button', { name: 'Send', exact: true }).click();
    await worker.locator(newest).getByText('Are you there?').waitFor();
  }
  async function signTerms(page: Page, button: string): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('for each of the two parties').first().waitFor();
    await dialog.locator(signing).click();
    await dialog.waitFor({ state: 'detached' });
  }

  test('a private task from offer and counter-offer to a paid milestone, then a dispute whose judge opens every encrypted file', async (context) => {
    // New collateral opens no conversation with a wallet that looks for nobody.
    const cast = await enterCast('standard');
    await advance(86_401);
    const poster = await open(context, 'newcomer', '/messages.html');
    await signIn(poster.page);
    await poster.page.getByRole('link', { name: 'New message' }).click();
    await poster.page.getByLabel('To', { exact: true }).fill(accountOf('visitor').address);
    await poster.page.getByRole('button', { name: 'An offer' }).click();
    await poster.page.getByLabel('Title').fill('Translate a letter');
    await poster.page.reload();
    assert.equal(await poster.page.getByLabel('Title').inputValue(), 'Translate a letter');
    await poster.page.getByLabel('Accepted when').fill('Every sentence is there.');
    await poster.page.getByRole('button', { name: 'Pay in parts' }).click();
    await poster.page.getByLabel('Milestone 1', { exact: true }).fill('The letter');
    await poster.page.getByLabel('Milestone 2', { exact: true }).fill('Its appendix');
    await fill(poster.page, { 'Amount 1': '1500 TOK', 'Amount 2': '400 TOK' });
    await checkBarriers(poster.page);
    await poster.page.getByRole('button', { name: 'Send the offer' }).click();
    await poster.page.getByText('Waiting for an answer to your offer.').waitFor();

    const worker = await open(context, 'visitor', '/messages.html');
    await signIn(worker.page);
    await worker.page.getByText('1 new').waitFor();
    await worker.page.getByRole('heading', { name: 'Unknown senders' }).waitFor();
    await worker.page.getByRole('link', { name: 'Messages 1 unread' }).waitFor();
    assert.equal(await worker.page.title(), '(1) Messages · svc');
    await worker.page.goto(`${gateway.url()}/my.html`);
    await worker.page.getByText('1 conversation with something new.').waitFor();
    await worker.page.goBack();
    await worker.page.getByRole('link', { name: 'Translate a letter' }).click();
    await worker.page.getByText('Every sentence is there.').waitFor();
    await worker.page.getByText('400 TOK: Its appendix').waitFor();
    await worker.page.getByText(/^(just now|\d+ (s|min) ago) · signed/).waitFor();
    await worker.page.getByText('the worker: the poster pays you').waitFor();
    await poster.page.getByText('the poster: you pay the worker').waitFor();
    await checkQuiet(poster.page, worker.page);
    await worker.page.getByText(/^Your collateral is enough for \d+ tasks?\.$/).waitFor();
    await worker.page.getByRole('button', { name: 'Decline' }).click();
    await worker.page.getByText('You have declined this offer.').waitFor();
    await poster.page.getByText('They have declined your offer.').waitFor();
    await worker.page.getByRole('heading', { name: 'Unknown senders' }).waitFor();
    await worker.page.getByRole('button', { name: 'Offer other terms' }).click();
    await worker.page.getByLabel('Amount 1').fill('1800 TOK');
    await worker.page.getByRole('button', { name: 'Back' }).click();
    await worker.page.getByRole('button', { name: 'Offer other terms' }).click();
    assert.equal(await worker.page.getByLabel('Amount 1').inputValue(), '1800');
    await fill(worker.page, {
      'Accepted when': 'Every sentence is there, and no name is translated.',
      'Why (optional)': 'It is longer than you said.',
    });
    await worker.page.getByRole('button', { name: 'Send the counter-offer' }).click();

    // The poster's page updates without a reload, and marks what differs.
    const counter = poster.page.locator(newest);
    await counter.getByText('made a counter-offer').waitFor();
    await counter.locator('del', { hasText: '1,500' }).waitFor();
    await counter.locator('ins', { hasText: '1,800' }).waitFor();
    await counter.locator('ins', { hasText: 'and no name is translated.' }).waitFor();
    assert.equal(await counter.locator('[data-is=changed]').count(), 3, await counter.innerText());
    await checkBarriers(poster.page);
    await shoot(poster.page, 'offer.png', 1_600);
    await poster.page.getByLabel('Your message').fill('Agreed, thank you.');
    await poster.page.getByRole('button', { name: 'Send', exact: true }).click();
    await worker.page.getByText('Agreed, thank you.').waitFor();
    await signTerms(poster.page, 'Accept the offer');
    await signTerms(worker.page, 'Sign the terms');
    const { tok, gateway: router } = cast.contracts;
    await cast.worker.write(tok, 'approve', [router.address, 0n]);
    await worker.page.getByText('Your wallet has not approved its access fee').waitFor();
    await act(worker.page, 'Approve the access fee');
    await act(poster.page, 'Create the task', (page) =>
      page.getByRole('row', { name: /Access fee/ }).waitFor(),
    );
    await worker.page.getByText('This became').waitFor();
    await poster.page
      .getByRole('link', { name: /^task \d+, standard market/ })
      .first()
      .click();

    await poster.page.getByText('private: its words are not public').waitFor();
    await act(poster.page, 'Start the work');
    const id = new URL(poster.page.url()).searchParams.get('task') ?? '';
    await worker.page.goto(`${gateway.url()}/market.html?task=${id}`);
    const note = 'Note to the poster';
    await actWithFile(worker.page, 'Deliver', [note, 'The letter, in English.', 'letter.txt']);
    const { body } = await gateway.get(`/api/market/task?id=${id}`);
    assert.deepEqual(
      [body.task.deliveries[0].uri, body.task.deliveries[0].documentState],
      ['', 'unavailable'],
    );
    await poster.page.getByText('Words as signed').waitFor();
    await poster.page.getByRole('button', { name: 'Open letter.txt' }).click();
    await poster.page.getByText('The content of letter.txt').waitFor();
    await shoot(poster.page, 'sealed.png', 1_300);

    await poster.page.getByRole('button', { name: 'Ask for a change' }).click();
    await poster.page.getByText('This does not stop the review time').waitFor();
    await poster.page.getByLabel('What should change').fill('Add the date, please.');
    await poster.page.getByRole('button', { name: 'Send the request' }).click();
    await poster.page.getByText('Sent to the worker.').waitFor();
    await poster.page.keyboard.press('Escape');
    // The worker reads it beside the form that delivers again, and on My work.
    await worker.page.goto(`${gateway.url()}/market.html?task=${id}`);
    const asked = 'The poster asks for a change of milestone 1: “Add the date, please.” Deliver again.';
    await worker.page.locator('#next-step').getByText(asked).waitFor();
    await worker.page.goto(`${gateway.url()}/my.html`);
    await worker.page.getByRole('region', { name: 'Needs you now' }).getByText(asked).waitFor();
    await worker.page.goto(`${gateway.url()}/messages.html`);
    // One negotiation is one conversation, which keeps its name once it is a task.
    const list = worker.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
    await list.filter({ hasText: 'Translate a letter' }).click();
    await worker.page.getByText('Add the date, please.').waitFor();
    assert.equal(await list.filter({ hasText: /Translate a letter|Private task/ }).count(), 1);
    await act(poster.page, accepts);
    await poster.page.getByText('1,800 TOK').first().waitFor();
    await readTask(id, ({ releasedTokWei }) => releasedTokWei === parseTok('1800').toString());

    // The second milestone is disputed; nobody names an arbitrator, so the fallback arbitrator judges it.
    await worker.page.goto(`${gateway.url()}/market.html?task=${id}`);
    await actWithFile(worker.page, 'Deliver', [note, 'The appendix.', 'appendix.txt'], true);
    await worker.page.getByRole('button', { name: 'Leave the task' }).click();
    await actWithFile(poster.page, 'Dispute', ['What is wrong', 'Item two is missing.', 'scan.txt']);
    // No event reports a private task: the page asks for it.
    await worker.page.getByText('The task has changed. The worker answers').waitFor();
    assert.ok(await worker.page.locator(signing).isDisabled());
    await worker.page.keyboard.press('Escape');
    await actWithFile(worker.page, 'Answer the dispute', [
      'Your answer',
      'There is no item two.',
      'proof.txt',
    ]);
    await poster.page.getByText('There is no item two.').waitFor();
    await advance(3 * 86_400 + 1);
    await act(worker.page, 'Escalate');
    const signed = worker.wallet.signatures();
    await act(worker.page, 'I have nothing to add', async (page) => {
      assert.equal(await page.getByLabel('Your evidence').count(), 0);
    });
    assert.equal(worker.wallet.signatures() - signed, 1, 'no message was signed');

    await poster.page.getByText('5 documents and the keys of 4 files').waitFor();
    await checkBarriers(poster.page);
    await poster.page.getByRole('button', { name: 'Send them to the arbitrator' }).click();
    await poster.page.getByText('The arbitrator has the words and the file keys that you have.').waitFor();

    // Both sides have had their day to be heard.
    await advance(86_400 + 1);
    const judge = await open(context, 'fallback', '/my.html');
    const needed = judge.page.locator('section', { hasText: 'Needs you now' });
    const own = needed.getByRole('listitem').filter({ has: judge.page.locator(`a[href$="${id}"]`) });
    await own.getByText('you are the arbitrator').waitFor();
    await shoot(judge.page, 'my-work-arbitrator.png');
    await own.getByRole('link').first().click();
    await judge.page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await judge.page.getByRole('heading', { level: 1, name: 'Translate a letter' }).waitFor();
    for (const words of ['Item two is missing.', 'There is no item two.', 'no name is translated.'])
      await judge.page.getByText(words).first().waitFor();
    await judge.page.getByText('Delivery 1 of 2').click();
    for (const name of ['letter.txt', 'appendix.txt', 'scan.txt', 'proof.txt']) {
      await judge.page.getByRole('button', { name: `Open ${name}` }).click();
      await judge.page.locator('pre', { hasText: `The content of ${name}` }).waitFor();
    }
    assert.equal(await judge.page.getByText('Words as signed').count(), 4);
    const evidenceOf = ({ page }: typeof judge) => page.getByRole('heading', { level: 2, name: 'Evidence' });
    await shoot(judge.page, 'evidence.png', 1_300, evidenceOf(judge));
    await act(judge.page, 'Rule on the dispute', async (page) => {
      const reasons = 'The criteria name no second item.';
      await fill(page, { 'Share of the worker, %': '75', 'Your reasons': reasons });
      await page.getByText('300 TOK').first().waitFor();
      await page.getByRole('row', { name: /^To your wallet.* 20 TOK/ }).waitFor();
    });
    await poster.page.getByText('The criteria name no second item.').waitFor();
    await shoot(poster.page, 'ruling.png', 1_300, evidenceOf(poster));
    // The fee of the ruling: what the split takes from the bonds of both sides.
    await judge.page.goto(`${gateway.url()}/my.html`);
    const finished = judge.page.getByRole('region', { name: 'Finished' });
    const ended = finished.getByRole('listitem').filter({ has: judge.page.locator(`a[href$="${id}"]`) });
    await ended.getByText(/^You received 20 TOK/).waitFor();
    assert.doesNotMatch(await ended.innerText(), /\$/, 'dollars of today are not what was received');
    const views = [poster, worker, judge];
    const clicks = views.reduce((sum, { spent }) => sum + spent().clicks, 0);
    const signatures = views.reduce((sum, { wallet }) => sum + wallet.signatures(), 0);
    context.diagnostic(`${clicks} clicks, ${signatures} signatures`);

    // What was handed to the judge says in which dispute.
    await judge.page.goto(`${gateway.url()}/messages.html`);
    await judge.page
      .getByRole('link', { name: `Private ${numbered(id)}` })
      .filter({ hasText: accountOf('newcomer').address.slice(0, 6) })
      .click();
    const evidence = judge.page.getByRole('heading', {
      name: `They sent evidence in the dispute about ${numbered(id)}`,
    });
    await evidence
      .first()
      .getByRole('link', { name: numbered(id) })
      .click();
    await judge.page.getByRole('heading', { level: 1, name: 'Translate a letter' }).waitFor();
  });

  test('an offer that was half written is there again, on the market where it began; a listing gets none', async (context) => {
    const { page } = await open(context, 'newcomer', '/market.html?market=micro&post=new');
    await page.getByLabel('Title').fill('Fold a letter');
    await page.getByRole('radio', { name: 'One wallet, private' }).check();
    await page.getByLabel('Its address').fill(accountOf('visitor').address);
    await page.getByRole('button', { name: 'Offer it to this wallet' }).click();
    await signIn(page);
    assert.equal(await page.getByLabel('Market').inputValue(), 'micro');
    // What was written comes along.
    assert.equal(await page.getByLabel('Title').inputValue(), 'Fold a letter');
    await page.getByLabel('Title').fill('Fold two letters');
    await page.getByLabel('Valid for, days').fill('15');
    await page.getByLabel('Title').focus();
    await page.getByText('Enter a number of days from 0.1 to 14.').first().waitFor();
    await page.getByRole('button', { name: 'A message' }).click();
    await page.getByRole('button', { name: 'An offer' }).click();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Fold two letters');
    await page.reload();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Fold two letters');
    await page.goto(
      `${gateway.url()}/messages.html?to=${accountOf('visitor').address}&about=0x${'5e'.repeat(32)}&propose=1`,
    );
    await page.getByRole('heading', { name: 'About a listing' }).waitFor();
    await page.getByLabel('Your message').waitFor();
    assert.equal(await page.getByRole('button', { name: 'An offer' }).count(), 0);
  });

  test('the draft of a profile survives a reload, until there is a newer profile', async (context) => {
    await enterCast('standard');
    const { page } = await open(context, 'newcomer', '/agent.html?edit=1');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Half a name');
    await page.getByRole('button', { name: 'Add a service' }).click();
    await page.reload();
    assert.equal(await name.inputValue(), 'Half a name');
    assert.equal(await page.getByLabel('Usual days').inputValue(), '7');
    const { privateKey } = accountOf('newcomer');
    const { document } = parseProfile({ ...emptyProfile, name: 'Ann' });
    const profiles = createProfileClient({ baseUrl: gateway.url() });
    await profiles.publish(privateKeyToAccount(privateKey), document ?? assert.fail(), { chainId: 8453 });
    await page.reload();
    assert.equal(await name.inputValue(), 'Ann');
  });

  test('one party offers a split on the page of the task, the other a better one in their conversation, which ends it', async (context) => {
    const cast = await enterCast('standard');
    const id = await prepareTask(cast, 'claim', 'start');
    const poster = await open(context, 'newcomer', `/market.html?task=${id}`);
    // On a site without a gateway the form leads there.
    await poster.page.route('**/pages.json', async (route) => {
      const reply = await (await route.fetch()).json();
      await route.fulfill({ json: { ...reply, isGateway: false, gatewayUrl: 'https://gateway.example' } });
    });
    await poster.page.reload();
    await poster.page.getByRole('button', { name: 'Settle together' }).click();
    const there = poster.page.getByRole('dialog').getByRole('link', { name: 'open this page there' });
    assert.equal(await there.getAttribute('href'), `https://gateway.example/market.html?task=${id}`);
    assert.equal(await poster.page.getByRole('button', { name: 'Sign in at this gateway' }).count(), 0);
    await poster.page.unroute('**/pages.json');
    await poster.page.reload();
    await poster.page.getByRole('button', { name: 'Settle together' }).click();
    await poster.page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await poster.page.getByLabel('Share of the worker, %').fill('250');
    await poster.page.getByRole('button', { name: 'Sign and send the split' }).click();
    await poster.page.getByText('A share is a number from 0 to 100').waitFor();
    await poster.page.getByLabel('Share of the worker, %').fill('10');
    await poster.page.getByText('to the worker, ').first().waitFor();
    await poster.page.getByRole('button', { name: 'Sign and send the split' }).click();
    await poster.page.getByText('Sent. The other party finds it in its messages').waitFor();
    assert.doesNotMatch(await poster.page.getByRole('dialog').innerText(), /%7B|%22|0x[0-9a-f]{20}|\{"/);
    await poster.page.evaluate(
      'navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }',
    );
    await poster.page.getByRole('button', { name: 'Copy its link' }).click();
    await poster.page.getByRole('button', { name: 'Copied' }).waitFor();
    const linked = await open(context, 'visitor', '/');
    await linked.page.goto(await poster.page.evaluate<string>('copied'));
    await linked.page.getByText('The other party has signed: 100 TOK').waitFor();

    const worker = await open(context, 'visitor', '/messages.html');
    await signIn(worker.page);
    await worker.page.getByRole('link', { name: 'Name ten birds' }).click();
    await worker.page.getByText('They have signed: 100 TOK').waitFor();
    // What was signed is a split of the task as it was.
    await steps.deliver(cast, parseTaskId(id).number);
    await linked.page.getByText('The task has changed. The poster reviews').waitFor();
    await linked.page.reload();
    for (const { page } of [worker, linked])
      await page.getByText('The task has changed since: this offer no longer works.').waitFor();
    assert.equal(await linked.page.getByText('The other party has signed:').count(), 0);
    assert.equal(await worker.page.getByRole('button', { name: 'Agree and end the task' }).count(), 0);
    assert.equal(await worker.page.getByText('They have signed:').count(), 0);
    await worker.page.getByRole('button', { name: 'Offer another split' }).click();
    await worker.page.getByLabel('Share of the worker, %').fill('25');
    await worker.page.getByText('250 TOK').first().waitFor();
    await worker.page.getByRole('button', { name: 'Sign and send the split' }).click();
    await worker.page.getByText('You offered to end the task by a split').waitFor();

    await poster.page.goto(`${gateway.url()}/messages.html`);
    await poster.page.getByRole('link', { name: 'Name ten birds' }).click();
    await poster.page.getByText('They have signed: 250 TOK').waitFor();
    await act(poster.page, 'Agree and end the task');
    await readTask(id, ({ releasedTokWei }) => releasedTokWei === parseTok('250').toString());
  });
});
