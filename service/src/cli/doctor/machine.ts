// The machine: Node, the data folder, the ports.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Config } from '#config.ts';
import { explain, type Finding, fail, ok, warn } from './finding.ts';

const minNodeMajor = 24;
/** Rows of a million tasks take less than two. */
const minFreeGigabytes = 1;

export async function checkNode(): Promise<readonly Finding[]> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= minNodeMajor) return [ok('node', process.version)];
  return [
    fail('node', process.version, 'Install Node 24 or newer, or run npm ci again, which brings it along.'),
  ];
}

export async function checkDataDir({ dataDir }: Config): Promise<readonly Finding[]> {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const mend = 'Let the user who runs svc write there, or choose another folder with SVC_DATA_DIR.';
    return [fail('data folder', `${dataDir} cannot be written (${explain(error)})`, mend)];
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / 1e9;
  const found = `${dataDir} can be written, ${free.toFixed(1)} GB free`;
  if (free < minFreeGigabytes)
    return [warn('data folder', found, 'Make room: a full disk stops the follower until there is some.')];
  if (folder === resolve(dataDir) && isOpenToOthers(folder))
    return [warn('data folder', `${dataDir} is open to other users`, `Close it: chmod 700 ${dataDir}`)];
  return [ok('data folder', found)];
}

/** Windows has no such bits. */
function isOpenToOthers(folder: string): boolean {
  return process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0;
}

export async function checkPorts(config: Config): Promise<readonly Finding[]> {
  const ports: readonly (readonly [name: string, variable: string, port: number])[] = [
    ['site port', 'SVC_SITE_PORT', config.sitePort],
    ['gateway port', 'SVC_GATEWAY_PORT', config.gatewayPort],
  ];
  return Promise.all(ports.map(([name, variable, port]) => checkPort(name, variable, config.host, port)));
}

async function checkPort(subject: string, variable: string, host: string, port: number): Promise<Finding> {
  const problem = await tryToListen(host, port);
  if (problem === null) return ok(subject, `${port} is free`);
  if (problem !== 'EADDRINUSE')
    return fail(
      subject,
      `${port} cannot be used (${problem})`,
      `Choose another one with ${variable}, or SVC_HOST.`,
    );
  if (await isOurs(host, port)) return ok(subject, `${port} is served by svc`);
  return fail(
    subject,
    `${port} is taken by another program`,
    `End it, or choose another port with ${variable}.`,
  );
}

function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done(explain(error)));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

async function isOurs(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  try {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`http://${name.includes(':') ? `[${name}]` : name}:${port}/health`, {
      signal,
    });
    return typeof ((await answer.json()) as { status?: unknown }).status === 'string';
  } catch {
    return false;
  }
}
