// The contract of the gateway's replies: a chunk that is loaded with the first reply.
import {
  marketHealthSchema,
  reputationBoardSchema,
  treasuryHistorySchema,
  treasurySchema,
  verifierBoardSchema,
} from '@svc/sdk/internal/schemas/boards';
import { errorSchema } from '@svc/sdk/internal/schemas/primitives';
import { walletRequestSchema } from '@svc/sdk/schemas';

export const gatewaySchemas = {
  error: errorSchema,
  reputation: reputationBoardSchema,
  verifiers: verifierBoardSchema,
  treasury: treasurySchema,
  treasuryHistory: treasuryHistorySchema,
  health: marketHealthSchema,
  walletRequest: walletRequestSchema,
};
