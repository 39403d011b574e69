// `npm run web:shots`: takes the pictures of README and guides from a fresh market that runs already; the addresses of its
// pages and of its chain may be given, and then the parts to take. With a folder in SVC_TEST_SHOTS every picture, and more of
// dialogs, listings and profiles, goes there in four looks.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { steps } from '../test/pages/taskSteps.ts';
import { act, connect } from '../test/pages/walletSteps.ts';
import { createCast, enter } from '../test/support/cast.ts';
import { postTask } from '../test/support/posting.ts';
import { createTestWallet, injectWallet } from '../test/support/testWallet.ts';
import { until } from '../test/support/until.ts';
import { browserPath } from './browserPath.ts';
import { takeListing, takeSettle } from './shotScenes.ts';
import { root } from './tools.ts';

const [url = 'http://127.0.0.1:4020', rpcUrl = 'http://127.0.0.1:8545', ...chosen] = process.argv.slice(2);
const folder = join(root, 'docs/images');
/** Where every picture goes in four looks, if anywhere. */
const looks = process.env.SVC_TEST_SHOTS;

/** What a page says while it is not complete. */
const stillLoading =
  /loading the track record|(Reading|Loading) your balances|(Preparing|Simulating) the calls/;

const birdTask = {
  criteria: 'Ten names.',
  uri: `data:application/json;base64,${Buffer.from(
    JSON.stringify({
      title: 'Name ten birds',
      description: 'The photograph is from our roof.',
      criteria: 'Ten names.',
    }),
  ).toString('base64')}`,
};

if (browserPath === undefined) throw new Error('no Chromium was found; name one in SVC_TEST_BROWSER');
mkdirSync(looks ?? folder, { recursive: true });
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
const parts = {
  takePages,
  takeVisitors,
  takePath,
  takeConcerns,
  takeListing,
  takeOffer,
  takeSettle,
  // It moves the chain's clock.
  takeDispute,
};
const studio = { url, rpcUrl, open, shoot: shootLooks };
try {
  for (const [name, take] of Object.entries(parts))
    if (chosen.length === 0 || chosen.includes(name)) await take(browser, studio);
} finally {
  await browser.close();
}

/** What anybody sees. */
async function takePages(from: Browser): Promise<void> {
  const shots = [
    { file: 'market.png', path: '/market.html?market=standard', theme: 'light' },
    { file: 'task.png', path: '/market.html?task=v2:standard:40', theme: 'dark' },
  ] as const;
  for (const { file, path, theme } of shots) {
    const page = await open(from, path, theme);
    await page.getByText('TOK').first().waitFor();
    await shoot(page, file);
  }
}

/** The walk of test/pages/visitor.ts: two people without a wallet, from the front page to the payment. */
async function takeVisitors(from: Browser): Promise<void> {
  const poster = await open(from, '/', 'light');
  await poster.getByRole('button', { name: 'Try as a visitor' }).waitFor();
  await shoot(poster, 'visitor-start.png');
  await becomeVisitor(poster);
  await shoot(poster, 'visitor-home.png');
  await poster.getByRole('link', { name: 'Post a standard task' }).click();
  await poster.getByRole('link', { name: 'Anyone may claim it' }).click();
  await poster.getByLabel('Title').fill('Water the plants');
  await poster.getByLabel('Acceptance criteria').fill('All of them, twice.');
  await poster.getByLabel('Amount, TOK').fill('1500');
  await poster.getByRole('button', { name: 'Sign with your wallet' }).click();
  await poster.getByRole('heading', { level: 1, name: 'Water the plants' }).waitFor();

  const worker = await open(from, '/', 'light');
  await becomeVisitor(worker);
  await worker.getByRole('link', { name: 'Find funded work' }).click();
  await worker.getByRole('link', { name: 'Water the plants' }).click();
  await act(worker, 'Claim this task');
  await poster.goto(`${url}/my.html`);
  await poster.getByText('Your turn: start the work').waitFor();
  await shoot(poster, 'visitor-turn.png');
  await poster.getByRole('link', { name: 'Water the plants' }).click();
  await act(poster, 'Start the work');
  await act(worker, 'Deliver', (dialog) => dialog.getByLabel('Note to the poster').fill('Done, twice.'));
  await act(poster, 'Accept the milestone');
  await worker.goto(`${url}/my.html`);
  await worker.getByText('Done: everything was paid to you.').waitFor();
  await shoot(worker, 'visitor-paid.png');
}

async function becomeVisitor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try as a visitor' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  await page.getByText('20,000 TOK').waitFor();
}

/** What a poster and a worker see, from the post to the payment. */
async function takePath(from: Browser): Promise<void> {
  const poster = await open(from, '/market.html?market=standard&post=new&who=anyone', 'light', 'newcomer');
  await poster.getByLabel('Title').fill('Name ten birds in a photograph');
  await poster.getByLabel('Acceptance criteria').fill('Ten names, left to right.');
  await poster.getByLabel('Amount, TOK').fill('1500');
  await poster.getByText('Technical details').waitFor();
  await shoot(poster, 'post.png');
  await poster.getByRole('button', { name: 'Sign with your wallet' }).click();
  await poster.getByRole('heading', { level: 1, name: 'Name ten birds in a photograph' }).waitFor();

  const task = new URL(poster.url());
  const worker = await open(from, task.pathname + task.search, 'light', 'visitor');
  await act(worker, 'Claim this task', async (page) => {
    await page.getByRole('button', { name: 'Sign with your wallet' }).waitFor();
    await page.getByText('Access fee').first().waitFor();
    await shoot(page, 'claim.png');
  });
  await act(poster, 'Start the work');
  await act(worker, 'Deliver', async (page) => {
    await page.getByLabel('Note to the poster').fill('Ten birds, left to right.');
    await page.getByLabel('Links').fill('https://work.example/birds.txt');
    const birds = { name: 'birds.txt', mimeType: 'text/plain', buffer: Buffer.from('1. robin\n2. wren\n') };
    await page.getByLabel('Files').setInputFiles(birds);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByText(', uploaded').waitFor();
    await shoot(page, 'deliver.png');
  });
  await poster.getByRole('button', { name: 'Open birds.txt' }).click();
  await poster.getByText('1. robin').waitFor();
  await poster.getByRole('button', { name: 'Accept the milestone', exact: true }).waitFor();
  await poster.getByRole('heading', { name: 'Delivery', exact: true }).scrollIntoViewIfNeeded();
  await shoot(poster, 'accept.png', 1_000);
  await act(poster, 'Accept the milestone', async (page) => {
    await page.getByRole('dialog').getByRole('rowheader', { name: /^Gas/ }).waitFor();
    await shootLooks(page, 'accept-dialog.png');
  });
  await worker.getByText('1,500 TOK ≈ $7.50 paid to the worker').waitFor();
  await shoot(worker, 'paid.png');
}

/** Evidence of both sides with a file, and the ruling with its reasons. */
async function takeDispute(from: Browser): Promise<void> {
  const cast = await createCast(rpcUrl, 'standard');
  await enter(cast);
  const id = await postTask(cast, { dueIn: 10 * 86_400, ...birdTask });
  const { number } = parseTaskId(id);
  await steps.claim(cast, number);
  await steps.start(cast, number);
  const path = `/market.html?task=${id}`;
  const worker = await open(from, path, 'light', 'visitor');
  await act(worker, 'Deliver', (page) =>
    page.getByLabel('Note to the poster').fill('Ten birds, left to right.'),
  );
  const poster = await open(from, path, 'light', 'newcomer');
  await act(poster, 'Open a dispute', async (page) => {
    await page
      .getByLabel('What is wrong')
      .fill('The criteria ask for ten names. The list has nine: the tenth bird is missing.');
    const list = { name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('1. robin\n2. wren\n') };
    await page.getByRole('dialog').getByLabel('Files').setInputFiles(list);
    await signInFirst(page);
    await page.getByText(', uploaded').waitFor();
  });
  await act(worker, 'Answer the dispute', (page) =>
    page
      .getByLabel('Your answer')
      .fill('The photograph shows nine birds. The tenth is a shadow on the roof.'),
  );
  const referee = accountOf('referee').address;
  for (const party of [cast.poster, cast.worker])
    await party.write(cast.contracts.court, 'proposeArbitrator', [number, referee]);
  // Both sides have a day for evidence.
  for (const [method, params] of [
    ['evm_increaseTime', [86_401]],
    ['evm_mine', []],
  ] as const)
    await cast.client.request({ method, params } as never);
  const judge = await open(from, path, 'light', 'referee');
  await judge.getByRole('button', { name: 'Open list.txt' }).click();
  await judge.getByText('1. robin').waitFor();
  await judge.getByText('Your turn: rule on the dispute').waitFor();
  await shootAt(judge, judge.getByRole('heading', { level: 2, name: 'Evidence' }), 'evidence.png');
  await act(judge, 'Rule on the dispute', async (page) => {
    await page.getByLabel('Share of the worker, %').fill('90');
    await page
      .getByLabel('Your reasons')
      .fill('Nine of the ten names are right. A shadow is no bird, and the criteria say ten.');
    await shootLooks(page, 'rule.png');
  });
  await poster.getByRole('heading', { name: /^Ruling: 90 %/ }).waitFor();
  await shootAt(poster, poster.getByRole('heading', { name: /^Ruling: 90 %/ }), 'ruling.png');
}

/** What waits for a poster, a worker and an arbitrator; how they are told; and a claim that somebody else was faster with. */
async function takeConcerns(from: Browser): Promise<void> {
  const cast = await createCast(rpcUrl, 'standard');
  await enter(cast);
  const begin = async (...names: (keyof typeof steps)[]) => {
    const id = await postTask(cast, { dueIn: 10 * 86_400, ...birdTask });
    for (const name of names) await steps[name](cast, parseTaskId(id).number);
    return id;
  };
  const poster = await open(from, '/notifications.html', 'light', 'newcomer');
  await poster.getByRole('button', { name: 'Sign in at this gateway' }).click();
  await poster.getByLabel('E-mail address').fill('poster@example.org');
  await poster.getByRole('button', { name: 'Add this address' }).click();
  const mail = await from.newPage({ viewport: { width: 1_080, height: 700 } });
  const newestMail = mail.getByRole('article').first();
  const waitForMail = (isThere: () => Promise<boolean>) =>
    until(async () => {
      await mail.goto(`${url}/dev/mail`);
      return isThere();
    });
  await waitForMail(async () => (await newestMail.getByRole('link', { name: 'Confirm' }).count()) > 0);
  await newestMail.getByRole('link', { name: 'Confirm' }).click();
  await mail.getByRole('button', { name: 'Confirm' }).click();
  await mail.getByText('Your address is confirmed.').waitFor();
  await poster.getByText('confirmed', { exact: true }).waitFor();
  await shoot(poster, 'notifications.png', 1_000);

  await begin('claim', 'start');
  await begin('claim', 'start', 'deliver');
  const disputed = await begin('claim', 'start', 'deliver', 'dispute', 'answer');
  const referee = accountOf('referee').address;
  for (const party of [cast.poster, cast.worker])
    await party.write(cast.contracts.court, 'proposeArbitrator', [parseTaskId(disputed).number, referee]);
  await waitForMail(async () => (await newestMail.getByText('Your turn').count()) > 0);
  await mail.screenshot({ path: join(folder, 'notice-mail.png') });
  await shootLooks(mail, 'notice-mail.png');
  for (const [name, file] of [
    ['newcomer', 'my-work-poster.png'],
    ['visitor', 'my-work-worker.png'],
    ['referee', 'my-work-arbitrator.png'],
  ] as const) {
    const page = name === 'newcomer' ? poster : await open(from, '/my.html', 'light', name);
    if (name === 'newcomer') await page.goto(`${url}/my.html`);
    await page.getByRole('heading', { name: 'Needs you now' }).waitFor();
    await page.locator(`a[href*="${disputed}"]`).first().waitFor();
    await shoot(page, file, 900);
  }

  const wanted = await begin();
  const loser = await open(from, `/market.html?task=${wanted}`, 'light', 'coder');
  await loser.getByRole('button', { name: 'Claim this task' }).click();
  await loser.locator('dialog .signbar button:enabled').waitFor();
  await steps.claim(cast, parseTaskId(wanted).number);
  await loser.getByText('Somebody else has claimed this task.').first().waitFor();
  await shoot(loser, 'lost-race.png');
}

async function signInFirst(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in at this gateway' });
  await button.or(page.getByText(', uploaded')).first().waitFor();
  if (await button.isVisible()) await button.click();
}

/** An offer, the counter-offer of the other side, and the private task that it becomes, with an encrypted file. */
async function takeOffer(from: Browser): Promise<void> {
  const to = accountOf('visitor').address;
  const poster = await open(from, `/messages.html?to=${to}&propose=1`, 'light', 'newcomer');
  await poster
    .getByRole('button', { name: 'Sign in at this gateway' })
    .or(poster.getByLabel('Title'))
    .click();
  await poster.getByLabel('Title').fill('Translate a letter');
  await poster.getByLabel('Acceptance criteria').fill('Every sentence is there.');
  await poster.getByLabel('Amount, TOK').fill('1500');
  await poster.getByRole('button', { name: 'Send the offer' }).click();
  await poster.getByText('Waiting for an answer to your offer.').waitFor();
  const worker = await open(from, '/messages.html', 'light', 'visitor');
  await worker.getByRole('button', { name: 'Sign in at this gateway' }).click();
  await worker.getByRole('link', { name: 'Translate a letter' }).click();
  await worker.getByRole('button', { name: 'Offer other terms' }).click();
  await worker.getByLabel('Amount, TOK').fill('1800');
  await shootLooks(worker, 'counter-form.png');
  await worker.getByRole('button', { name: 'Send the counter-offer' }).click();
  await poster.getByText('They made a counter-offer').waitFor();
  await shoot(poster, 'offer.png', 1_200);

  await signTerms(poster, 'Accept the offer');
  await signTerms(worker, 'Sign the terms');
  await act(poster, 'Create the task');
  await poster
    .getByRole('link', { name: /^task \d+, standard market/ })
    .first()
    .click();
  await act(poster, 'Start the work');
  const task = new URL(poster.url());
  await worker.goto(url + task.pathname + task.search);
  await act(worker, 'Deliver', async (page) => {
    await page.getByLabel('Note to the poster').fill('The letter, in English.');
    const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello Ada,\n') };
    await page.getByRole('dialog').getByLabel('Files').setInputFiles(letter);
    await page.getByText(', uploaded').waitFor();
    await shootLooks(page, 'private-delivery.png');
  });
  await poster.getByRole('button', { name: 'Open letter.txt' }).click();
  await poster.getByText('Hello Ada,').waitFor();
  await shootAt(poster, poster.getByRole('heading', { name: 'Delivery', exact: true }), 'sealed.png');
}

async function signTerms(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign with your wallet' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function open(from: Browser, path: string, theme: 'light' | 'dark', name?: AccountName): Promise<Page> {
  const page = await from.newPage({ colorScheme: theme, viewport: { width: 1_080, height: 700 } });
  if (name !== undefined)
    await injectWallet(page, createTestWallet('Test wallet', accountOf(name).privateKey, rpcUrl));
  await page.goto(url + path);
  await page.getByText('Live, block').waitFor();
  if (name !== undefined) await connect(page);
  return page;
}

/** What begins at an element, for pages that are longer than a picture. */
async function shootAt(page: Page, place: Locator, file: string): Promise<void> {
  await page.setViewportSize({ width: 1_080, height: 1_300 });
  await page.mouse.move(0, 0);
  // What loads above it moves it.
  await page.waitForTimeout(1_000);
  await place.evaluate('(element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 96)');
  await page.screenshot({ path: join(folder, file) });
  await shootLooks(page, file);
}

async function shoot(page: Page, file: string, height = 700): Promise<void> {
  await page.setViewportSize({ width: 1_080, height });
  // Where the pointer rests and how far a form was scrolled belong to the moment.
  await page.mouse.move(0, 0);
  await page.evaluate('scrollTo(0, 0)');
  await until(async () => (await page.getByText(stillLoading).count()) === 0);
  await page.screenshot({ path: join(folder, file) });
  await shootLooks(page, file);
}

/** The same on a large screen and on a phone, light and dark, to judge how it looks. */
async function shootLooks(page: Page, file: string): Promise<void> {
  if (looks === undefined) return;
  const before = page.viewportSize() ?? { width: 1_080, height: 700 };
  const fullPage = (await page.locator('dialog[open]').count()) === 0;
  for (const [width, height] of [
    [1_280, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      const name = file.replace('.png', `-${width}-${colorScheme}.png`);
      await page.screenshot({ path: join(looks, name), fullPage });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}
