// Where a price comes from: a fixed number, a file, an HTTP endpoint, or the time-weighted average of a pool on chain.

import { readFileSync, statSync } from 'node:fs';
import type { Asker } from '@svc/sdk/chain';
import {
  type Address,
  isSameAddress,
  parseAddress,
  SvcError,
  tokDecimals,
  usdcDecimals,
} from '@svc/sdk/domain';
import { contractCall } from '@svc/sdk/internal/chain/contracts';
import { parseAbi } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { PriceQuote } from './priceRules.ts';

/** Throws PRICE_SOURCE_FAILED. */
type ReadPrice = () => Promise<PriceQuote>;

type PriceSourceOptions = {
  readonly rpc: Asker;
  readonly tokToken: Address;
  readonly usdc: Address;
  /** The time of the chain. */
  readonly now: () => Promise<number>;
};

const form = 'fixed:<USD>, file:<path>, pool:<address> or a http:// or https:// address';
const timeoutMs = 10_000;
const maxBytes = 64 * 1024;
const poolWindowSeconds = 1_800;

/** Throws USAGE where the text names no source. */
export function createPriceSource(text: string, options: PriceSourceOptions): ReadPrice {
  const [, kind = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  // The path of an address may contain a key.
  const source = kind.startsWith('http') ? new URL(text).origin : text;
  const explain = (read: () => Promise<PriceQuote> | PriceQuote): ReadPrice => {
    return async () => {
      try {
        return await read();
      } catch (error) {
        throw new OperatorError('PRICE_SOURCE_FAILED', { source, reason: (error as Error).message }, error);
      }
    };
  };
  if (kind === 'fixed') {
    const priceE8 = parseQuotedPrice(rest);
    return explain(async () => ({ priceE8, at: await options.now() }));
  }
  if (kind === 'file') return explain(() => readPriceFile(rest));
  if (kind === 'http' || kind === 'https') return explain(() => fetchPrice(text));
  if (kind === 'pool') {
    const pool = parseAddress(rest);
    return explain(() => readPool(pool, options));
  }
  throw new SvcError('USAGE', { reason: `--source must be ${form}.` });
}

/** JSON as an endpoint returns it, or a bare number, which is as old as the file. */
function readPriceFile(path: string): PriceQuote {
  const text = readFileSync(path, 'utf8').trim();
  if (text.startsWith('{')) return parseQuote(text);
  return { priceE8: parseQuotedPrice(text), at: Math.floor(statSync(path).mtimeMs / 1_000) };
}

async function fetchPrice(url: string): Promise<PriceQuote> {
  // A redirect could lead to a server that the operator did not choose.
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return parseQuote(await readLimited(response));
}

async function readLimited({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `{"priceUsd": "0.0051", "at": 1794816000}`: both are required, so that an old price cannot pass as a new one. */
export function parseQuote(text: string): PriceQuote {
  const { priceUsd, at } = JSON.parse(text) as { readonly priceUsd?: unknown; readonly at?: unknown };
  if (typeof at !== 'number' || !Number.isSafeInteger(at))
    throw new Error('at must be a time in Unix seconds');
  return { priceE8: parseQuotedPrice(priceUsd), at };
}

/** Digits with a point only: no sign, exponent or NaN. Places after the eighth are cut off. */
export function parseQuotedPrice(value: unknown): bigint {
  const [, whole, fraction = ''] = /^([0-9]{1,12})(?:\.([0-9]{1,40}))?$/.exec(String(value)) ?? [];
  if (whole === undefined || !['string', 'number'].includes(typeof value))
    throw new Error('the price must be a decimal number such as 0.005');
  return BigInt(whole + fraction.slice(0, 8).padEnd(8, '0'));
}

const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidity)',
]);

/** A pool of TOK and USDC with the interface of Uniswap v3. The average of 30 minutes cannot be moved within a block. */
async function readPool(
  pool: Address,
  { rpc, tokToken, usdc, now }: PriceSourceOptions,
): Promise<PriceQuote> {
  const contract = { address: pool, abi: poolAbi };
  const [token0, token1] = await Promise.all([
    rpc.ask(contractCall(contract, 'token0', [])),
    rpc.ask(contractCall(contract, 'token1', [])),
  ]);
  const isTokFirst = isSameAddress(token0, tokToken) && isSameAddress(token1, usdc);
  if (!isTokFirst && !(isSameAddress(token0, usdc) && isSameAddress(token1, tokToken)))
    throw new Error('it is not a pool of TOK and USDC');
  const [ticks] = await rpc
    .ask(contractCall(contract, 'observe', [[poolWindowSeconds, 0]]))
    .catch((error: unknown) => {
      // Uniswap answers "OLD"; a new pool keeps one observation until somebody pays for more.
      if (!(error instanceof SvcError) || error.code !== 'CHAIN_REFUSED') throw error;
      throw new Error('its observations do not reach back 30 minutes', { cause: error });
    });
  const [first, last] = ticks;
  if (first === undefined || last === undefined) throw new Error('it has no observations');
  const tick = Number(last - first) / poolWindowSeconds;
  return { priceE8: priceAtTick(tick, isTokFirst), at: await now() };
}

/** A tick is the price of token0 in token1 as a power of 1.0001, in the smallest units of both. */
export function priceAtTick(tick: number, isTokFirst: boolean): bigint {
  const usdcPerTok = 1.0001 ** (isTokFirst ? tick : -tick) * 10 ** (tokDecimals - usdcDecimals);
  const priceE8 = Math.round(usdcPerTok * 1e8);
  if (!Number.isSafeInteger(priceE8)) throw new Error(`the tick ${tick} is no price`);
  return BigInt(priceE8);
}
