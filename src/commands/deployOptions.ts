// The command line of `svc deploy`.
import { parseArgs } from 'node:util';
import { type Address, parseAddress } from '#domain/address.ts';
import { formatPriceE8, parsePriceE8, parseTok } from '#domain/amount.ts';
import { SvcError } from '#domain/errors.ts';
import { oracleParameters, tokSupplyWei } from '#domain/parameters.ts';

export const deployHelp = `Usage: svc deploy [options]

Deploys both markets with the key in PRIVATE_KEY and writes their addresses to a file.

  --rpc <url>                   the chain's RPC; default SVC_RPC_URL or CHAIN_RPC_URL
  --chain <id>                  refuse any other chain
  --usdc <address>              default: Circle's USDC, on Base and Base Sepolia
  --owner <address>             pauses entries, sets plans, opens staking; default the deployer
  --treasury <address>          gets its share of fees and slashes; default the owner
  --fallback-arbitrator <address>
                                decides escalated disputes; default the owner
  --publisher <address>         publishes the TOK price; default the deployer
  --tok-holder <address>        gets all TOK; default the treasury
  --tok-supply <TOK>            default 1000000000
  --price <USD>                 first price of one TOK; without it plans cost USDC until one is published
  --sequencer-feed <address>    Chainlink's uptime feed of the chain's sequencer
  --activate-staking            open staking at once
  --out <file>                  default deployments/<chain id>.json
  --again                       deploy although the file exists, and replace it
  --abandon                     give an unfinished deployment up and start anew, with new addresses;
                                after an unfinished --again it returns to the old file unless --again is given, too
  --finish                      write the file of a deployment of which only the file is missing
  --json                        print the result as JSON`;

export type DeployArguments = {
  readonly help: boolean;
  readonly rpcUrl: string | undefined;
  readonly chainId: number | undefined;
  readonly usdc: Address | undefined;
  readonly owner: Address | undefined;
  readonly treasury: Address | undefined;
  readonly fallbackArbitrator: Address | undefined;
  readonly publisher: Address | undefined;
  readonly tokHolder: Address | undefined;
  readonly tokSupply: bigint;
  readonly priceE8: bigint | undefined;
  readonly sequencerFeed: Address | undefined;
  readonly activateStaking: boolean;
  readonly file: string | undefined;
  readonly again: boolean;
  readonly abandon: boolean;
  readonly finish: boolean;
  readonly asJson: boolean;
};

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const known = {
  rpc: text,
  chain: text,
  usdc: text,
  owner: text,
  treasury: text,
  'fallback-arbitrator': text,
  publisher: text,
  'tok-holder': text,
  'tok-supply': text,
  price: text,
  'sequencer-feed': text,
  'activate-staking': flag,
  out: text,
  again: flag,
  abandon: flag,
  finish: flag,
  json: flag,
  help: { ...flag, short: 'h' },
} as const;

export const deployOptionNames: readonly string[] = Object.keys(known);

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseDeployArguments(args: readonly string[]): DeployArguments {
  const values = readValues(args);
  const read = <Value>(name: keyof typeof known, parse: (value: unknown) => Value): Value | undefined => {
    const value = values[name];
    if (value === undefined) return undefined;
    try {
      return parse(value);
    } catch (error) {
      throw new SvcError('USAGE', { reason: `--${name}: ${(error as Error).message}` }, error);
    }
  };
  if (values.finish && (values.abandon || values.again))
    throw new SvcError('USAGE', {
      reason: '--finish starts no deployment, so it goes without --abandon and --again.',
    });
  return {
    help: values.help,
    rpcUrl: read('rpc', parseUrl),
    chainId: read('chain', parseChainId),
    usdc: read('usdc', parseAddress),
    owner: read('owner', parseAddress),
    treasury: read('treasury', parseAddress),
    fallbackArbitrator: read('fallback-arbitrator', parseAddress),
    publisher: read('publisher', parseAddress),
    tokHolder: read('tok-holder', parseAddress),
    tokSupply: read('tok-supply', parseTok) ?? tokSupplyWei,
    priceE8: read('price', parsePrice),
    sequencerFeed: read('sequencer-feed', parseAddress),
    activateStaking: values['activate-staking'],
    file: values.out,
    again: values.again,
    abandon: values.abandon,
    finish: values.finish,
    asJson: values.json,
  };
}

function readValues(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: false }).values;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // A stray argument may be a key that lost its option, so it is not repeated.
    const isStray = code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    throw new SvcError(
      'USAGE',
      { reason: isStray ? 'svc deploy takes options only; see --help.' : message },
      error,
    );
  }
}

function parseUrl(value: unknown): string {
  const url = String(value);
  // The message does not repeat the value, since providers put keys into it.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new SvcError('USAGE', { reason: 'must be a http:// or https:// address' });
  return url;
}

function parseChainId(value: unknown): number {
  if (!/^[1-9][0-9]{0,14}$/.test(String(value)))
    throw new SvcError('USAGE', { reason: 'must be a whole number' });
  return Number(value);
}

function parsePrice(value: unknown): bigint {
  const priceE8 = parsePriceE8(value);
  const { minPriceE8, maxPriceE8 } = oracleParameters;
  if (priceE8 < minPriceE8 || priceE8 > maxPriceE8) {
    const bounds = `${formatPriceE8(minPriceE8)} to ${formatPriceE8(maxPriceE8)}`;
    throw new SvcError('USAGE', { reason: `the oracle takes prices from ${bounds} USD` });
  }
  return priceE8;
}
