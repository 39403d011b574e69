// The command line of `svc deploy`.
import {
  type Address,
  formatPriceE8,
  oracleParameters,
  parseAddress,
  parsePriceE8,
  parseTok,
  SvcError,
  tokSupplyWei,
} from '@svc/sdk/domain';
import { flag, parseHttpUrl, parseOptions, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

export const deployUsage = {
  command: 'deploy',
  synopsis: ['[options]'],
  about: 'Deploys both markets with the key in PRIVATE_KEY and writes their addresses to a file.',
  options: {
    rpc: text('<url>', "the chain's RPC; default SVC_RPC_URL or CHAIN_RPC_URL"),
    chain: text('<id>', 'refuse any other chain'),
    usdc: text('<address>', "default: Circle's USDC, on Base and Base Sepolia"),
    owner: text('<address>', 'pauses entries, sets plans, opens staking; default the deployer'),
    treasury: text('<address>', 'gets its share of fees and slashes; default the owner'),
    'fallback-arbitrator': text('<address>', 'decides escalated disputes; default the owner'),
    publisher: text('<address>', 'publishes the TOK price; default the deployer'),
    'tok-holder': text('<address>', 'gets all TOK; default the treasury'),
    'tok-supply': text('<TOK>', 'default 1000000000'),
    price: text('<USD>', 'first price of one TOK; without it plans cost USDC until one is published'),
    'sequencer-feed': text('<address>', "Chainlink's uptime feed of the chain's sequencer"),
    'activate-staking': flag('open staking at once'),
    out: text('<file>', 'default deployments/<chain id>.json'),
    again: flag('deploy although the file exists, and replace it'),
    abandon: flag(
      'give an unfinished deployment up and start anew, with new addresses; after an unfinished --again it returns to the old file unless --again is given, too',
    ),
    finish: flag('write the file of a deployment of which only the file is missing'),
  },
  json: 'print the result as JSON',
  examples: ['PRIVATE_KEY=0x… svc deploy --rpc https://rpc.example --chain 84532 --price 0.005'],
} as const satisfies Usage;

export type DeployArguments = {
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

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseDeployArguments(args: readonly string[]): DeployArguments {
  const { values } = parseOptions(deployUsage, args);
  if (values.finish && (values.abandon || values.again))
    throw new SvcError('USAGE', {
      reason: '--finish starts no deployment, so it goes without --abandon and --again.',
    });
  return {
    rpcUrl: readValue('rpc', values.rpc, parseHttpUrl),
    chainId: readValue('chain', values.chain, parseChainId),
    usdc: readValue('usdc', values.usdc, parseAddress),
    owner: readValue('owner', values.owner, parseAddress),
    treasury: readValue('treasury', values.treasury, parseAddress),
    fallbackArbitrator: readValue('fallback-arbitrator', values['fallback-arbitrator'], parseAddress),
    publisher: readValue('publisher', values.publisher, parseAddress),
    tokHolder: readValue('tok-holder', values['tok-holder'], parseAddress),
    tokSupply: readValue('tok-supply', values['tok-supply'], parseTok) ?? tokSupplyWei,
    priceE8: readValue('price', values.price, parsePrice),
    sequencerFeed: readValue('sequencer-feed', values['sequencer-feed'], parseAddress),
    activateStaking: values['activate-staking'],
    file: values.out,
    again: values.again,
    abandon: values.abandon,
    finish: values.finish,
    asJson: values.json,
  };
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
