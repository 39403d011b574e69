// Runs the guides as they are printed, one after the other on one fresh market, and looks at what came of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { testNegotiating } from './guides/negotiating.ts';
import { testPosting } from './guides/posting.ts';
import { testQuickStart } from './guides/quickStart.ts';
import { testRunning } from './guides/running.ts';
import { testSdk } from './guides/sdk.ts';
import { testSeeded } from './guides/seeded.ts';
import { testClients } from './mcp/clients.ts';
import { type RunningChain, startChain } from './support/devnet.ts';
import { createClone, type Servers } from './support/guide.ts';
import { findQuietOffset } from './support/quietDay.ts';

export type GuideScene = { readonly chain: RunningChain; readonly cwd: string; readonly servers: Servers };

let chain: RunningChain;
const folder = mkdtempSync(join(tmpdir(), 'svc-guides-'));
const cwd = createClone(folder);
before(async () => {
  chain = await startChain('--clock-offset', String(findQuietOffset()));
});
after(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
});

const sceneOf = (): GuideScene => ({
  chain,
  cwd,
  servers: chain.report as typeof chain.report & { readonly siteUrl: string; readonly gatewayUrl: string },
});

// In this order: the market as it begins, the tools refuse a wallet without a deposit, a first deposit is made once, and the
// posting walk ends on another day.
describe('the seeded market', () => testSeeded(sceneOf));
describe('stock clients of tools', () => testClients(() => sceneOf().servers.gatewayUrl));
testQuickStart(sceneOf);
testPosting(sceneOf);
testNegotiating(sceneOf);
testSdk(sceneOf);
testRunning(sceneOf);
