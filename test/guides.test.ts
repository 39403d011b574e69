// Runs the guides as they are printed, one after the other on one fresh market, and looks at what came of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadPages, readBlocks, root } from './docs/markdown.ts';
import { testNegotiating } from './guides/negotiating.ts';
import { testPosting } from './guides/posting.ts';
import { testQuickStart } from './guides/quickStart.ts';
import { testRunning } from './guides/running.ts';
import { testSdk } from './guides/sdk.ts';
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

// In this order: a first deposit is made once, and the posting walk ends on another day.
testQuickStart(sceneOf);
testPosting(sceneOf);
testNegotiating(sceneOf);
testSdk(sceneOf);
testRunning(sceneOf);

test('every TypeScript block of a guide fits the types of what it calls', (context) => {
  const folder = mkdtempSync(join(root, 'node_modules/.guides-'));
  context.after(() => rmSync(folder, { recursive: true }));
  // What the text around a block says that the reader has.
  const given = `
    declare const account: import('viem').LocalAccount, content: Uint8Array<ArrayBuffer>;
    declare const texts: string[], head: import('viem').Hex;`;
  const blocks = loadPages('docs/*.md').flatMap(readBlocks);
  const typed = blocks.filter(({ language }) => language === 'ts');
  assert.ok(typed.length > 5);
  for (const [at, { text }] of typed.entries()) writeFileSync(join(folder, `${at}.ts`), text + given);
  const options = { incremental: false, rootDir: '../..' };
  const config = { extends: '../../tsconfig.json', compilerOptions: options, include: ['*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  assert.equal(stdout, '');
});
