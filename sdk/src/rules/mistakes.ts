// All mistakes of a value at once: where each is, what is wrong, and which name was meant.
import type * as z from 'zod';
import { findNear, toShown } from '../domain/text.ts';

export type Mistake = {
  /** The field. */
  readonly at: string;
  readonly says: string;
};

export const toLine = ({ at, says }: Mistake): string => `${at}: ${says}`;

/** One line for each mistake; none where the value fits. */
export function listMistakes(schema: z.ZodType, value: unknown): string[] {
  return (schema.safeParse(value).error?.issues ?? []).flatMap((issue) => {
    const nameAt = (path: readonly PropertyKey[]) => path.map((part) => toShown(String(part))).join('.');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) => `${nameAt([...issue.path, key])}: ${nameUnknown(key, schema, issue.path)}`,
      );
    return issue.path.length === 0
      ? ['arguments: must be a JSON object']
      : [`${nameAt(issue.path)}: ${issue.message}`];
  });
}

/** Says which name was meant by an unknown one at this place, or which names there are. */
export function nameUnknown(key: string, schema: z.ZodType, path: readonly PropertyKey[]): string {
  const names = [...new Set(schemasAt(schema, path).flatMap((one) => Object.keys(fieldsOf(one))))];
  const near = findNear(key, names);
  if (near !== undefined) return `there is no such field; did you mean ${near}?`;
  return `there is no such field; ${names.length === 0 ? 'leave it out' : `there are ${names.join(', ')}`}`;
}

/** Names that earlier versions had; they are taken, and shown nowhere. */
const oldNames: readonly (readonly [old: string, name: string])[] = [['criteriaText', 'criteria']];

/** The value with the names of today, wherever the schema has the new name and not the old one. */
export function takeOldNames(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.assign({}, ...schemasAt(schema, []).map(fieldsOf)) as Fields;
  const entries = Object.entries(value).map(([key, field]) => {
    const [, name = key] = oldNames.find(([old]) => old === key) ?? [];
    const inner = ownOf(fields, key);
    const isOld = inner === undefined && ownOf(fields, name) !== undefined && !Object.hasOwn(value, name);
    return [isOld ? name : key, inner === undefined ? field : takeOldNames(inner, field)];
  });
  return Object.fromEntries(entries);
}

type Fields = Readonly<Record<string, z.ZodType>>;

/** What zod knows of a schema, as far as names are looked for in it. */
type Shape = {
  readonly type: string;
  readonly shape?: Fields;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
};

const shapeOf = (schema: z.ZodType) => schema.def as unknown as Shape;
const fieldsOf = (schema: z.ZodType): Fields => shapeOf(schema).shape ?? {};
/** No name of a prototype is a field. */
const ownOf = (fields: Fields, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);

/** The schemas that a value at this place may have. */
function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType[] {
  const [part, ...rest] = path;
  const choices = unwrap(schema);
  if (part === undefined) return choices;
  return choices.flatMap((one) => {
    const inner = ownOf(fieldsOf(one), String(part)) ?? shapeOf(one).element;
    return inner === undefined ? [] : schemasAt(inner, rest);
  });
}

function unwrap(schema: z.ZodType): z.ZodType[] {
  const { innerType, in: from, options } = shapeOf(schema);
  const inner = innerType ?? from;
  if (inner !== undefined) return unwrap(inner);
  return options === undefined ? [schema] : options.flatMap(unwrap);
}
