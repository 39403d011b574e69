// What pages ask of the service, with the contract of its replies: a separate chunk, so that the frame of a page appears
// before it is loaded.
import { createMarketClient } from '@svc/sdk';
import * as z from 'zod';
import { clockOffset } from './format.ts';

declare global {
  /** Replies to the requests that public/early.js sent while this script was loading. */
  var early: Map<string, Promise<Response>> | undefined;
}

/** Bypasses the browser's cache: a request after a change must not return an older reply. ETags keep it cheap. */
const fetchFresh = async (url: string, init: RequestInit): Promise<Response> => {
  const early = globalThis.early?.get(url);
  globalThis.early?.delete(url);
  const told = early === undefined ? blocks.told : -1;
  const reply = (await early?.catch(() => undefined)) ?? (await fetch(url, { cache: 'no-cache', ...init }));
  const [{ pathname }, block] = [new URL(url), Number(reply.headers.get('svc-block') ?? Number.NaN)];
  if (pathname === '/api/events') Object.assign(blocks, { stream: block, told: block });
  if (!pathname.startsWith('/api/market/')) return reply;
  // What the stream told while the reply was on its way may be missing in it.
  if (block < blocks.told && told < blocks.told) return fetchFresh(url, init);
  blocks.shown = Math.min(blocks.shown, block);
  return reply;
};

/** The oldest block that a reply about tasks shows here, the block at which the stream of events began, the newest it told of. */
const blocks = { shown: Number.POSITIVE_INFINITY, stream: Number.NaN, told: -1 };

/** A change in this block was told. */
export const noteTold = (block: number): void => {
  blocks.told = Math.max(blocks.told, block);
};

/** Whether nothing can have happened between what was loaded and the start of the stream. */
export const isUpToDate = () => blocks.stream <= blocks.shown;

export const marketClient = createMarketClient({ baseUrl: location.origin, fetch: fetchFresh });

const pagesInfoSchema = z.object({
  isGateway: z.boolean(),
  gatewayUrl: z.string().nullable(),
  tokUsdPrice: z.number().nullable(),
  walletConnectProjectId: z.string().nullable(),
  /** Where test money is free, so that a visitor can try everything; null elsewhere. */
  embeddedRpcUrl: z.string().nullable().default(null),
  /** A mail or web address. */
  abuseContact: z.string().nullable().default(null),
});

/** What the server that sent this page says about itself. */
export async function loadPagesInfo(signal: AbortSignal): Promise<z.output<typeof pagesInfoSchema>> {
  return pagesInfoSchema.parse(await (await fetchFresh(`${location.origin}/pages.json`, { signal })).json());
}

/** How far the market's and the server's clock are from the device's, in seconds. */
export type Offsets = { readonly market: number; readonly server: number };

export async function loadOffsets(signal: AbortSignal): Promise<Offsets> {
  let server = Number.NaN;
  const client = createMarketClient({
    baseUrl: location.origin,
    fetch: async (input, init) => {
      const response = await fetchFresh(input, init);
      server = Math.floor(Date.parse(response.headers.get('date') ?? '') / 1_000);
      return response;
    },
  });
  const { updatedAt: chain } = await client.union({ signal });
  const device = Math.floor(Date.now() / 1_000);
  return {
    market: clockOffset({ device, chain, server }),
    server: clockOffset({ device, chain: Number.isNaN(server) ? device : server, server }),
  };
}
