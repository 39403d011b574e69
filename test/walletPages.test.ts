// Tests what people do on the pages with a wallet, in Chromium against a running market: each action is explained,
// signed, sent, and seen by the others. Interruptions come first, while the poster has neither allowances nor collateral; the
// other actions last, because they move the chain's clock.
import './pages/freshScene.ts';
import './pages/interruptions.ts';
import './pages/batches.ts';
import './pages/lostRace.ts';
import './pages/notifications.ts';
import './pages/connections.ts';
import './pages/posting.ts';
import './pages/matching.ts';
import './pages/myWork.ts';
import './pages/approvals.ts';
import './pages/harmfulRequests.ts';
import './pages/actions.ts';
