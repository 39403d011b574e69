// A gateway on a real chain, beside a site: both in this process, rows in SQLite, everything on free ports.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivateKeyAccount } from 'viem/accounts';
import { openSession } from '#sdk/client/session.ts';
import { createGateway, type Gateway, type GatewayOptions } from '#service/app/createGateway.ts';
import { createSite, type Site } from '#service/app/createSite.ts';
import type { ChatOptions } from '#service/chat/chatService.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import type { AppLog } from '#service/http/requestLog.ts';
import { type Answer, readAnswer } from './asking.ts';
import type { ContractWallet } from './contractWallet.ts';
import { buildSiteOptions } from './site.ts';
import { until } from './until.ts';

export type TestGateway = {
  readonly devnet: Devnet;
  readonly site: () => Site;
  readonly dataDir: string;
  /** Of the server that runs now; another one after a restart. */
  readonly url: () => string;
  readonly get: (path: string, headers?: Headers) => Promise<Answer>;
  readonly post: (path: string, body: unknown, headers?: Headers) => Promise<Answer>;
  readonly send: (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Answer>;
  /** The token of a new session. */
  readonly signIn: (
    wallet: Pick<ContractWallet, 'address' | 'signTypedData'> | PrivateKeyAccount,
  ) => Promise<string>;
  /** Ends both servers as a signal would, and starts them on the same rows. */
  readonly restart: (options?: Partial<GatewayOptions>) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Headers = Readonly<Record<string, string>>;

export async function startGateway({
  isSeeded = false,
  beside,
  chat,
  log = silentLog,
  ...given
}: {
  readonly isSeeded?: boolean;
  /** Its chain is used, and its rows are not. */
  readonly beside?: TestGateway;
  readonly chat?: ChatOptions;
  readonly log?: AppLog;
} & Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-gateway-'));
  const devnet = beside?.devnet ?? (await createDevnet({ port: 0, isSeeded, clockOffsetSeconds: 0 }));
  let site: Site;
  let gateway: Gateway;

  async function start(options: Partial<GatewayOptions> = {}): Promise<void> {
    site = await createSite({
      ...buildSiteOptions({ devnet, dataDir }),
      log,
      chat,
      ...(given.limits !== undefined && { limits: given.limits }),
      ...(options.trustedProxies !== undefined && { trustedProxies: options.trustedProxies }),
    });
    gateway = await createGateway({
      market: site.market,
      site: site.app,
      rpcUrls: [devnet.rpcUrl],
      gatewayKey: keys.gateway,
      facilitator: { kind: 'local', key: accountOf('treasury').privateKey },
      payTo: undefined,
      claimPriceUsdc: '0.01',
      isPaidDiscovery: false,
      confirmations: 1,
      publicUrl: undefined,
      filesMaxBytes: 20e9,
      host: '127.0.0.1',
      port: 0,
      portsTried: 1,
      ...given,
      ...options,
    });
    devnet.allowPages([gateway.url]);
    await until(site.isReady);
    // What was posted before has its texts only then.
    if (isSeeded) await until(async () => (await ask('/health', {})).body.ready === true);
  }
  async function stop(): Promise<void> {
    await gateway.close();
    await site.close();
  }
  const ask = async (path: string, init: RequestInit) => readAnswer(await fetch(gateway.url + path, init));
  const send: TestGateway['send'] = (method, path, body, headers = {}) => {
    const type = body !== undefined && { 'Content-Type': 'application/json' };
    return ask(path, { method, headers: { ...type, ...headers }, body: JSON.stringify(body) ?? null });
  };

  await start();
  return {
    devnet,
    dataDir,
    site: () => site,
    url: () => gateway.url,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, body, headers) => send('POST', path, body, headers),
    send,
    signIn: async (account) =>
      (await openSession({ baseUrl: gateway.url }, account as PrivateKeyAccount, { chainId: 8453 })).token,
    restart: async (options) => {
      await stop();
      await start(options);
    },
    close: async () => {
      await stop();
      if (beside === undefined) await devnet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs receipts; the same after a restart. */
const keys = { gateway: `0x${'07'.repeat(32)}` } as const;

export const silentLog: AppLog = {
  level: 'error',
  debug: () => undefined,
  info: () => undefined,
  error: () => undefined,
};
