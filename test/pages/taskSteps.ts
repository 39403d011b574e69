// Calls that bring a task to the state in which a test begins.
import { type Hex, keccak256, stringToHex } from 'viem';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Cast } from '../support/cast.ts';

export const readTask = ({ client, contracts }: Cast, id: bigint) =>
  client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });

export const steps = {
  claim: async ({ client, contracts, worker }: Cast, id: bigint) => {
    const digest = await client.readContract({
      ...contracts.registry,
      functionName: 'openDigest',
      args: [id, worker.address],
    });
    await worker.write(contracts.registry, 'claimTask', [id, digest]);
  },
  start: async (cast: Cast, id: bigint) => {
    const { registry } = cast.contracts;
    await cast.poster.write(registry, 'fundTask', [id, parseTok('1000')]);
    await cast.poster.write(registry, 'startWork', [id, (await readTask(cast, id)).settlementDigest]);
  },
  deliver: ({ contracts, worker }: Cast, id: bigint, work: Hex = '0x01') =>
    worker.write(contracts.registry, 'submitProof', [id, 0, keccak256(work), 'https://work.example/']),
  dispute: async (cast: Cast, id: bigint) => {
    const { updatedAt } = await readTask(cast, id);
    const evidence = keccak256(stringToHex('silence'));
    await cast.poster.write(cast.contracts.registry, 'openDispute', [id, updatedAt, true, evidence, '']);
  },
  answer: async ({ contracts, worker }: Cast, id: bigint) => {
    await worker.write(contracts.tok, 'approve', [contracts.gateway.address, parseTok('100000')]);
    await worker.write(contracts.court, 'answerDispute', [id, true, keccak256(stringToHex('silence')), '']);
  },
} as const;
