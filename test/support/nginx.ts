// The delivered nginx.conf in a real nginx: its text, with the addresses, ports and certificate of a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { findFreePort } from './freePort.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '../..');
const certificate = join(root, 'test/fixtures/localhost.pem');

/** Where an nginx is on this machine, if anywhere. */
const nginxPath = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find((place) =>
  existsSync(place),
);

// Skipped tests look like good ones: where a proxy is promised, as in continuous integration, its absence is a failure.
if (nginxPath === undefined && process.env.SVC_REQUIRE_PROXY !== undefined)
  throw new Error('no nginx was found: install it');

/** For the option `skip` of a test. */
export const noNginx: false | string = nginxPath === undefined && 'NOT RUN: nginx is not installed';

type Ask = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Where it connects to. */
  readonly host?: string;
};
export type ProxyReply = { readonly status: number; readonly body: string };
export type Proxy = Awaited<ReturnType<typeof startNginx>>;

/** Each address is `host:port`. `adapt` changes the text of the file, for limits that a test can reach. */
export async function startNginx(
  context: TestContext,
  folder: string,
  given: {
    readonly sites: readonly string[];
    readonly gateways: readonly string[];
    readonly adapt?: (conf: string) => string;
  },
) {
  const [plainPort, port] = [await findFreePort(), await findFreePort()];
  const conf = placeServers(readFileSync(join(root, 'hosting/proxy/nginx.conf'), 'utf8'), given)
    .replaceAll(/(listen (?:\[::\]:)?)80\b/g, `$1${plainPort}`)
    .replaceAll(/(listen (?:\[::\]:)?)443\b/g, `$1${port}`)
    .replaceAll(/\/etc\/ssl\/\S+\.(?:pem|key)/g, certificate);
  mkdirSync(join(folder, 'kept'), { recursive: true });
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(folder, 'kept', name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  // The user of the workers is root's affair: another user cannot read the folder of a test.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  writeFileSync(
    file,
    `${user}worker_processes 2;\npid ${join(folder, 'pid')};\nevents {}\nhttp {\n  access_log off;\n${kept}\n${(given.adapt ?? String)(conf)}\n}\n`,
  );
  const child = spawn(nginxPath as string, ['-e', 'stderr', '-g', 'daemon off;', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit').then(() => true as const);
  context.after(async () => {
    child.kill();
    await ended;
  });

  async function ask(path: string, options: Ask = {}): Promise<ProxyReply> {
    const { headers, host = '127.0.0.1', method = 'GET', body = '' } = options;
    const sent = request({
      host,
      port,
      path,
      method,
      headers: { host: 'market.example', 'content-length': String(body.length), ...headers },
      rejectUnauthorized: false,
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode as number, body: (await buffer(answer)).toString() };
  }
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  await until(() => {
    if (isEnded) throw new Error(`nginx has ended: ${said}`);
    return ask('/metrics').then(
      () => true,
      () => false,
    );
  });
  return { ask, said: () => said };
}

function placeServers(
  conf: string,
  given: { readonly sites: readonly string[]; readonly gateways: readonly string[] },
): string {
  const places = [...given.sites, ...given.gateways];
  return conf.replaceAll(/server 127\.0\.0\.1:\d+/g, () => {
    const place = places.shift();
    if (place === undefined) throw new Error('The file names more servers than the test has.');
    return `server ${place}`;
  });
}
