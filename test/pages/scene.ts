// What the tests of the pages share: a running market with the built pages, and Chromium.
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { builtPagesFolder } from '#service/app/packageFiles.ts';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { createPages } from '#service/http/pages.ts';
import { createSecret } from '#service/secrets.ts';
import { browserPath } from '../../scripts/browserPath.ts';
import { launchBrowser } from '../support/browser.ts';
import { type FakeChatGateway, startChatGateway } from '../support/chatGateway.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { postTask } from '../support/posting.ts';
import { until } from '../support/until.ts';

export type Scene = {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  /** The language model behind the market. */
  readonly model: FakeChatGateway;
};

/** For every suite that needs the scene. */
export const options = browserPath === undefined ? { skip: 'Chromium is not installed' } : {};

/** Set before the tests of a file and closed after them. */
export function setScene(): () => Scene {
  let gateway: TestGateway;
  let browser: Browser;
  let model: FakeChatGateway;
  before(async () => {
    if (browserPath === undefined) return;
    if (readWebState() !== 'fresh') await buildWeb(new AbortController().signal);
    // Visitors get test money here, as on every embedded chain.
    const pages = createPages(
      () => null,
      () => gateway?.devnet.rpcUrl ?? null,
    );
    pages.load(builtPagesFolder);
    model = await startChatGateway();
    const chat = { baseUrl: model.baseUrl, apiKey: createSecret('sk-test'), model: 'any' };
    // As `svc start` has them: mails are shown at /dev/mail.
    const notices = { contactKey: `0x${'5a'.repeat(32)}`, mail: 'catch', contact: undefined } as const;
    gateway = await startGateway({ isSeeded: true, pages, chat, notices });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    model?.close();
  });
  return () => ({ gateway, browser, model });
}

/** Posts a task that the site has read: a page asks at once, and would complain of an unknown one. */
export async function postShown(
  { gateway }: Pick<Scene, 'gateway'>,
  ...posting: Parameters<typeof postTask>
): ReturnType<typeof postTask> {
  const id = await postTask(...posting);
  await until(async () => (await gateway.get(`/api/market/task?id=${id}`)).status === 200);
  return id;
}
