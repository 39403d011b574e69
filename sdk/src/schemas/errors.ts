// The bodies of refusals (Spec 7).
import * as z from 'zod';

const error = z.string().meta({ description: 'What is wrong, in words for people.' });

export const errorSchema = z.object({ error }).meta({ id: 'Error', description: 'A refusal.' });

export const problemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string().meta({ description: 'The status in words.' }),
    status: z.int(),
    detail: z.string().meta({ description: 'The same as error.' }),
    error,
  })
  .meta({
    id: 'Problem',
    description: 'A refusal in the form of RFC 9457, for who asks with Accept: application/problem+json.',
  });
