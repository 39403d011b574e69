// Posts on the embedded chain: one poster with collateral and fees for all of them, and the calls themselves.
import { maxUint256 } from 'viem';
import { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { buildTransaction, type DevTransaction } from '#service/devnet/transactions.ts';
import { documents } from './crowd.ts';

/** Enough for a post with the longest of the texts; many fit into a block. */
export const postGas = 300_000;

const poster = accountOf('press').address;
const day = 86_400;

/** What the poster needs for this many posts on the standard market. */
export function buildPosterTransactions(deployment: Deployment, posts: number): DevTransaction[] {
  const { paymentGateway, depositVault, parameters } = deployment.markets.standard;
  const operator = accountOf('operator').address;
  const tok = { address: deployment.tokToken, abi: tokTokenAbi };
  const usdc = { address: deployment.usdc, abi: testUsdcAbi };
  const collateral = parameters.entryUsdc + parameters.bondUsdc * BigInt(posts);
  return [
    buildTransaction(operator, tok, 'transfer', [poster, parameters.accessFeeTokWei * BigInt(posts)]),
    buildTransaction(operator, usdc, 'mint', [poster, collateral]),
    buildTransaction(poster, tok, 'approve', [paymentGateway, maxUint256]),
    buildTransaction(poster, usdc, 'approve', [depositVault, collateral]),
    buildTransaction(poster, { address: depositVault, abi: depositVaultAbi }, 'topUp', [collateral]),
  ];
}

/** The texts differ by `number`; the task's own number is the chain's to give. */
export function buildPostTransaction(
  deployment: Deployment,
  number: number,
  chainTime: number,
): DevTransaction {
  const { uri, criteriaHash } = documents[number % documents.length] as (typeof documents)[number];
  const registry = { address: deployment.markets.standard.taskRegistry, abi: taskRegistryAbi };
  const offer = {
    totalAmount: parseTok('500'),
    deadline: BigInt(chainTime + 30 * day),
    reviewPeriod: 2 * day,
    criteriaHash,
    milestones: [],
    uri,
    fundNow: 0n,
  };
  return buildTransaction(poster, registry, 'postTask', [offer]);
}
