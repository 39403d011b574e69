// What the tests of the pages share: a running market with the built pages, Chromium, and people with wallets in it.
import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import type { Market } from '#sdk/domain/market.ts';
import { parseTaskId, type TaskId } from '#sdk/domain/taskId.ts';
import { builtPagesFolder } from '#service/app/packageFiles.ts';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { buildEntries } from '#service/devnet/seed/accountSteps.ts';
import { createPages } from '#service/http/pages.ts';
import { createSecret } from '#service/secrets.ts';
import { browserPath, launchBrowser, openView, type View } from '../support/browser.ts';
import { type Cast, createCast, enter } from '../support/cast.ts';
import { type FakeChatGateway, startChatGateway } from '../support/chatGateway.ts';
import { ask } from '../support/devnet.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { postTask } from '../support/posting.ts';
import { send } from '../support/replay/randomRun.ts';
import { createTestWallet, type TestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import { steps } from './taskSteps.ts';
import { connect } from './walletSteps.ts';

export let gateway: TestGateway;
export let browser: Browser;
/** The language model behind the market. */
export let model: FakeChatGateway;

const emptyBlockMs = 10_000;

/** For every suite that needs the scene. */
export const options = browserPath === undefined ? { skip: 'Chromium is not installed' } : {};

/** Set before the tests of a file and closed after them: with a history, or just with people who can trade. */
export function setScene(isSeeded: boolean): void {
  before(async () => {
    if (browserPath === undefined) return;
    if (readWebState() !== 'fresh') await buildWeb(new AbortController().signal);
    // Visitors get test money here, as on every embedded chain.
    const pages = createPages(() => ({ embeddedRpcUrl: gateway?.devnet.rpcUrl }));
    pages.load(builtPagesFolder);
    model = await startChatGateway();
    const chat = { baseUrl: model.baseUrl, apiKey: createSecret('sk-test'), model: 'any' };
    // As `svc start` has them: mails are shown at /dev/mail.
    const notices = {
      contactKey: `0x${'5a'.repeat(32)}`,
      mail: 'catch',
      contact: undefined,
      isPrivateAllowed: true,
    } as const;
    gateway = await startGateway({ isSeeded, pages, chat, notices });
    const { client, deployment } = await createCast(gateway.devnet.rpcUrl, 'standard');
    // An empty block makes every open page ask again; what a test waits for has a block of its own.
    await ask(client, 'evm_setIntervalMining', emptyBlockMs);
    if (!isSeeded) for (const transaction of buildEntries(deployment)) await send(client, transaction);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    model?.close();
  });
}

/** Posts a task that the site has read: a page asks at once, and would complain of an unknown one. */
export async function postShown(...posting: Parameters<typeof postTask>): ReturnType<typeof postTask> {
  const id = await postTask(...posting);
  await until(async () => (await gateway.get(`/api/market/task?id=${id}`)).status === 200);
  return id;
}

/** Poster, worker and arbitrator with all that they need in this market. */
export async function enterCast(market: Market): Promise<Cast> {
  const cast = await createCast(gateway.devnet.rpcUrl, market);
  await enter(cast);
  return cast;
}

const criteria = 'Ten names.';
const birds = {
  title: 'Name ten birds',
  description: 'The photograph is from our roof.',
  criteria,
  tags: [],
};

/** A task that these steps have brought to a state. */
export async function prepareTask(cast: Cast, ...names: readonly (keyof typeof steps)[]): Promise<TaskId> {
  const id = await postShown(cast, { ...buildTaskDocument(birds), criteria, dueIn: 10 * 86_400 });
  for (const name of names) await steps[name](cast, parseTaskId(id).number);
  return id;
}

export const walletOf = (name: AccountName): TestWallet =>
  createTestWallet('Test wallet', accountOf(name).privateKey, gateway.devnet.rpcUrl);

/** A page to which a wallet is connected. What the browser complains of fails the test, unless the test expects it. */
export async function openAs(
  context: TestContext,
  who: AccountName | TestWallet,
  path: string,
  isWrong: (complaint: string) => boolean = () => true,
): Promise<View & { readonly wallet: TestWallet }> {
  const wallet = typeof who === 'string' ? walletOf(who) : who;
  const view = await openView(context, browser, gateway.url() + path, { wallet });
  context.after(() => assert.deepEqual(view.complaints.filter(isWrong), []));
  await connect(view.page);
  return { ...view, wallet };
}

/** Moves the chain's clock, and waits until the service reports the new time. */
export async function advance(seconds: number): Promise<void> {
  const timeOf = async () => (await gateway.get('/api/union/overview')).body.updatedAt;
  const target = (await timeOf()) + seconds;
  await gateway.devnet.clock.advance(seconds);
  await until(async () => (await timeOf()) >= target);
}
