// The call of each action on a task, made from the task as it stands and from what its form says.

import { taskRegistryAbi } from '@svc/contracts/abi';
import {
  encodeAcceptMilestone,
  encodeCancelTask,
  encodeClaimTask,
  encodeCompleteTask,
  encodeDismissWorker,
  encodeEscalate,
  encodeFundTask,
  encodeLeaveTask,
  encodeMutualSettle,
  encodeOpenDispute,
  encodeProposeArbitrator,
  encodeResolveDispute,
  encodeResolveTimedOut,
  encodeResolveTimedOutDispute,
  encodeStartWork,
  encodeSubmitProof,
} from '@svc/sdk/chain';
import { parseAddress, parseTaskId, parseTok, protocolConstants } from '@svc/sdk/domain';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { readContract } from 'viem/actions';
import { shorten, showTok } from '#data/format.ts';
import { currentMilestone, type Task } from '#data/market.ts';
import type { Cost, Needs } from './plan.ts';
import type { Contracts } from './readPurse.ts';
import { parseOffer, parsePercent } from './settlement.ts';
import type { WalletClient } from './useWallet.tsx';

/** In the place of a file's hash until it is known. */
export const fileReading = 'reading';

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
    const uri = (input.uri ?? '').trim();
    if (input.fileHash === fileReading) throw new Error('The file is still being read.');
    if (input.fileHash === undefined && uri === '')
      throw new Error('Say where the work is, or choose its file: an empty delivery proves nothing.');
    const proofHash = (input.fileHash as Hex | undefined) ?? hashText(uri);
    return { calls: encodeSubmitProof(contracts, { number, proofHash, uri }) };
  },
  'accept-milestone': ({ task, number, contracts }) => {
    const milestone = currentMilestone(task);
    const isLast = milestone === task.milestones.length - 1;
    return {
      calls: encodeAcceptMilestone(contracts, { number, milestone }),
      moves: [
        payWorker(task, task.milestones[milestone]?.amountTokWei ?? '0'),
        ...(isLast ? [freeBonds] : []),
      ],
    };
  },
  'complete-task': ({ task, number, contracts }) => ({
    calls: encodeCompleteTask(contracts, number),
    moves: [payWorker(task, task.lockedTokWei), freeBonds],
  }),
  'leave-task': ({ number, contracts }) => ({ calls: encodeLeaveTask(contracts, number), hasFee: true }),
  'dismiss-worker': ({ task, number, contracts }) => ({
    calls: encodeDismissWorker(contracts, number),
    // The fee went with the notice; the call that follows a notice is free.
    hasFee: !task.nextActions.some(({ action, from }) => action === 'dismiss-worker' && from !== null),
  }),
  'cancel-task': ({ task, number, contracts }) => ({
    calls: encodeCancelTask(contracts, number),
    moves: [
      { what: 'Back to you', amount: `${showTok(task.lockedTokWei)} TOK`, note: 'all that escrow holds' },
      { what: 'Your bond', amount: 'free again' },
    ],
  }),
  'resolve-timed-out': ({ task, number, contracts }) => ({
    calls:
      task.state === 'DISPUTED'
        ? encodeResolveTimedOutDispute(contracts, number)
        : encodeResolveTimedOut(contracts, number),
  }),
  'open-dispute': ({ task, number, contracts, input }) => {
    const milestone = BigInt(task.milestones[currentMilestone(task)]?.amountTokWei ?? 0);
    const evidenceHash = hashText(requireText(input.text, 'Say what is wrong: the arbitrator will ask.'));
    return {
      calls: encodeOpenDispute(contracts, { number, evidenceHash }),
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
      reasonHash: hashText(requireText(input.text, 'Give your reasons: both parties will ask for them.')),
    }),
  }),
  'mutual-settle': ({ task, number, contracts, input }) => {
    const offer = parseOffer(input.other ?? '');
    if (offer === null) throw new Error('Sign an offer and hand it over, or paste the one you were given.');
    if (offer.task !== task.id) throw new Error(`This offer is for another task, ${offer.task}.`);
    const { workerBps, validUntil, by } = offer;
    const signature = offer.signature as Hex;
    const held = BigInt(task.lockedTokWei);
    const toWorker = (held * BigInt(workerBps)) / 10_000n;
    return {
      moves: [
        payWorker(task, toWorker),
        { what: 'To the poster', amount: `${showTok(held - toWorker)} TOK`, note: 'the rest of escrow' },
        freeBonds,
      ],
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

const freeBonds: Cost = { what: 'Bonds of both', amount: 'free again' };

function payWorker({ worker }: Task, wei: string | bigint): Cost {
  const name = worker === undefined ? 'the worker' : `the worker ${shorten(worker)}`;
  return { what: `To ${name}`, amount: `${showTok(wei)} TOK`, note: 'from escrow, at once' };
}

/** Exactly as it was typed: its writer will want to prove it. */
function requireText(text: string | undefined, words: string): string {
  if (text === undefined || text.trim() === '') throw new Error(words);
  return text;
}

function hashText(text: string): Hex {
  return keccak256(stringToBytes(text));
}
