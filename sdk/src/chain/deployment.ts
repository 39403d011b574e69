// A deployment: the addresses and parameters of both markets on one chain, as written to deployments/<chainId>.json.
import type { Hex } from 'viem';
import * as z from 'zod';
import { type Address, addressKey, isAddress, parseAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import { stringifyJson } from '../domain/json.ts';
import { markets } from '../domain/market.ts';
import { marketParameters, oracleParameters } from '../domain/parameters.ts';

// The message of each schema completes the sentence "<field> is not …".
const record = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, { error: 'an object' });
const address = z.custom<Address>(isAddress, 'an address').transform(parseAddress);
const hash = z.custom<Hex>((value) => /^0x[0-9a-f]{64}$/.test(String(value)), 'a hash');
const count = z.int({ error: 'a whole number' }).nonnegative('a whole number');
const text = z.string({ error: 'a text' });
const units = z
  .string({ error: 'a decimal string' })
  .regex(/^(0|[1-9][0-9]{0,76})$/, 'a decimal string')
  .transform(BigInt);

/** The names are those of site-config. The registry is also the market's task scope registry. */
const addressesShape = {
  taskRegistry: address,
  depositVault: address,
  escrowVault: address,
  paymentGateway: address,
  stakingVault: address,
  pricingPolicy: address,
  disputeCourt: address,
  reputationRegistry: address,
};

/** The fields of these parameters: amounts are decimal strings in the file, times and shares are numbers. */
function shapeOf<Values extends Readonly<Record<string, bigint | number>>>(values: Values) {
  const fields = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? units : count,
  ]);
  return Object.fromEntries(fields) as {
    [Name in keyof Values]: Values[Name] extends bigint ? typeof units : typeof count;
  };
}

const rolesSchema = record({
  owner: address,
  treasury: address,
  fallbackArbitrator: address,
  publisher: address,
});
const marketSchema = record({ ...addressesShape, parameters: record(shapeOf(marketParameters.standard)) });

const deploymentSchema = record({
  chainId: count,
  genesisHash: hash,
  /** No event of these contracts is older than this block. */
  startBlock: count,
  deployer: address,
  roles: rolesSchema,
  usdc: address,
  /** Its EIP-712 domain: payments by authorization are signed under it. */
  usdcDomain: record({ name: text, version: text }),
  tokToken: address,
  tokSupplyWei: units,
  usdOracle: address,
  priceFeed: address,
  /** The zero address where the chain has no sequencer uptime feed. */
  sequencerFeed: address,
  oracle: record(shapeOf(oracleParameters)),
  marketLens: address,
  /** Where wallets buy TOK with USDC: a pool of Uniswap v3, and the SwapRouter02 that serves it. */
  sale: record({ tokPool: address, swapRouter: address }).optional(),
  markets: record({ standard: marketSchema, micro: marketSchema }),
  /** Of the contracts: their name, and the hash of the code of each. */
  edition: record({ name: text, codes: z.record(text, hash, { error: 'an object' }) }),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

export type Roles = DeepReadonly<z.output<typeof rolesSchema>>;
export type MarketDeployment = DeepReadonly<z.output<typeof marketSchema>>;
export type MarketAddresses = Omit<MarketDeployment, 'parameters'>;
export type Deployment = DeepReadonly<z.output<typeof deploymentSchema>>;

/**
 * The key of everything that is stored about a deployment. A restarted chain has the same chain id but another genesis
 * hash, and two deployments on one chain have different registries.
 */
export function chainIdentity(deployment: Deployment): string {
  const registries = markets.map((market) => addressKey(deployment.markets[market].taskRegistry));
  return [deployment.genesisHash.toLowerCase(), ...registries].join(':');
}

export function formatDeployment(deployment: Deployment): string {
  return `${stringifyJson(deployment, 2)}\n`;
}

/** Throws DEPLOYMENT_MALFORMED that names the first missing or wrong field. */
export function parseDeployment(text: string): Deployment {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SvcError('DEPLOYMENT_MALFORMED', { reason: 'it is no JSON' }, error);
  }
  const parsed = deploymentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  const field = path.length === 0 ? 'it' : path.join('.');
  throw new SvcError('DEPLOYMENT_MALFORMED', { reason: `${field} is not ${message}` });
}
