// Tests long stories of several wallets on the pages, in Chromium against a running market of their own.
import { describe } from 'node:test';
import { testPostToPayment } from './pages/postToPayment.ts';
import { options, setScene } from './pages/scene.ts';
import { testVisitors } from './pages/visitor.ts';
import { testWork } from './pages/work.ts';

const sceneOf = setScene();

describe('from post to payment', options, () => testPostToPayment(sceneOf));
describe('visitors', options, () => testVisitors(sceneOf));
describe('the work', options, () => testWork(sceneOf));
