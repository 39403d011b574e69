// Proves that the example of docs/contracts.md signs what the contracts ask for, on a real EVM.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Abi, encodeFunctionData, getContract, type Hex, parseEther, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import type { MarketAddresses } from '#sdk/chain/deployment.ts';
import { createSender } from '#sdk/chain/send.ts';
import type { Address } from '#sdk/domain/address.ts';
import { deployMarkets } from '#service/deploy/deployMarkets.ts';
import { type Place, signSettlement, signTerms } from '../docs/examples/signatures.ts';
import {
  addresses,
  connect,
  deployUsdc,
  type EmbeddedChain,
  keys,
  startEmbeddedChain,
} from './support/embeddedChain.ts';

const poster = privateKeyToAccount(keys.owner);
const worker = privateKeyToAccount(keys.other);
const total = parseEther('500');

let chain: EmbeddedChain;
let market: MarketAddresses;
let place: Place;

before(async () => {
  chain = await startEmbeddedChain();
  const usdc = await deployUsdc(chain);
  const deployment = await deployMarkets({
    rpc: connect(chain.url, keys.deployer),
    usdc,
    roles: {
      owner: addresses.deployer,
      treasury: addresses.deployer,
      fallbackArbitrator: addresses.deployer,
      publisher: addresses.deployer,
    },
    tokHolder: poster.address,
    tokSupply: parseEther('1000000'),
    activateStaking: false,
  });
  market = deployment.markets.standard;
  place = { client: chain.publicClient, chainId: deployment.chainId, registry: market.taskRegistry };
  const { tokToken } = deployment;
  const collateral = parseUnits('100', 6);
  const allowance = parseEther('10000');
  await send(keys.owner, tokToken, tokTokenAbi, 'transfer', [worker.address, allowance]);
  for (const key of [keys.owner, keys.other]) {
    const { address } = privateKeyToAccount(key);
    await send(key, usdc, testUsdcAbi, 'mint', [address, collateral]);
    await send(key, usdc, testUsdcAbi, 'approve', [market.depositVault, collateral]);
    await send(key, market.depositVault, depositVaultAbi, 'topUp', [collateral]);
    await send(key, tokToken, tokTokenAbi, 'approve', [market.paymentGateway, allowance]);
  }
});
after(() => chain.close());

test('terms that the worker signed make a task, and a settlement that it signed ends it', async () => {
  const { read } = getRegistry();
  const { terms, settlementDigest, signature } = await signTerms(place, poster.address, worker);
  assert.equal(await read.hashTerms([terms]), settlementDigest);
  await send(keys.owner, place.registry, taskRegistryAbi, 'createTask', [
    terms,
    [],
    '0x',
    signature,
    '',
    total,
  ]);
  const taskId = await read.taskCount();
  assert.equal((await read.getTask([taskId])).settlementDigest, settlementDigest);

  const { timestamp } = await chain.publicClient.getBlock();
  const validUntil = timestamp + 3_600n;
  const consent = await signSettlement(place, taskId, 2_500, validUntil, worker);
  await send(keys.owner, market.disputeCourt, disputeCourtAbi, 'mutualSettle', [
    taskId,
    2_500,
    validUntil,
    '0x',
    consent,
  ]);
  const { released, refunded } = await read.getTask([taskId]);
  assert.deepEqual({ released, refunded }, { released: total / 4n, refunded: (total * 3n) / 4n });
});

function getRegistry() {
  return getContract({ address: place.registry, abi: taskRegistryAbi, client: chain.publicClient });
}

async function send(key: Hex, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
  await createSender(connect(chain.url, key)).send({
    to,
    data: encodeFunctionData({ abi, functionName, args }),
  });
}
