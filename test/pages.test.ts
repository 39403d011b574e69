// Tests the pages in Chromium against a running market.
import { after, before, describe } from 'node:test';
import type { Browser } from 'playwright-core';
import { builtPagesFolder } from '#service/app/packageFiles.ts';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { createPages } from '#service/http/pages.ts';
import { browserPath } from '../scripts/browserPath.ts';
import { testActions } from './pages/actions.ts';
import { testAppearance } from './pages/appearance.ts';
import { testApprovals } from './pages/approvals.ts';
import { testBoard } from './pages/board.ts';
import { testFiles } from './pages/files.ts';
import { testGuides } from './pages/guides.ts';
import { testIncompleteData } from './pages/incompleteData.ts';
import { testNegotiation } from './pages/negotiation.ts';
import { testPostToPayment } from './pages/postToPayment.ts';
import { testUntrustedTexts } from './pages/untrustedTexts.ts';
import { testWalletConnect } from './pages/walletConnect.ts';
import { testWork } from './pages/work.ts';
import { launchBrowser } from './support/browser.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

export type Scene = { readonly gateway: TestGateway; readonly browser: Browser };

let gateway: TestGateway;
let browser: Browser;
const options = browserPath === undefined ? { skip: 'Chromium is not installed' } : {};

before(async () => {
  if (browserPath === undefined) return;
  if (readWebState() !== 'fresh') await buildWeb(new AbortController().signal);
  const pages = createPages();
  pages.load(builtPagesFolder);
  gateway = await startGateway({ isSeeded: true, pages });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await gateway?.close();
});
const sceneOf = (): Scene => ({ gateway, browser });

describe('the files', options, () => testFiles(sceneOf));
describe('appearance and loading', options, () => testAppearance(sceneOf));
describe('the guides', options, () => testGuides(sceneOf));
describe('the board', options, () => testBoard(sceneOf));
describe('incomplete data', options, () => testIncompleteData(sceneOf));
describe('from post to payment', options, () => testPostToPayment(sceneOf));
describe('the work', options, () => testWork(sceneOf));
describe('negotiation', options, () => testNegotiation(sceneOf));
describe('wallet requests', options, () => testApprovals(sceneOf));
describe('untrusted texts', options, () => testUntrustedTexts(sceneOf));
describe('WalletConnect', options, () => testWalletConnect(sceneOf));
// Last, because it moves the chain's clock.
describe('every other action', options, () => testActions(sceneOf));
