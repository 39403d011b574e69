// A standard market on a chain, with people who have used it before.
import { type Address, getAddress, parseEther, stringToHex, zeroAddress } from 'viem';
import type { HDAccount } from 'viem/accounts';
import type { Artifact } from '../artifacts.ts';
import { type Chain, type Contract, createChain } from './chain.ts';

const people = [
  'deployer',
  'poster',
  'worker',
  'arbitrator',
  'staker',
  'owner',
  'fallbackArbitrator',
  'publisher',
  'treasury',
] as const;

export type People = Readonly<Record<(typeof people)[number], HDAccount>>;

export type Market = {
  readonly chain: Chain;
  readonly people: People;
  readonly tok: Contract;
  readonly usdc: Contract;
  readonly gateway: Contract;
  readonly deposits: Contract;
  readonly registry: Contract;
  readonly court: Contract;
  readonly staking: Contract;
};

export const day = 86_400;
export const accessFee = parseEther('1000');
const usd = 1_000_000n;
const arbitratorBond = parseEther('10000');

export async function createMarket(artifacts: readonly Artifact[]): Promise<Market> {
  const chain = await createChain(artifacts, people.length);
  const named = Object.fromEntries(people.map((name, place) => [name, chain.accounts[place]])) as People;
  const market = await deployMarket(chain, named);
  for (const agent of [named.poster, named.worker, named.arbitrator, named.staker])
    await equip(market, agent);
  return market;
}

async function deployMarket(chain: Chain, named: People): Promise<Market> {
  const { deployer, owner, fallbackArbitrator, publisher, treasury } = named;
  const tok = await chain.deploy('TokToken', [deployer.address, parseEther('1000000000')]);
  const usdc = await chain.deploy('TestUsdc', []);
  const feed = await chain.deploy('PostedPriceFeed', [deployer.address, 2_000, 60n]);
  const oracle = await chain.deploy('UsdOracle', [
    feed.address,
    zeroAddress,
    BigInt(365 * day),
    1n,
    10n ** 12n,
  ]);
  const policy = await chain.deploy('PricingPolicy', [
    owner.address,
    oracle.address,
    {
      accessFee,
      entryUsdc: 25n * usd,
      recommendedUsdc: 45n * usd,
      pauseUsdc: 8n * usd,
      bondUsdc: 5n * usd,
    },
  ]);
  const known = { tok: tok.address, usdc: usdc.address, policy: policy.address, treasury: treasury.address };
  const wiring: Record<string, Address> = { ...known, ...(await predictParts(chain)) };
  const gateway = await chain.deploy('PaymentGateway', [wiring]);
  const deposits = await chain.deploy('DepositVault', [wiring]);
  const escrow = await chain.deploy('EscrowVault', [wiring]);
  const limits = [parseEther('100'), day / 2, 30 * day];
  const registry = await chain.deploy('TaskRegistry', [wiring, owner.address, ...limits]);
  const court = await chain.deploy('DisputeCourt', [wiring, fallbackArbitrator.address, arbitratorBond]);
  const credits = [parseEther('1000000'), parseEther('0.01'), 38_580_246_914n];
  const staking = await chain.deploy('StakingVault', [wiring, owner.address, ...credits]);
  const reputation = await chain.deploy('ReputationRegistry', [wiring]);
  const placed = { gateway, deposits, escrow, registry, court, staking, reputation };
  for (const [name, { address }] of Object.entries(placed)) {
    if (getAddress(address) !== wiring[name]) throw new Error(`${name} is not where the others expect it.`);
  }

  await chain.send({ from: deployer, to: feed, name: 'setPublisher', args: [publisher.address, true] });
  await chain.send({ from: publisher, to: feed, name: 'publish', args: [500_000n] });
  const plan = [stringToHex('basic', { size: 32 }), 25, 20n * usd, 1_000, true];
  await chain.send({ from: owner, to: policy, name: 'setPlan', args: plan });
  await chain.send({ from: owner, to: staking, name: 'activate', args: [] });
  return { chain, people: named, tok, usdc, gateway, deposits, registry, court, staking };
}

/** The parts know each other by the addresses they will get, in the order of their deployment. */
async function predictParts(chain: Chain): Promise<Record<string, Address>> {
  const order = ['gateway', 'deposits', 'escrow', 'registry', 'court', 'staking', 'reputation'];
  const places = order.map(async (name, ahead) => [name, await chain.predict(ahead)] as const);
  return Object.fromEntries(await Promise.all(places));
}

/** Money and a deposit well above every threshold. */
async function equip({ chain, people: { deployer }, tok, usdc, deposits }: Market, agent: HDAccount) {
  await chain.send({
    from: deployer,
    to: tok,
    name: 'transfer',
    args: [agent.address, parseEther('10000000')],
  });
  await chain.send({ from: deployer, to: usdc, name: 'mint', args: [agent.address, 10_000n * usd] });
  await chain.send({ from: agent, to: usdc, name: 'approve', args: [deposits.address, 1_000n * usd] });
  await chain.send({ from: agent, to: deposits, name: 'topUp', args: [1_000n * usd] });
}
