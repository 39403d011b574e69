// The arguments of a prepare action as a tool's schema: told to the model, and judged by the action itself.

import type { Action } from '@svc/sdk/actions';
import * as z from 'zod';

/** Amounts and times as text keep their exact value; lists and objects are for milestones, files and terms. */
const anyArgument = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

export function buildRawSchema({ input }: Action): z.ZodObject {
  const shape = Object.entries(input.shape).map(([name, field]) => {
    const schema = field as z.ZodType;
    const described = anyArgument.describe(schema.description ?? name);
    return [name, schema.safeParse(undefined).success ? described.optional() : described];
  });
  return z.object(Object.fromEntries(shape));
}

/** In one line, such as `claim-task(taskId, from, market?)`. */
export function describeArguments({ name, input }: Action): string {
  const names = Object.entries(input.shape).map(([key, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? `${key}?` : key,
  );
  return `${name}(${names.join(', ')})`;
}
