// A site server on a real chain: the seeded market in this process, rows in SQLite, everything on free ports.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { parseUsdc } from '#sdk/domain/amount.ts';
import type { Market } from '#sdk/domain/market.ts';
import { createSite, type Site, type SiteOptions } from '#service/app/createSite.ts';
import { createDevnet, type Devnet, type DevnetOptions } from '#service/devnet/devnet.ts';
import type { AppLog } from '#service/http/requestLog.ts';
import { type Cast, createCast, enter } from './cast.ts';
import { findFreePort } from './freePort.ts';
import { until } from './until.ts';

export type LogLine = { readonly level: string; readonly message: string } & Readonly<
  Record<string, unknown>
>;

export type TestSite = Awaited<ReturnType<typeof startSite>>;

/** What an answer holds is the test's business. */
// biome-ignore lint/suspicious/noExplicitAny: a parsed answer
type Json = any;

export async function startSite(options: Partial<SiteOptions> = {}, chain: Partial<DevnetOptions> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-site-'));
  const devnet = await createDevnet({ port: 0, isSeeded: true, clockOffsetSeconds: 0, ...chain });
  const log: LogLine[] = [];
  const casts = new Map<Market, Promise<Cast>>();
  // It comes back at the same address.
  const port = await findFreePort();
  let site: Site | null = null;

  /** On the same rows and the same port, with other options if any are given. */
  async function start(more: Partial<SiteOptions> = {}): Promise<void> {
    site = await createSite({ ...buildSiteOptions({ devnet, dataDir, log, port }), ...options, ...more });
    // Connections to the server before are found dead by the first who uses them.
    await until(() => isComplete().catch(() => false));
  }
  const isComplete = async () => (await getJson('/health')).ready === true;
  const url = () => (site as Site).url;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url() + path, { headers });
  const getJson = async (path: string): Promise<Json> => (await get(path)).json();
  /** Ends the server as a signal would. */
  const stop = async () => {
    await site?.close();
    site = null;
  };

  await start();
  return {
    devnet,
    dataDir,
    url,
    client: () => createMarketClient({ baseUrl: url() }),
    get,
    getJson,
    log,
    stop,
    start,
    /** Two wallets that may post and claim, made ready at the first use. */
    castOn: (market: Market) => {
      const cast = casts.get(market) ?? createCast(devnet.rpcUrl, market).then(admit);
      casts.set(market, cast);
      return cast;
    },
    /** Until answers show the block that is the newest now. */
    catchUp: async () => {
      const cast = await createCast(devnet.rpcUrl, 'standard');
      const head = Number(await cast.client.getBlockNumber());
      await until(async () => (await getJson('/health')).block >= head);
    },
    close: async () => {
      await stop();
      await devnet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Enough collateral for as many tasks as a test may post. */
const collateral = parseUsdc('1000');

async function admit(cast: Cast): Promise<Cast> {
  await enter(cast);
  const { usdc, deposits } = cast.contracts;
  for (const party of [cast.poster, cast.worker]) {
    await party.write(usdc, 'approve', [deposits.address, collateral]);
    await party.write(deposits, 'topUp', [collateral]);
  }
  return cast;
}

/** A site on that chain, with rows in that folder, on any port unless one is given; its log goes into the list. */
export function buildSiteOptions(given: {
  readonly devnet: Devnet;
  readonly dataDir: string;
  readonly log?: LogLine[];
  readonly port?: number;
}): SiteOptions {
  const { devnet, dataDir, log = [], port = 0 } = given;
  return {
    deployment: devnet.deployment,
    rpcUrls: [devnet.rpcUrl],
    publicChain: devnet.publicChain,
    dataDir,
    databaseUrl: undefined,
    host: '127.0.0.1',
    port,
    now: devnet.clock.now,
    protocolVersion: 'v2',
    log: createMemoryLog(log),
  };
}

function createMemoryLog(lines: LogLine[]): AppLog {
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, ...fields });
  };
  return { level: 'debug', debug: write('debug'), info: write('info'), error: write('error') };
}
