// The tool that returns a wallet's reputation on a market.

import { addressSchema, marketSchema, timeSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { addressArgument, marketArgument } from './arguments.ts';
import { defineTool, type Tool } from './tool.ts';

const count = z.int().nonnegative();

export const reputationTool: Tool = defineTool({
  name: 'svc_get_agent_reputation',
  title: 'Reputation of a wallet',
  description:
    'How often a wallet posted, claimed, completed, won and lost disputes, left or was dismissed on a market, and the ' +
    'score that follows. Check it before you work for or hire an unknown wallet. A wallet without history has zeros.',
  input: z.object({ address: addressArgument, market: marketArgument }),
  output: z.object({
    address: addressSchema,
    market: marketSchema,
    score: z.int(),
    posted: count,
    claimed: count,
    completed: count,
    disputesWon: count,
    disputesLost: count,
    left: count,
    dismissed: count,
    lastActive: timeSchema.nullable(),
  }),
  run: async ({ address, market }, { readReputation }) => ({
    address,
    market,
    ...(await readReputation(market, address)),
  }),
});
