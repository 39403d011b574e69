// Wallets behind svc prepare: the gateway's requests, a key, a wallet tool server, and nobody.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { startWalletMarket, type WalletMarket } from './support/walletMarket.ts';
import { testConnecting } from './wallets/connecting.ts';
import { testKeyWallet } from './wallets/key.ts';
import { testLocalWallet } from './wallets/local.ts';
import { testPolicy } from './wallets/policy.ts';
import { testRenewal } from './wallets/renewal.ts';
import { testRestarts } from './wallets/restarts.ts';
import { testToolWallet } from './wallets/toolServer.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-wallets-'));
let market: WalletMarket;
before(async () => {
  market = await startWalletMarket(folder);
});
after(async () => {
  await market.close();
  rmSync(folder, { recursive: true, force: true });
});
const get = () => market;

describe('finding the market', () => testConnecting(get));
describe('requests at the gateway', () => testLocalWallet(get));
describe('a key', () => testKeyWallet(get));
describe('a process that ends too early', () => testRestarts(get));
describe('a wallet tool server', () => testToolWallet(get));
describe('a spending policy', () => testPolicy(get));
describe('a hosted wallet tool server', () => testRenewal());
