// Agreeing on a task, claiming one and settling one, with nothing but viem. Explained in docs/contracts.md.

import { disputeCourtAbi, taskRegistryAbi } from '@svc/contracts/abi';
import {
  type Address,
  hashTypedData,
  keccak256,
  type LocalAccount,
  numberToHex,
  type PublicClient,
  parseEther,
  stringToBytes,
} from 'viem';

export type Place = { readonly client: PublicClient; readonly chainId: number; readonly registry: Address };

const day = 86_400;
const types = {
  TaskTerms: [
    { name: 'poster', type: 'address' },
    { name: 'worker', type: 'address' },
    { name: 'totalAmount', type: 'uint96' },
    { name: 'milestonesHash', type: 'bytes32' },
    { name: 'criteriaHash', type: 'bytes32' },
    { name: 'deadline', type: 'uint64' },
    { name: 'reviewPeriod', type: 'uint32' },
    { name: 'scope', type: 'uint8' },
    { name: 'salt', type: 'bytes32' },
    { name: 'acceptBy', type: 'uint64' },
  ],
  MutualSettlement: [
    { name: 'taskId', type: 'uint256' },
    { name: 'poster', type: 'address' },
    { name: 'worker', type: 'address' },
    { name: 'round', type: 'uint32' },
    { name: 'milestone', type: 'uint8' },
    { name: 'state', type: 'uint8' },
    { name: 'updatedAt', type: 'uint64' },
    { name: 'held', type: 'uint96' },
    { name: 'phase', type: 'uint8' },
    { name: 'workerBps', type: 'uint16' },
    { name: 'validUntil', type: 'uint64' },
  ],
} as const;

/** The worker signs first. The poster then calls `createTask(terms, [], '0x', signature, '', fundNow)`. */
export async function signTerms({ client, chainId, registry }: Place, poster: Address, worker: LocalAccount) {
  const { timestamp } = await client.getBlock();
  const message = {
    poster,
    worker: worker.address,
    totalAmount: parseEther('500'),
    milestonesHash: keccak256('0x'), // no list: one single milestone
    criteriaHash: keccak256(stringToBytes('All tests pass.')),
    deadline: timestamp + BigInt(7 * day),
    reviewPeriod: 2 * day,
    scope: 1, // PRIVATE
    salt: keccak256(stringToBytes('the id of the negotiation')),
    acceptBy: timestamp + BigInt(day),
  };
  const domain = { name: 'TaskMarket', version: '2', chainId, verifyingContract: registry };
  const typedData = { domain, types, primaryType: 'TaskTerms', message } as const;
  return {
    terms: message,
    settlementDigest: hashTypedData(typedData), // equals registry.hashTerms(terms)
    signature: await worker.signTypedData(typedData),
  };
}

/**
 * The digest to pass to `claimTask`, computed from what the worker has read: of what is left to earn, where earlier workers were
 * paid milestones. It equals `registry.openDigest`.
 */
export async function acceptOpenTask({ client, chainId, registry }: Place, taskId: bigint, worker: Address) {
  const read = { address: registry, abi: taskRegistryAbi, args: [taskId] } as const;
  const task = await client.readContract({ ...read, functionName: 'getTask' });
  const amounts = await client.readContract({ ...read, functionName: 'milestonesOf' });
  const left = amounts.slice(task.milestone);
  const words = left.map((amount) => numberToHex(amount, { size: 32 }).slice(2));
  const message = {
    ...task,
    worker,
    totalAmount: left.reduce((sum, amount) => sum + amount, 0n),
    milestonesHash: keccak256(left.length === 1 ? '0x' : `0x${words.join('')}`),
    salt: numberToHex((taskId << 32n) | BigInt(task.round), { size: 32 }),
    acceptBy: 0n,
  };
  const domain = { name: 'TaskMarket', version: '2', chainId, verifyingContract: registry };
  return hashTypedData({ domain, types, primaryType: 'TaskTerms', message });
}

/** One party's consent to a split of all that is held. It is worthless as soon as the task changes. */
export async function signSettlement(
  { client, chainId, registry }: Place,
  taskId: bigint,
  workerBps: number,
  validUntil: bigint,
  party: LocalAccount,
) {
  const read = { address: registry, abi: taskRegistryAbi, args: [taskId] } as const;
  const task = await client.readContract({ ...read, functionName: 'getTask' });
  const held = task.funded - task.released - task.refunded - task.fees;
  const court = await client.readContract({ address: registry, abi: taskRegistryAbi, functionName: 'court' });
  const phaseRead = {
    address: court,
    abi: disputeCourtAbi,
    functionName: 'phaseOf',
    args: [taskId],
  } as const;
  const phase = await client.readContract(phaseRead); // 0 while nothing is disputed
  const domain = { name: 'TaskMarket', version: '2', chainId, verifyingContract: registry };
  const message = { ...task, taskId, held, phase, workerBps, validUntil };
  return party.signTypedData({ domain, types, primaryType: 'MutualSettlement', message });
}
