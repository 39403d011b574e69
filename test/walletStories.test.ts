// Tests long stories of several wallets on the pages, in Chromium against a running market of their own. The negotiation comes
// before the two wallets share a task.
import './pages/freshScene.ts';
import './pages/visitor.ts';
import './pages/negotiation.ts';
import './pages/replacedOffers.ts';
import './pages/work.ts';
