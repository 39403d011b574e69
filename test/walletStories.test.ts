// Tests long stories of several wallets on the pages, in Chromium against a running market of their own.
import { describe } from 'node:test';
import { testNegotiation } from './pages/negotiation.ts';
import { testReplacedOffers } from './pages/replacedOffers.ts';
import { options, setScene } from './pages/scene.ts';
import { testVisitors } from './pages/visitor.ts';
import { testWork } from './pages/work.ts';

const sceneOf = setScene(false);

describe('visitors', options, () => testVisitors(sceneOf));
// Before the two wallets share a task.
describe('negotiation', options, () => testNegotiation(sceneOf));
describe('replaced offers', options, () => testReplacedOffers(sceneOf));
describe('the work', options, () => testWork(sceneOf));
