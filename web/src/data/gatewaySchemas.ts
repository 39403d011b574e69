// The contract of the gateway's replies: a chunk that is loaded with the first reply.
import {
  errorSchema,
  marketHealthSchema,
  reputationBoardSchema,
  treasuryHistorySchema,
  treasurySchema,
  verifierBoardSchema,
  walletRequestSchema,
} from '@svc/sdk/schemas';

export const gatewaySchemas = {
  error: errorSchema,
  reputation: reputationBoardSchema,
  verifiers: verifierBoardSchema,
  treasury: treasurySchema,
  treasuryHistory: treasuryHistorySchema,
  health: marketHealthSchema,
  walletRequest: walletRequestSchema,
};
