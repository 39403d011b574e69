// Proves that TypeScript and the contracts compute the same digests, on a real registry and for a real task.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { encodeFunctionData, type Hex } from 'viem';
import { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { createSender } from '#sdk/chain/send.ts';
import type { Address } from '#sdk/domain/address.ts';
import { indexOf, nameOf, scopes, taskStates } from '#sdk/domain/state.ts';
import {
  buildOpenSalt,
  hashCriteria,
  hashMilestones,
  hashSettlement,
  hashTerms,
  type SigningPlace,
  type TaskTerms,
} from '#sdk/domain/terms.ts';
import { deployMarkets } from '#service/deploy/deployMarkets.ts';
import {
  addresses,
  connect,
  deployUsdc,
  type EmbeddedChain,
  keys,
  startEmbeddedChain,
} from './support/embeddedChain.ts';

const poster = addresses.owner;
const worker = addresses.other;
const criteria = 'Alle Fälle laufen grün.';
const milestones = [200n * 10n ** 18n, 300n * 10n ** 18n];
const total = 500n * 10n ** 18n;

let chain: EmbeddedChain;
let deployment: Deployment;
let place: SigningPlace;

before(async () => {
  chain = await startEmbeddedChain();
  deployment = await deployMarkets({
    rpc: connect(chain.url, keys.deployer),
    usdc: await deployUsdc(chain),
    roles: {
      owner: addresses.deployer,
      treasury: addresses.deployer,
      fallbackArbitrator: addresses.deployer,
      publisher: addresses.deployer,
    },
    tokHolder: poster,
    tokSupply: 10n ** 27n,
    activateStaking: false,
  });
  place = { chainId: 8453, registry: deployment.markets.standard.taskRegistry };
});
after(() => chain.close());

const bytes32 = fc.stringMatching(/^0x[0-9a-f]{64}$/) as fc.Arbitrary<Hex>;
const address = fc.stringMatching(/^0x[0-9a-f]{40}$/) as fc.Arbitrary<Address>;
const seconds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const anyTerms: fc.Arbitrary<TaskTerms> = fc.record({
  poster: address,
  worker: address,
  totalAmount: fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }),
  milestonesHash: bytes32,
  criteriaHash: bytes32,
  deadline: seconds,
  reviewPeriod: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  scope: fc.constantFrom(...scopes),
  salt: bytes32,
  acceptBy: seconds,
});

test('any terms have the digest that the registry computes', async () => {
  const samples = fc.sample(anyTerms, 60);
  const digests = await chain.publicClient.multicall({
    deployless: true,
    allowFailure: false,
    contracts: samples.map((terms) => ({
      address: place.registry,
      abi: taskRegistryAbi,
      functionName: 'hashTerms' as const,
      args: [{ ...terms, scope: indexOf(scopes, terms.scope) }] as const,
    })),
  });
  assert.deepEqual(
    samples.map((terms) => hashTerms(terms, place)),
    digests,
  );
});

test('the digest of an open task is the one its worker accepts, and then that of its settlement', async () => {
  const { depositVault, paymentGateway, taskRegistry } = deployment.markets.standard;
  const { timestamp } = await chain.publicClient.getBlock();
  const deadline = timestamp + 864_000n;
  const post = {
    totalAmount: total,
    deadline,
    reviewPeriod: 86_400,
    criteriaHash: hashCriteria(criteria),
    milestones,
    uri: '',
    fundNow: total,
  };
  const usdcCall = (functionName: 'mint' | 'approve', to: Address) => ({
    to: deployment.usdc,
    data: encodeFunctionData({ abi: testUsdcAbi, functionName, args: [to, 10n ** 9n] }),
  });
  const tokCall = (functionName: 'transfer' | 'approve', to: Address) => ({
    to: deployment.tokToken,
    data: encodeFunctionData({ abi: testUsdcAbi, functionName, args: [to, 10n ** 22n] }),
  });
  const topUp = {
    to: depositVault,
    data: encodeFunctionData({ abi: depositVaultAbi, functionName: 'topUp', args: [10n ** 8n] }),
  };
  const asPoster = createSender(connect(chain.url, keys.owner));
  const asWorker = createSender(connect(chain.url, keys.other));
  await asPoster.send(tokCall('transfer', worker));
  for (const [sender, who] of [
    [asPoster, poster],
    [asWorker, worker],
  ] as const) {
    for (const call of [
      usdcCall('mint', who),
      usdcCall('approve', depositVault),
      tokCall('approve', paymentGateway),
      topUp,
    ])
      await sender.send(call);
  }
  await asPoster.send({
    to: taskRegistry,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'postTask', args: [post] }),
  });

  const terms: TaskTerms = {
    poster,
    worker,
    totalAmount: total,
    milestonesHash: hashMilestones(milestones),
    criteriaHash: hashCriteria(criteria),
    deadline,
    reviewPeriod: 86_400,
    scope: 'open',
    salt: buildOpenSalt(1n, 0),
    acceptBy: 0n,
  };
  const digest = hashTerms(terms, place);
  await asWorker.send({
    to: taskRegistry,
    data: encodeFunctionData({ abi: taskRegistryAbi, functionName: 'claimTask', args: [1n, digest] }),
  });

  const registry = { address: taskRegistry, abi: taskRegistryAbi } as const;
  const task = await chain.publicClient.readContract({ ...registry, functionName: 'getTask', args: [1n] });
  assert.equal(task.settlementDigest, digest);
  const state = nameOf(taskStates, task.state);
  assert.equal(state, 'CLAIMED');
  const settlement = {
    taskId: 1n,
    poster,
    worker,
    round: 0,
    milestone: 0,
    state,
    updatedAt: task.updatedAt,
    held: total,
    phase: 'NONE',
    workerBps: 2_500,
    validUntil: deadline,
  } as const;
  assert.equal(
    await chain.publicClient.readContract({
      ...registry,
      functionName: 'hashSettlement',
      args: [1n, 2_500, deadline],
    }),
    hashSettlement(settlement, place),
  );
});
