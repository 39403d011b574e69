// Runs what a guide prints, word for word; only the addresses of the servers are those of the test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { loadPages, type Page, readBlocks, readSection, root } from '../docs/markdown.ts';
import { compileCache, svcScript } from './svc.ts';

export function readGuide(path: string): Page {
  return loadPages(path)[0] as Page;
}

/** The shell blocks of a guide, or of one of its sections. */
export function readCommands(guide: Page, section?: string): string[] {
  const part = section === undefined ? guide : { ...guide, text: `${readSection(guide, section)}\n` };
  return readBlocks(part)
    .filter(({ language }) => language === 'sh')
    .map((block) => block.text);
}

/** The `curl` lines of a section, one by one. */
export function readCurls(guide: Page, section: string): string[] {
  return readCommands(guide, section)
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('curl '));
}

export type Servers = { readonly siteUrl: string; readonly gatewayUrl: string; readonly rpcUrl: string };

/** A clone as far as a guide sees it: `bin`, `scripts` and all else are there, and what is written goes elsewhere. */
export function createClone(folder: string): string {
  const clone = join(folder, 'svc');
  mkdirSync(clone);
  for (const name of ['contracts', 'sdk', 'service', 'scripts', 'package.json', 'node_modules'])
    symlinkSync(join(root, name), join(clone, name));
  return clone;
}

/** Answers what the commands print; a command that fails ends the run, and the test. */
export async function runCommands(
  context: TestContext,
  commands: readonly string[],
  { cwd, servers }: { readonly cwd: string; readonly servers: Servers },
): Promise<string> {
  const lines = commands
    .join('\n')
    .replaceAll('http://localhost:8080', servers.siteUrl)
    .replaceAll('http://localhost:4020', servers.gatewayUrl)
    .replaceAll('http://localhost:8545', servers.rpcUrl)
    .replaceAll('npx --no svc', `node ${svcScript}`)
    .replaceAll(/^curl /gm, 'curl -sS ');
  const env = {
    // The guide's `node` is whatever comes first on the path; here that is the Node of the tests.
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: compileCache,
    SVC_SITE_URL: servers.siteUrl,
    SVC_RPC_URL: servers.rpcUrl,
  };
  // With a socket for its input, bash would read the settings of an interactive shell.
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => shell.kill('SIGKILL'));
  const [out, err, [exitCode]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'exit'),
  ]);
  assert.equal(exitCode, 0, `${out}\n${err}`);
  return out;
}
