// What a client checks of a reply: the fields that it knows, and how amounts, addresses and hashes are written. Words and
// fields of a newer server pass through.
import type * as z from 'zod';
import type { Route, Routes } from '../schemas/route.ts';

/** How a value is written. */
type Kind = 'text' | 'number' | 'boolean' | 'amount' | 'integer' | 'address' | 'hex' | 'any';

/** A kind, a list, a value or null, or an object; a field that may be absent ends with `?`. */
export type Shape = Kind | readonly [Shape] | readonly [Shape, null] | { readonly [field: string]: Shape };

/** What a client needs of a route; the shape is null for texts and bytes. */
export type ClientRoute<Reply = unknown> = {
  readonly path: string;
  readonly method: string;
  readonly mayRepeat?: true;
  readonly reply: Shape | null;
  /** Never there: the type of the reply. */
  readonly as?: Reply;
};

export type ReplyOf<R extends Route> = R['reply']['schema'] extends z.ZodType
  ? z.output<R['reply']['schema']>
  : never;

export type ClientRoutes<Group extends Routes> = {
  readonly [Name in keyof Group]: ClientRoute<ReplyOf<Group[Name]>>;
};

const patterns = {
  amount: /^\d+$/,
  integer: /^-?\d+$/,
  address: /^0x[0-9a-fA-F]{40}$/,
  hex: /^0x[0-9a-fA-F]*$/,
} as const;

/** Where a value does not fit, and what should be there; null where it fits. */
export function findMisfit(shape: Shape, value: unknown, place = ''): string | null {
  if (typeof shape === 'string') return isOfKind(shape, value) ? null : say(place, shape);
  if (isTuple(shape)) {
    const [item] = shape;
    if (shape.length === 2) return value === null ? null : findMisfit(item, value, place);
    if (!Array.isArray(value)) return say(place, 'list');
    return firstOf(value.entries(), ([at, one]) => findMisfit(item, one, `${place}[${at}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return say(place, 'object');
  return firstOf(Object.entries(shape), ([name, of]) => {
    const isOptional = name.endsWith('?');
    const field = isOptional ? name.slice(0, -1) : name;
    const found = Object.hasOwn(value, field) ? value[field as keyof typeof value] : undefined;
    if (found === undefined && isOptional) return null;
    return findMisfit(of, found, place === '' ? field : `${place}.${field}`);
  });
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'any') return value !== undefined;
  if (kind === 'number' || kind === 'boolean') return typeof value === kind;
  return typeof value === 'string' && (kind === 'text' || patterns[kind].test(value));
}

function isTuple(shape: Shape): shape is readonly [Shape] | readonly [Shape, null] {
  return Array.isArray(shape);
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function say(place: string, wanted: string): string {
  return `${place || 'the reply'} must be of the kind ${wanted}`;
}
