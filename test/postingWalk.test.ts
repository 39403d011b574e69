// Runs the posting walk of the README, as it is printed there, on a fresh `svc start`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type RunningChain, startChain } from './support/devnet.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, walk = ''] = /^## Posting quota\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(readme) ?? [];

let chain: RunningChain;
before(async () => {
  chain = await startChain();
});
after(() => chain.stop());

/** Each command's output, in order; `npm run` is spared, since all it does is to find Node. */
async function runWalk(): Promise<string[]> {
  const { siteUrl, rpcUrl } = chain.report as typeof chain.report & { readonly siteUrl: string };
  const script = `"${process.execPath}" scripts/posting.ts --site ${siteUrl} --rpc ${rpcUrl}`;
  const lines = walk
    .replaceAll('npm run --silent posting --', script)
    .replaceAll('http://localhost:8080', siteUrl)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) =>
      line.startsWith('curl ') ? `${line.replace(/^curl /, 'curl -sS ')}; echo; echo ----` : line,
    );
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', lines.join('\n')], { cwd: root });
  return stdout.split('\n----\n').filter((text) => text.trim() !== '');
}

const bodyOf = (output: string | undefined) => JSON.parse(output?.slice(output.indexOf('{"')) ?? '');

test('the walk of the README does what it says, command by command', { timeout: 240_000 }, async () => {
  const outputs = await runWalk();
  const [fresh, preview, quote, full, micro, nextDay, pending, inUsdc, inTok, thief] = outputs;
  assert.equal(outputs.length, 10);
  assert.deepEqual([bodyOf(fresh).used, bodyOf(fresh).limit], [0, 3]);
  assert.equal(bodyOf(preview).tokAmount, 3_600);
  assert.deepEqual([bodyOf(quote).calls.length, bodyOf(quote).amountWei], [2, '20000000']);
  assert.match(full ?? '', /^[\s\S]*HTTP\/1\.1 429 /);
  assert.match(full ?? '', /\r\nretry-after: \d+\r\n/i);
  assert.equal(bodyOf(full).error, 'Daily posting limit reached');
  assert.deepEqual([bodyOf(full).quota.used, bodyOf(full).quota.canPost], [3, false]);
  assert.deepEqual([bodyOf(micro).used, bodyOf(micro).limit], [0, 3]);
  assert.deepEqual([bodyOf(nextDay).used, bodyOf(nextDay).limit], [0, 3]);
  assert.deepEqual([bodyOf(pending).status, bodyOf(pending).pending], ['pending', 1]);
  assert.deepEqual([bodyOf(inUsdc).tier, bodyOf(inUsdc).limit, bodyOf(inUsdc).upgraded], ['basic', 25, true]);
  assert.equal(bodyOf(inTok).upgraded, true);
  assert.equal(bodyOf(inTok).tierExpiresAt - bodyOf(inUsdc).tierExpiresAt, 30 * 86_400);
  assert.match(thief ?? '', /^[\s\S]*HTTP\/1\.1 409 /);
});
