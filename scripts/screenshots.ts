// `npm run web:shots`: takes the pictures of README and guides from a fresh market that runs already. The addresses of its
// pages and of its chain may be given, and then the parts to take, such as `takePath`.
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { parseTaskId, type TaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { steps } from '../test/pages/taskSteps.ts';
import { act, connect } from '../test/pages/walletSteps.ts';
import { browserPath } from '../test/support/browser.ts';
import { type Cast, createCast, enter } from '../test/support/cast.ts';
import { postTask } from '../test/support/posting.ts';
import { createTestWallet, injectWallet } from '../test/support/testWallet.ts';
import { until } from '../test/support/until.ts';
import { root } from './tools.ts';

const [url = 'http://127.0.0.1:4020', rpcUrl = 'http://127.0.0.1:8545', ...chosen] = process.argv.slice(2);
const folder = join(root, 'docs/images');

/** What a page says while it is not complete. */
const stillLoading =
  /loading the track record|(Reading|Loading) your balances|(Preparing|Simulating) the calls/;

const birds = '1. robin\n2. wren\n';
const birdTask = {
  criteria: 'Ten names.',
  uri: `data:application/json;base64,${Buffer.from(
    '{"title":"Name ten birds","description":"The photograph is from our roof.","criteria":"Ten names."}',
  ).toString('base64')}`,
};

if (browserPath === undefined) throw new Error('no Chromium was found; name one in SVC_TEST_BROWSER');
const browser: Browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
// The last one moves the chain's clock.
const parts = { takePages, takeVisitors, takePath, takeConcerns, takeOffer, takeDispute };
try {
  for (const [name, take] of Object.entries(parts))
    if (chosen.length === 0 || chosen.includes(name)) await take();
} finally {
  await browser.close();
}

/** What anybody sees. */
async function takePages(): Promise<void> {
  for (const [file, path, theme] of [
    ['market.png', '/market.html?market=standard', 'light'],
    ['task.png', '/market.html?task=v2:standard:40', 'dark'],
  ] as const) {
    const page = await open(path, undefined, theme);
    await see(page, 'TOK');
    await shoot(page, file);
  }
}

/** The walk of test/pages/visitor.ts: two people without a wallet, from the front page to the payment. */
async function takeVisitors(): Promise<void> {
  const poster = await open('/');
  await poster.getByRole('button', { name: 'Try as a visitor' }).waitFor();
  await shoot(poster, 'visitor-start.png');
  await becomeVisitor(poster);
  await shoot(poster, 'visitor-home.png');
  await follow(poster, 'Post a standard task');
  await follow(poster, 'Anyone may claim it');
  await fillTask(poster, 'Water the plants', 'All of them, twice.');
  await press(poster, 'Sign with your wallet');
  await poster.getByRole('heading', { level: 1, name: 'Water the plants' }).waitFor();

  const worker = await open('/');
  await becomeVisitor(worker);
  await follow(worker, 'Find funded work');
  await follow(worker, 'Water the plants');
  await act(worker, 'Claim this task');
  await poster.goto(`${url}/my.html`);
  await see(poster, 'Your turn: start the work');
  await shoot(poster, 'visitor-turn.png');
  await follow(poster, 'Water the plants');
  await act(poster, 'Start the work');
  await act(worker, 'Deliver', (page) => fill(page, { 'Note to the poster': 'Done, twice.' }));
  await act(poster, 'Accept the milestone');
  await worker.goto(`${url}/my.html`);
  await see(worker, 'Done: everything was paid to you.');
  await shoot(worker, 'visitor-paid.png');
}

async function becomeVisitor(page: Page): Promise<void> {
  await press(page, 'Try as a visitor');
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  await see(page, '20,000 TOK');
}

/** What a poster and a worker see, from the post to the payment. */
async function takePath(): Promise<void> {
  const poster = await open('/market.html?market=standard&post=new&who=anyone', 'newcomer');
  await fillTask(poster, 'Name ten birds in a photograph', 'Ten names, left to right.');
  await see(poster, 'Technical details');
  await shoot(poster, 'post.png');
  await press(poster, 'Sign with your wallet');
  await poster.getByRole('heading', { level: 1, name: 'Name ten birds in a photograph' }).waitFor();

  const worker = await open(pathOf(poster), 'visitor');
  await act(worker, 'Claim this task', async (page) => {
    await page.getByRole('button', { name: 'Sign with your wallet' }).waitFor();
    await see(page, 'Access fee');
    await shoot(page, 'claim.png');
  });
  await act(poster, 'Start the work');
  await act(worker, 'Deliver', async (page) => {
    await fill(page, {
      'Note to the poster': 'Ten birds, left to right.',
      Links: 'https://work.example/birds.txt',
    });
    await upload(page, 'birds.txt', birds);
    await shoot(page, 'deliver.png');
  });
  await press(poster, 'Open birds.txt');
  await see(poster, '1. robin');
  await poster.getByRole('button', { name: 'Accept the milestone', exact: true }).waitFor();
  await poster.getByRole('heading', { name: 'Delivery', exact: true }).scrollIntoViewIfNeeded();
  await shoot(poster, 'accept.png', 1_000);
  await act(poster, 'Accept the milestone');
  await see(worker, '1,500 TOK ≈ $7.50 paid to the worker');
  await shoot(worker, 'paid.png');
}

/** What waits for a poster, a worker and an arbitrator; their notices; and a claim that somebody else made first. */
async function takeConcerns(): Promise<void> {
  const cast = await createCast(rpcUrl, 'standard');
  await enter(cast);
  const poster = await open('/notifications.html', 'newcomer');
  await press(poster, 'Sign in at this gateway');
  await fill(poster, { 'E-mail address': 'poster@example.org' });
  await press(poster, 'Add this address');
  const mail = await browser.newPage({ viewport: { width: 1_080, height: 700 } });
  const newestMail = mail.getByRole('article').first();
  const confirm = newestMail.getByRole('link', { name: 'Confirm' });
  const waitForMail = (shown: Locator) =>
    until(async () => {
      await mail.goto(`${url}/dev/mail`);
      return (await shown.count()) > 0;
    });
  await waitForMail(confirm);
  await confirm.click();
  await press(mail, 'Confirm');
  await see(mail, 'Your address is confirmed.');
  await poster.getByText('confirmed', { exact: true }).waitFor();
  await shoot(poster, 'notifications.png', 1_000);

  await begin(cast, 'claim', 'start');
  await begin(cast, 'claim', 'start', 'deliver');
  const disputed = await begin(cast, 'claim', 'start', 'deliver', 'dispute', 'answer');
  await nameReferee(cast, disputed);
  await waitForMail(newestMail.getByText('Your turn'));
  await mail.screenshot({ path: join(folder, 'notice-mail.png') });
  await poster.goto(`${url}/my.html`);
  for (const [page, file] of [
    [poster, 'my-work-poster.png'],
    [await open('/my.html', 'visitor'), 'my-work-worker.png'],
    [await open('/my.html', 'referee'), 'my-work-arbitrator.png'],
  ] as const) {
    await page.getByRole('heading', { name: 'Needs you now' }).waitFor();
    await page.locator(`a[href*="${disputed}"]`).first().waitFor();
    await shoot(page, file, 900);
  }

  const wanted = await begin(cast);
  const loser = await open(`/market.html?task=${wanted}`, 'coder');
  await press(loser, 'Claim this task');
  await loser.locator('dialog .signbar button:enabled').waitFor();
  await steps.claim(cast, parseTaskId(wanted).number);
  await see(loser, 'Somebody else has claimed this task.');
  await shoot(loser, 'lost-race.png');
}

/** An offer, the counter-offer of the other side, and the private task that it becomes, with an encrypted file. */
async function takeOffer(): Promise<void> {
  const poster = await open(`/messages.html?to=${accountOf('visitor').address}&propose=1`, 'newcomer');
  const signIn = poster.getByRole('button', { name: 'Sign in at this gateway' });
  await signIn.or(poster.getByLabel('Title')).click();
  await fillTask(poster, 'Translate a letter', 'Every sentence is there.');
  await press(poster, 'Send the offer');
  await see(poster, 'Waiting for an answer to your offer.');
  const worker = await open('/messages.html', 'visitor');
  await press(worker, 'Sign in at this gateway');
  await follow(worker, 'Translate a letter');
  await press(worker, 'Offer other terms');
  await fill(worker, { 'Amount, TOK': '1800' });
  await press(worker, 'Send the counter-offer');
  await see(poster, 'They made a counter-offer');
  await shoot(poster, 'offer.png', 1_200);

  for (const [page, button] of [
    [poster, 'Accept the offer'],
    [worker, 'Sign the terms'],
  ] as const) {
    await press(page, button);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Sign with your wallet' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await act(poster, 'Create the task');
  await follow(poster, /^task \d+, standard market/);
  await act(poster, 'Start the work');
  await worker.goto(url + pathOf(poster));
  await act(worker, 'Deliver', async (page) => {
    await fill(page, { 'Note to the poster': 'The letter, in English.' });
    await upload(page, 'letter.txt', 'Hello Ada,\n');
  });
  await press(poster, 'Open letter.txt');
  await see(poster, 'Hello Ada,');
  await shootAt(poster.getByRole('heading', { name: 'Delivery', exact: true }), 'sealed.png');
}

/** Evidence of both sides with a file, and the ruling with its reasons. */
async function takeDispute(): Promise<void> {
  const cast = await createCast(rpcUrl, 'standard');
  await enter(cast);
  const id = await begin(cast, 'claim', 'start');
  const path = `/market.html?task=${id}`;
  const worker = await open(path, 'visitor');
  await act(worker, 'Deliver', (page) => fill(page, { 'Note to the poster': 'Ten birds, left to right.' }));
  const poster = await open(path, 'newcomer');
  const claim = 'The criteria ask for ten names. The list has nine: the tenth bird is missing.';
  await act(poster, 'Open a dispute', async (page) => {
    await fill(page, { 'What is wrong': claim });
    await upload(page, 'list.txt', birds);
  });
  const answer = 'The photograph shows nine birds. The tenth is a shadow on the roof.';
  await act(worker, 'Answer the dispute', (page) => fill(page, { 'Your answer': answer }));
  await nameReferee(cast, id);
  // Both sides have a day for evidence.
  await cast.client.request({ method: 'evm_increaseTime', params: [86_401] } as never);
  await cast.client.request({ method: 'evm_mine', params: [] } as never);
  const judge = await open(path, 'referee');
  await press(judge, 'Open list.txt');
  await see(judge, '1. robin');
  await see(judge, 'Your turn: rule on the dispute');
  await shootAt(judge.getByRole('heading', { level: 2, name: 'Evidence' }), 'evidence.png');
  const reasons = 'Nine of the ten names are right. A shadow is no bird, and the criteria say ten.';
  await act(judge, 'Rule on the dispute', (page) =>
    fill(page, { 'Share of the worker, %': '90', 'Your reasons': reasons }),
  );
  const ruling = poster.getByRole('heading', { name: /^Ruling: 90 %/ });
  await ruling.waitFor();
  await shootAt(ruling, 'ruling.png');
}

/** A task that these steps have brought to a state. */
async function begin(cast: Cast, ...names: readonly (keyof typeof steps)[]): Promise<TaskId> {
  const id = await postTask(cast, { dueIn: 10 * 86_400, ...birdTask });
  for (const name of names) await steps[name](cast, parseTaskId(id).number);
  return id;
}

async function nameReferee({ poster, worker, contracts }: Cast, id: TaskId): Promise<void> {
  const args = [parseTaskId(id).number, accountOf('referee').address] as const;
  for (const party of [poster, worker]) await party.write(contracts.court, 'proposeArbitrator', args);
}

async function open(
  path: string,
  name?: AccountName,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Page> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1_080, height: 700 } });
  if (name !== undefined)
    await injectWallet(page, createTestWallet('Test wallet', accountOf(name).privateKey, rpcUrl));
  await page.goto(url + path);
  await see(page, 'Live, block');
  if (name !== undefined) await connect(page);
  return page;
}

function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name }).click();
}

function follow(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('link', { name }).first().click();
}

function see(page: Page, text: string): Promise<void> {
  return page.getByText(text).first().waitFor();
}

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

async function fillTask(page: Page, title: string, criteria: string): Promise<void> {
  await fill(page, { Title: title, 'Acceptance criteria': criteria, 'Amount, TOK': '1500' });
}

/** Signs in at the gateway first where it asks. */
async function upload(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.getByRole('dialog').getByLabel('Files').setInputFiles(file);
  const button = page.getByRole('button', { name: 'Sign in at this gateway' });
  await button.or(page.getByText(', uploaded')).first().waitFor();
  if (await button.isVisible()) await button.click();
  await see(page, ', uploaded');
}

/** What begins at an element, for pages that are longer than a picture. */
async function shootAt(place: Locator, file: string): Promise<void> {
  const page = place.page();
  await page.setViewportSize({ width: 1_080, height: 1_300 });
  await page.mouse.move(0, 0);
  // What loads above it moves it.
  await page.waitForTimeout(1_000);
  await place.evaluate('(element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 96)');
  await page.screenshot({ path: join(folder, file) });
}

async function shoot(page: Page, file: string, height = 700): Promise<void> {
  await page.setViewportSize({ width: 1_080, height });
  // Where the pointer rests and how far a form was scrolled belong to the moment.
  await page.mouse.move(0, 0);
  await page.evaluate('scrollTo(0, 0)');
  await until(async () => (await page.getByText(stillLoading).count()) === 0);
  await page.screenshot({ path: join(folder, file) });
}
