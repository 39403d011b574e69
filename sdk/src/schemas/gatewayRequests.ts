// The queries of the gateway's routes: as on the site, with lists of 25 unless another limit is given.
import * as z from 'zod';
import {
  cursorParameter,
  limitParameterOf,
  market,
  marketParameter,
  optionalAddressParameter,
} from './requests.ts';

export const gatewayListQuerySchema = z.object({
  market: marketParameter,
  limit: limitParameterOf(25),
  cursor: cursorParameter,
});

export const boardQuerySchema = z.object({ market: marketParameter, limit: limitParameterOf(25) });

export const historyQuerySchema = z.object({ market: marketParameter });

export const reputationQuerySchema = boardQuerySchema.extend({
  address: optionalAddressParameter.meta({ description: 'Only this agent, with its rank among all.' }),
});

export const gatewayTaskQuerySchema = z.object({
  market: market
    .optional()
    .meta({ description: 'The market of a plain number; standard unless given.', examples: ['standard'] }),
});

export const taskParamsSchema = z.object({
  id: z.string().meta({
    description: 'The task, or its plain number.',
    parameter: { type: 'string', pattern: '^(v2:(standard|micro):)?[1-9][0-9]{0,19}$' },
    examples: ['v2:standard:3', '3'],
  }),
});

export const requestParamsSchema = z.object({
  id: z.string().meta({ description: 'The id that was answered when the request was made.' }),
});
