// The market of these tests, which share it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { startWalletMarket, type WalletMarket } from '../support/walletMarket.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-wallets-'));
export let market: WalletMarket;
before(async () => {
  market = await startWalletMarket(folder);
});
after(async () => {
  await market.close();
  rmSync(folder, { recursive: true, force: true });
});
