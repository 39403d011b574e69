// Tests the negotiation of two wallets on the pages, in a market in which they share no task yet. It moves the chain's clock.
import { describe } from 'node:test';
import { testNegotiation } from './pages/negotiation.ts';
import { options, setScene } from './pages/scene.ts';

const sceneOf = setScene();

describe('negotiation', options, () => testNegotiation(sceneOf));
