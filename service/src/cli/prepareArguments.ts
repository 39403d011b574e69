// The arguments of an action as its schema tells them: what `svc prepare` takes and shows as options.

import type { Action } from '@svc/sdk/actions';
import * as z from 'zod';

/** One argument as its JSON Schema tells it. */
export type ArgumentShape = {
  readonly name: string;
  readonly description: string;
  readonly kind: 'text' | 'flag' | 'list' | 'json';
  readonly isRequired: boolean;
};

type Property = { readonly type?: string; readonly description?: string; readonly items?: Property };

export function listArguments({ input }: Action): ArgumentShape[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    description: property.description ?? '',
    kind: kindOf(property),
    isRequired: required.includes(name),
  }));
}

function kindOf({ type, items }: Property): ArgumentShape['kind'] {
  if (type === 'boolean') return 'flag';
  if (type === 'object') return 'json';
  if (type === 'array') return items?.type === 'object' ? 'json' : 'list';
  return 'text';
}
