// Proves what deploying leaves on the chain, on a real EVM: addresses, wiring, settings, owners.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Abi, type AbiFunction, encodeFunctionData, type Hex, toFunctionSelector } from 'viem';
import * as abis from '#contracts/generated/abi.ts';
import { contractAbis } from '#sdk/chain/abis.ts';
import { type Deployment, formatDeployment, parseDeployment } from '#sdk/chain/deployment.ts';
import { type Address, zeroAddress } from '#sdk/domain/address.ts';
import { markets } from '#sdk/domain/market.ts';
import { createSender } from '#sdk/send/keySender.ts';
import { deployMarkets } from '#service/deploy/deployMarkets.ts';
import { checkEdition } from '#service/deploy/edition.ts';
import { buildWiringChecks, verifyWiring } from '#service/deploy/verify.ts';
import {
  addresses,
  connect,
  deployUsdc,
  type EmbeddedChain,
  keys,
  startEmbeddedChain,
} from './support/embeddedChain.ts';

let chain: EmbeddedChain;
let usdc: Address;
let deployment: Deployment;
const emptyAddress: Address = '0x00000000000000000000000000000000DeaDBeef';

before(async () => {
  chain = await startEmbeddedChain();
  usdc = await deployUsdc(chain);
  deployment = await deploy({});
});
after(() => chain.close());

function deploy(change: Partial<Parameters<typeof deployMarkets>[0]>): Promise<Deployment> {
  return deployMarkets({
    rpc: connect(chain.url, keys.deployer),
    usdc,
    roles: {
      owner: addresses.deployer,
      treasury: addresses.owner,
      fallbackArbitrator: addresses.other,
      publisher: addresses.deployer,
    },
    tokHolder: addresses.owner,
    tokSupply: 10n ** 27n,
    priceE8: 500_000n,
    activateStaking: true,
    ...change,
  });
}

test('a plan can be paid in TOK at the first price', async () => {
  for (const market of markets) {
    const quote = await chain.publicClient.readContract({
      address: deployment.markets[market].pricingPolicy,
      abi: abis.pricingPolicyAbi,
      functionName: 'quote',
      args: [`0x${Buffer.from('basic').toString('hex').padEnd(64, '0')}`],
    });
    assert.deepEqual(quote, [20_000_000n, 18_000_000n, 500_000n, 3_600n * 10n ** 18n, true]);
  }
});

test('with test USDC the whole market uses a token that this deployment made, and that anyone may mint', async () => {
  const own = await deploy({ usdc: 'test' });
  assert.deepEqual(await verifyWiring(chain.publicClient, own), []);
  assert.notEqual(own.usdc, usdc);
  assert.deepEqual(own.usdcDomain, { name: 'USD Coin', version: '2' });
  const contract = { address: own.usdc, abi: abis.testUsdcAbi } as const;
  const data = encodeFunctionData({ ...contract, functionName: 'mint', args: [addresses.owner, 7n] });
  await createSender(connect(chain.url, keys.other)).send({ to: own.usdc, data });
  const held = { ...contract, functionName: 'balanceOf', args: [addresses.owner] } as const;
  assert.equal(await chain.publicClient.readContract(held), 7n);
});

test('another owner is offered every owned contract, and gets it by accepting', async () => {
  const offered = await deploy({
    roles: { ...deployment.roles, owner: addresses.owner, publisher: addresses.other },
  });
  const owned = [
    offered.priceFeed,
    ...markets.flatMap((market) => {
      const { pricingPolicy, taskRegistry, stakingVault } = offered.markets[market];
      return [pricingPolicy, taskRegistry, stakingVault];
    }),
  ];
  const read = (address: Address, functionName: 'owner' | 'pendingOwner') =>
    chain.publicClient.readContract({ address, abi: abis.pricingPolicyAbi, functionName });
  const owner = createSender(connect(chain.url, keys.owner));
  for (const address of owned) {
    assert.equal(await read(address, 'owner'), addresses.deployer);
    assert.equal(await read(address, 'pendingOwner'), addresses.owner);
    await owner.send({ to: address, data: '0x79ba5097' });
    assert.equal(await read(address, 'owner'), addresses.owner);
    assert.equal(await read(address, 'pendingOwner'), zeroAddress);
  }
  assert.deepEqual(await verifyWiring(chain.publicClient, offered), []);
});

test('a deployment matches its file, and each change to the file is found on the chain', async () => {
  assert.deepEqual(parseDeployment(formatDeployment(deployment)), deployment);
  const { standard, micro } = deployment.markets;
  const tamper = (change: Partial<Deployment>) =>
    verifyWiring(chain.publicClient, { ...deployment, ...change });
  const subjects = async (change: Partial<Deployment>) =>
    (await tamper(change)).map(({ subject }) => subject);

  assert.deepEqual(await tamper({}), []);
  assert.deepEqual(await subjects({ genesisHash: `0x${'1'.repeat(64)}` }), ['genesisHash'], 'another chain');
  assert.deepEqual(await tamper({ chainId: 1 }), [{ subject: 'chainId', expected: '1', found: '8453' }]);
  assert.deepEqual(
    await subjects({ markets: { standard: { ...standard, escrowVault: micro.escrowVault }, micro } }),
    [
      'standard.paymentGateway.escrow',
      'standard.escrowVault.gateway',
      'standard.escrowVault.registry',
      'standard.taskRegistry.escrow',
    ],
  );
  const cheap = { ...micro.parameters, accessFeeTokWei: 1n };
  assert.deepEqual(await tamper({ markets: { standard, micro: { ...micro, parameters: cheap } } }), [
    { subject: 'micro.pricingPolicy.accessFee', expected: '1', found: '1000000000000000000000' },
  ]);
  assert.deepEqual(await subjects({ roles: { ...deployment.roles, treasury: emptyAddress } }), [
    'standard.paymentGateway.treasury',
    'standard.disputeCourt.treasury',
    'micro.paymentGateway.treasury',
    'micro.disputeCourt.treasury',
  ]);
  const [silent, ...more] = await tamper({ marketLens: emptyAddress });
  assert.equal(silent?.subject, 'marketLens.hashCriteria');
  assert.equal(silent?.found, 'no answer');
  assert.deepEqual(
    more.map(({ subject }) => subject),
    ['marketLens code'],
  );
});

test('contracts with other code are found, though every getter answers as expected', async (context) => {
  const address = deployment.markets.micro.taskRegistry;
  const code = (await chain.publicClient.getCode({ address })) as Hex;
  const setCode = (to: Hex) =>
    chain.publicClient.request({ method: 'hardhat_setCode' as never, params: [address, to] as never });
  context.after(() => setCode(code));
  // An earlier edition without acceptMilestone: its selector leads nowhere.
  const selector = toFunctionSelector(
    abis.taskRegistryAbi.find((one) => 'name' in one && one.name === 'acceptMilestone') as AbiFunction,
  );
  const other = code.replace(selector.slice(2), 'deadbeef') as Hex;
  assert.notEqual(other, code);
  await setCode(other);
  assert.deepEqual(
    (await verifyWiring(chain.publicClient, deployment)).map(({ subject }) => subject),
    ['micro.taskRegistry code'],
  );
  await assert.rejects(checkEdition(chain.publicClient, deployment), {
    code: 'CONTRACTS_DIFFER',
    message: /micro\.taskRegistry differ/,
  });
  await setCode(code);
  assert.equal(await checkEdition(chain.publicClient, deployment), true);
});

test('every getter is verified, except those whose values change', () => {
  const verified = new Set(
    buildWiringChecks(deployment).map(({ subject }) => subject.replace(/^(standard|micro)\./, '')),
  );
  // Of others, not of this deployment.
  const { usdc: _usdc, swapRouter: _router, tokPool: _pool, ...own } = contractAbis;
  const unverified = Object.entries<Abi>(own).map(([name, abi]) => [
    name,
    abi
      .filter(
        (entry) =>
          entry.type === 'function' && /view|pure/.test(entry.stateMutability) && entry.inputs.length === 0,
      )
      .map((entry) => `${name}.${'name' in entry ? entry.name : ''}`)
      .filter((getter) => !verified.has(getter))
      .map((getter) => getter.slice(name.length + 1))
      .join(' '),
  ]);
  assert.deepEqual(Object.fromEntries(unverified), {
    depositVault: 'totalHeld',
    disputeCourt: 'fallbackArbitrator lastFallback owner pendingOwner scheduledFallback totalBonded',
    escrowVault: '',
    marketLens: '',
    paymentGateway: 'lastFlush pendingFees',
    priceFeed: 'answer latestRoundData owner pendingOwner round updatedAt',
    pricingPolicy: 'getPlans owner pendingOwner',
    reputationRegistry: '',
    stakingVault:
      'accCredit accReward creditIssuanceClosed creditsClosedByOwner creditsRemaining lastUpdate overview owner pendingOwner rewardReserve rewardsAllocated stakingActive totalCreditsIssued totalStaked',
    taskRegistry: 'entriesPaused maxTotal owner pendingOwner taskCount',
    // The separator is the hash of the domain, which is verified.
    tokToken: 'DOMAIN_SEPARATOR totalSupply',
    usdOracle: 'isOutage price tryPrice',
  });
});
