// Tests what the pages show, in Chromium against a running market. What a wallet does on them: walletPages.test.ts.
import { describe } from 'node:test';
import { testAppearance } from './pages/appearance.ts';
import { testBoard } from './pages/board.ts';
import { testFiles } from './pages/files.ts';
import { testGuides } from './pages/guides.ts';
import { testIncompleteData } from './pages/incompleteData.ts';
import { testJudgeAmongMany } from './pages/judgeAmongMany.ts';
import { options, setScene } from './pages/scene.ts';
import { testUntrustedTexts } from './pages/untrustedTexts.ts';
import { testWalletConnect } from './pages/walletConnect.ts';
import { testFinished } from './pages/work.ts';

const sceneOf = setScene(true);

describe('the files', options, () => testFiles(sceneOf));
describe('appearance and loading', options, () => testAppearance(sceneOf));
describe('the guides', options, () => testGuides(sceneOf));
describe('the board', options, () => testBoard(sceneOf));
describe('incomplete data', options, () => testIncompleteData(sceneOf));
describe('untrusted texts', options, () => testUntrustedTexts(sceneOf));
describe('finished tasks', options, () => testFinished(sceneOf));
describe('WalletConnect', options, () => testWalletConnect(sceneOf));
// Last, because it adds rows without a chain behind them, and forks the chain.
describe('a judge among many', options, () => testJudgeAmongMany(sceneOf));
