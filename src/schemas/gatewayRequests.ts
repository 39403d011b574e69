// The queries of the gateway's routes: as on the site, with lists of 25 unless another limit is given.
import { z } from 'zod';
import { cursorParameter, limitParameterOf, market, marketParameter } from './requests.ts';

export const gatewayListQuerySchema = z.object({
  market: marketParameter,
  limit: limitParameterOf(25),
  cursor: cursorParameter,
});

export const boardQuerySchema = z.object({ market: marketParameter, limit: limitParameterOf(25) });

export const gatewayTaskQuerySchema = z.object({
  market: market
    .optional()
    .meta({ description: 'The market of a plain number; standard unless given.', examples: ['standard'] }),
});
