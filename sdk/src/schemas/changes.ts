// What the stream of server-sent events tells.
import * as z from 'zod';
import { blockNumberSchema, marketSchema, taskIdSchema } from './primitives.ts';
import { stateSchema } from './task.ts';

export const taskNewsSchema = z
  .object({ id: taskIdSchema, market: marketSchema, state: stateSchema, blockNumber: blockNumberSchema })
  .meta({ id: 'TaskNews', description: 'A task was posted or has changed; read it for the rest.' });
