// Calls that bring a task to the state in which a test begins.
import { type Hex, keccak256, stringToHex } from 'viem';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Cast } from '../support/cast.ts';

export const steps = {
  claim: async ({ client, contracts, worker }: Cast, id: bigint) => {
    const digest = await client.readContract({
      ...contracts.registry,
      functionName: 'openDigest',
      args: [id, worker.address],
    });
    await worker.write(contracts.registry, 'claimTask', [id, digest]);
  },
  start: async ({ client, contracts, poster }: Cast, id: bigint) => {
    await poster.write(contracts.registry, 'fundTask', [id, parseTok('1000')]);
    const task = await client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });
    await poster.write(contracts.registry, 'startWork', [id, task.settlementDigest]);
  },
  deliver: ({ contracts, worker }: Cast, id: bigint, work: Hex = '0x01') =>
    worker.write(contracts.registry, 'submitProof', [id, 0, keccak256(work), 'https://work.example/']),
  dispute: async ({ client, contracts, poster }: Cast, id: bigint) => {
    const task = await client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });
    const evidence = keccak256(stringToHex('silence'));
    await poster.write(contracts.registry, 'openDispute', [id, task.updatedAt, true, evidence, '']);
  },
  answer: async ({ contracts, worker }: Cast, id: bigint) => {
    await worker.write(contracts.tok, 'approve', [contracts.gateway.address, parseTok('100000')]);
    await worker.write(contracts.court, 'answerDispute', [id, true, keccak256(stringToHex('silence')), '']);
  },
} as const;
