// The call of each action on a task, made from the task as it stands and from what its form says.
import { type Hex, keccak256, stringToBytes } from 'viem';
import { readContract } from 'viem/actions';
import { taskRegistryAbi } from '#chain/abi/taskRegistry.ts';
import {
  encodeEscalate,
  encodeOpenDispute,
  encodeProposeArbitrator,
  encodeResolveDispute,
  encodeResolveTimedOutDispute,
} from '#chain/calls/disputing.ts';
import { encodeClaimTask, encodeFundTask } from '#chain/calls/entering.ts';
import {
  encodeCancelTask,
  encodeDismissWorker,
  encodeLeaveTask,
  encodeMutualSettle,
  encodeResolveTimedOut,
} from '#chain/calls/leaving.ts';
import {
  encodeAcceptMilestone,
  encodeCompleteTask,
  encodeStartWork,
  encodeSubmitProof,
} from '#chain/calls/working.ts';
import { parseAddress } from '#domain/address.ts';
import { parseTok } from '#domain/amount.ts';
import { protocolConstants } from '#domain/parameters.ts';
import { parseTaskId } from '#domain/taskId.ts';
import { currentMilestone, type Task } from '../data/market.ts';
import type { Needs } from './plan.ts';
import type { Contracts } from './readPurse.ts';
import { readOffer } from './settlement.ts';
import type { WalletClient } from './useWallet.ts';

/** What the form of an action holds; each action has its own fields. */
export type ActionInput = Readonly<Record<string, string>>;

type Make = (context: {
  readonly task: Task;
  readonly number: bigint;
  readonly contracts: Contracts;
  readonly client: WalletClient;
  readonly input: ActionInput;
}) => Needs | Promise<Needs>;

export function buildTaskNeeds(
  action: string,
  task: Task,
  contracts: Contracts,
  client: WalletClient,
  input: ActionInput,
): Promise<Needs> {
  const make = makers[action];
  if (make === undefined) throw new Error(`this page has no way to ${action}`);
  const { number } = parseTaskId(task.id);
  return Promise.resolve(make({ task, number, contracts, client, input }));
}

const makers: Readonly<Record<string, Make>> = {
  'claim-task': async ({ number, contracts, client }) => {
    const expectedDigest = await readContract(client, {
      address: contracts.taskRegistry,
      abi: taskRegistryAbi,
      functionName: 'openDigest',
      args: [number, client.account.address],
    });
    const calls = encodeClaimTask(contracts, { number, expectedDigest });
    return { calls, digest: expectedDigest, hasFee: true, hasBond: true };
  },
  'fund-task': ({ number, contracts, input }) => {
    const amountTokWei = parseTok(input.amount);
    const calls = encodeFundTask(contracts, { number, amountTokWei });
    return { calls, tokWei: amountTokWei, tokFor: 'Into escrow' };
  },
  'start-work': ({ task, number, contracts }) => ({
    calls: encodeStartWork(contracts, { number, expectedDigest: task.settlementDigest as Hex }),
  }),
  'submit-proof': ({ number, contracts, input }) => {
    const uri = input.uri ?? '';
    const proofHash = (input.fileHash as Hex | undefined) ?? hashText(uri);
    return { calls: encodeSubmitProof(contracts, { number, proofHash, uri }) };
  },
  'accept-milestone': ({ task, number, contracts }) => ({
    calls: encodeAcceptMilestone(contracts, { number, milestone: currentMilestone(task) }),
  }),
  'complete-task': ({ number, contracts }) => ({ calls: encodeCompleteTask(contracts, number) }),
  'leave-task': ({ number, contracts }) => ({ calls: encodeLeaveTask(contracts, number), hasFee: true }),
  'dismiss-worker': ({ task, number, contracts }) => ({
    calls: encodeDismissWorker(contracts, number),
    // The fee went with the notice; the call that follows a notice is free.
    hasFee: !task.nextActions.some(({ action, from }) => action === 'dismiss-worker' && from !== null),
  }),
  'cancel-task': ({ number, contracts }) => ({ calls: encodeCancelTask(contracts, number) }),
  'resolve-timed-out': ({ task, number, contracts }) => ({
    calls:
      task.state === 'DISPUTED'
        ? encodeResolveTimedOutDispute(contracts, number)
        : encodeResolveTimedOut(contracts, number),
  }),
  'open-dispute': ({ task, number, contracts, input }) => {
    const milestone = BigInt(task.milestones[currentMilestone(task)]?.amountTokWei ?? 0);
    return {
      calls: encodeOpenDispute(contracts, { number, evidenceHash: hashText(input.text ?? '') }),
      tokWei: (milestone * BigInt(protocolConstants.disputeBps)) / 10_000n,
      tokFor: 'Dispute bond, back if you win',
    };
  },
  'propose-arbitrator': ({ number, contracts, input }) => ({
    calls: encodeProposeArbitrator(contracts, { number, arbitrator: parseAddress(input.address) }),
  }),
  'resolve-dispute': ({ number, contracts, input }) => ({
    calls: encodeResolveDispute(contracts, {
      number,
      workerBps: parsePercent(input.percent),
      reasonHash: hashText(input.text ?? ''),
    }),
  }),
  'mutual-settle': ({ task, number, contracts, input }) => {
    const offer = readOffer(input.other ?? '');
    if (offer === null) throw new Error('Sign an offer and hand it over, or paste the one you were given.');
    if (offer.task !== task.id) throw new Error(`This offer is for another task, ${offer.task}.`);
    const { workerBps, validUntil, by } = offer;
    const signature = offer.signature as Hex;
    return {
      calls: encodeMutualSettle(contracts, {
        number,
        workerBps,
        validUntil,
        posterSignature: by === 'poster' ? signature : '0x',
        workerSignature: by === 'worker' ? signature : '0x',
      }),
    };
  },
  escalate: ({ number, contracts }) => ({ calls: encodeEscalate(contracts, number) }),
};

function hashText(text: string): Hex {
  return keccak256(stringToBytes(text));
}

function parsePercent(text: string | undefined): number {
  if (text === undefined || !/^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)$/.test(text))
    throw new Error('A share is a number from 0 to 100, with at most two decimal places.');
  return Math.round(Number(text) * 100);
}
