// Tests what people do on the pages with a wallet, in Chromium against a running market: each action is explained,
// signed, sent, and seen by the others.
import { describe } from 'node:test';
import { testActions } from './pages/actions.ts';
import { testApprovals } from './pages/approvals.ts';
import { testBatches } from './pages/batches.ts';
import { testHarmfulRequests } from './pages/harmfulRequests.ts';
import { testInterruptions } from './pages/interruptions.ts';
import { testLostRace } from './pages/lostRace.ts';
import { testMatching } from './pages/matching.ts';
import { testNotifications } from './pages/notifications.ts';
import { testPosting } from './pages/posting.ts';
import { options, setScene } from './pages/scene.ts';

const sceneOf = setScene(false);

// First, while the poster has neither allowances nor collateral.
describe('interruptions', options, () => testInterruptions(sceneOf));
describe('wallets that batch', options, () => testBatches(sceneOf));
describe('a lost race', options, () => testLostRace(sceneOf));
describe('notifications', options, () => testNotifications(sceneOf));
describe('the posting form', options, () => testPosting(sceneOf));
describe('listings and proposals', options, () => testMatching(sceneOf));
describe('wallet requests', options, () => testApprovals(sceneOf));
describe('harmful requests', options, () => testHarmfulRequests(sceneOf));
// Last, because they move the chain's clock.
describe('every other action', options, () => testActions(sceneOf));
