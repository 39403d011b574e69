// What the routes about a wallet answer.
import type { z } from 'zod';
import type { ledgerSchema, ledgerSumsSchema } from '../ledger.ts';

const nothing: z.output<typeof ledgerSumsSchema> = {
  fundedTokWei: '0',
  lockedTokWei: '0',
  releasedTokWei: '0',
  refundedTokWei: '0',
  feesTokWei: '0',
  pendingTokWei: '0',
  disputedTokWei: '0',
};

const posted = {
  ...nothing,
  fundedTokWei: '9000000000000000000000',
  lockedTokWei: '9000000000000000000000',
};

export const ledger: z.output<typeof ledgerSchema> = {
  account: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  market: 'standard',
  registryAddress: '0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6',
  asset: 'TOK',
  protocolVersion: 'v2',
  taskCount: 1,
  asPoster: posted,
  asWorker: nothing,
  ...posted,
  completed: 0,
  disputed: 0,
  cancelled: 0,
  complete: true,
  entries: [
    {
      id: 'v2:standard:48',
      role: 'poster',
      state: 'POSTED',
      totalAmountTokWei: '9000000000000000000000',
      fundedTokWei: '9000000000000000000000',
      lockedTokWei: '9000000000000000000000',
      releasedTokWei: '0',
      refundedTokWei: '0',
      feesTokWei: '0',
      deadline: 1_795_911_894,
    },
  ],
};
