// Tests what the pages show, in Chromium against a running market. What a wallet does on them: walletPages.test.ts.
// The judge comes last, because it adds rows without a chain behind them, and forks the chain.
import './pages/seededScene.ts';
import './pages/files.ts';
import './pages/appearance.ts';
import './pages/guides.ts';
import './pages/words.ts';
import './pages/board.ts';
import './pages/listRequests.ts';
import './pages/incompleteData.ts';
import './pages/untrustedTexts.ts';
import './pages/finishedWork.ts';
import './pages/walletConnect.ts';
import './pages/toolClient.ts';
import './pages/judgeAmongMany.ts';
