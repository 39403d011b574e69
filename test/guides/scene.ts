// One fresh market for all guides, and a clone in which their commands run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type RunningChain, startChain } from '../support/devnet.ts';
import { createClone, type Servers } from '../support/guide.ts';
import { findQuietOffset } from '../support/quietDay.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-guides-'));
export let scene: { readonly chain: RunningChain; readonly cwd: string; readonly servers: Servers };
before(async () => {
  const chain = await startChain('--clock-offset', String(findQuietOffset()));
  scene = { chain, cwd: createClone(folder), servers: chain.report };
});
after(async () => {
  await scene.chain.stop();
  rmSync(folder, { recursive: true, force: true });
});
