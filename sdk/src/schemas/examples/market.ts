// What the market's routes answer, from the seeded market of the embedded chain, texts shortened.
import type { z } from 'zod';
import type { metaSchema } from '../primitives.ts';
import type { openListSchema, taskListSchema, taskReplySchema, taskSchema } from '../task.ts';
import type { timelineSchema } from '../timeline.ts';

const registryAddress = '0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6';
const press = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const painter = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a';
const uri = 'data:application/json;base64,eyJ0aXRsZSI6IkNvdmVyIHBhaW50aW5nIn0=';
const criteriaHash = '0x73bab0f79bfcff710ebcbe926f7b4493e1884c5c769cfdc865920338ee969bcd';
const settlementDigest = '0xdd06777899e0a8fe25d74389a5a60d9c99230610a56587e3d8b4d254d2304bba';

const meta = {
  protocolVersion: 'v2',
  asset: 'TOK',
  market: 'standard',
  source: 'chain-rpc',
} as const satisfies z.output<typeof metaSchema>;

const task: z.output<typeof taskSchema> = {
  id: 'v2:standard:3',
  market: 'standard',
  registryAddress,
  state: 'COMPLETED',
  totalAmountTokWei: '20000000000000000000000',
  fundedTokWei: '20000000000000000000000',
  releasedTokWei: '20000000000000000000000',
  worker: painter,
  settlementDigest,
  poster: press,
  scope: 'open',
  uri,
  criteriaHash,
  lockedTokWei: '0',
  refundedTokWei: '0',
  feesTokWei: '0',
  createdAt: 1_791_419_094,
  updatedAt: 1_792_445_094,
  deadline: 1_793_348_694,
  reviewPeriod: 432_000,
  claimedAt: 1_791_444_294,
  deliveredAt: 1_792_279_494,
  milestones: [
    { amountTokWei: '6000000000000000000000', state: 'paid' },
    { amountTokWei: '14000000000000000000000', state: 'paid' },
  ],
  round: 0,
  fullyFunded: true,
  dispute: null,
  nextActions: [],
  title: 'Cover painting for a novel about a lighthouse strike',
  description: 'A lighthouse, a strike committee, winter light.',
  criteria: 'Sketches differ in composition, not in detail.',
  tags: ['illustration', 'book-cover', 'gouache'],
  criteriaMatches: true,
};

export const taskReply: z.output<typeof taskReplySchema> = { task, meta };

export const taskList: z.output<typeof taskListSchema> = { tasks: [task], count: 1, nextCursor: null, meta };

export const openList: z.output<typeof openListSchema> = {
  tasks: [
    {
      id: 'v2:standard:56',
      market: 'standard',
      registryAddress,
      state: 'POSTED',
      totalAmountTokWei: '26000000000000000000000',
      fundedTokWei: '26000000000000000000000',
      releasedTokWei: '0',
      deadline: 1_797_719_094,
      createdAt: 1_794_695_094,
      uri,
      fullyFunded: true,
      scope: 'open',
    },
  ],
  count: 1,
  nextCursor: '56',
  meta,
};

const claimTx = '0x024e0b7ec2683d6bdf2ea4eb6944cf79b41803705b86893ab7323a683aa230ff';

export const timeline: z.output<typeof timelineSchema> = {
  id: 'v2:standard:3',
  events: [
    {
      name: 'TaskClaimed',
      args: { taskId: '3', worker: painter, round: 0, settlementDigest },
      blockNumber: 192,
      time: 1_791_444_294,
      txHash: claimTx,
      logIndex: 0,
      contract: 'taskRegistry',
    },
    {
      name: 'TaskState',
      args: { taskId: '3', state: 'CLAIMED', round: 0, milestone: 0 },
      blockNumber: 192,
      time: 1_791_444_294,
      txHash: claimTx,
      logIndex: 1,
      contract: 'taskRegistry',
    },
  ],
  count: 2,
  nextCursor: '192.1',
  complete: true,
  meta,
};
