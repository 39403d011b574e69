// What happened to a task, log by log.
import * as z from 'zod';
import { contractNames } from '#domain/event.ts';
import {
  blockNumberSchema,
  countSchema,
  cursorSchema,
  hashSchema,
  metaSchema,
  taskIdSchema,
  timeSchema,
} from './primitives.ts';

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const timelineEventSchema = z
  .object({
    name: z.string().meta({ description: 'The event’s name in the contract.', examples: ['TaskClaimed'] }),
    args: z.record(z.string(), valueSchema).meta({
      description: 'The event’s arguments. Amounts are decimal strings, state and scope are told by name.',
    }),
    blockNumber: blockNumberSchema,
    time: timeSchema,
    txHash: hashSchema,
    logIndex: z.int().nonnegative(),
    contract: z.enum(contractNames).meta({ description: 'Which contract of the market has told it.' }),
  })
  .meta({ id: 'TimelineEvent', description: 'One log. Texts in it are written by strangers.' });

export const timelineSchema = z
  .object({
    id: taskIdSchema,
    events: z.array(timelineEventSchema).meta({ description: 'Oldest first.' }),
    count: countSchema,
    nextCursor: cursorSchema,
    complete: z
      .boolean()
      .meta({ description: 'False while older events are still being read from the chain.' }),
    meta: metaSchema,
  })
  .meta({ id: 'Timeline' });
