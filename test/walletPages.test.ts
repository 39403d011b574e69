// Tests what people do on the pages with a wallet, in Chromium against a running market: each action is explained,
// signed, sent, and seen by the others.
import { describe } from 'node:test';
import { testActions } from './pages/actions.ts';
import { testApprovals } from './pages/approvals.ts';
import { testBatches } from './pages/batches.ts';
import { testLostRace } from './pages/lostRace.ts';
import { testNegotiation } from './pages/negotiation.ts';
import { testPosting } from './pages/posting.ts';
import { testPostToPayment } from './pages/postToPayment.ts';
import { options, setScene } from './pages/scene.ts';
import { testVisitors } from './pages/visitor.ts';
import { testWork } from './pages/work.ts';

const sceneOf = setScene();

describe('from post to payment', options, () => testPostToPayment(sceneOf));
describe('wallets that batch', options, () => testBatches(sceneOf));
describe('a lost race', options, () => testLostRace(sceneOf));
describe('the posting form', options, () => testPosting(sceneOf));
describe('visitors', options, () => testVisitors(sceneOf));
describe('the work', options, () => testWork(sceneOf));
describe('wallet requests', options, () => testApprovals(sceneOf));
// Last, because they move the chain's clock.
describe('every other action', options, () => testActions(sceneOf));
describe('negotiation', options, () => testNegotiation(sceneOf));
