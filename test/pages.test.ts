// Proves the pages in a real Chromium, on a living market: what they show, what they do, and what they refuse to run.
import { after, before, describe } from 'node:test';
import type { Browser } from 'playwright-core';
import { builtPagesFolder } from '#service/app/packageFiles.ts';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { createPages } from '#service/http/pages.ts';
import { browserPath } from '../scripts/browserPath.ts';
import { testActions } from './pages/actions.ts';
import { testApprovals } from './pages/approvals.ts';
import { testBoard } from './pages/board.ts';
import { testFiles } from './pages/files.ts';
import { testForeignTexts } from './pages/foreignTexts.ts';
import { testGuides } from './pages/guides.ts';
import { testLooks } from './pages/looks.ts';
import { testPath } from './pages/path.ts';
import { testUnread } from './pages/unread.ts';
import { testWalletConnect } from './pages/walletConnect.ts';
import { launchBrowser } from './support/browser.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

export type Scene = { readonly gateway: TestGateway; readonly browser: Browser };

let gateway: TestGateway;
let browser: Browser;
const options = browserPath === undefined ? { skip: 'there is no Chromium on this machine' } : {};

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
describe('how pages look and load', options, () => testLooks(sceneOf));
describe('the guides', options, () => testGuides(sceneOf));
describe('the board', options, () => testBoard(sceneOf));
describe('what is not read yet', options, () => testUnread(sceneOf));
describe('a person’s path', options, () => testPath(sceneOf));
describe('wallet requests', options, () => testApprovals(sceneOf));
describe('texts of strangers', options, () => testForeignTexts(sceneOf));
describe('WalletConnect', options, () => testWalletConnect(sceneOf));
// Last: it moves the chain's clock.
describe('every other action', options, () => testActions(sceneOf));
