// The fields of typed data that a signature covers: all that its types declare, at any depth, and no others.
import * as z from 'zod';
import { toWords } from '../data/format.ts';

const fieldsSchema = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((fields) => fields ?? {});

const typedDataSchema = z.object({
  domain: fieldsSchema,
  message: fieldsSchema,
  primaryType: z.string(),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
});

export type TypedField = {
  /** The names of the field and its parents, in words. */
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
};

export type TypedData = NonNullable<ReturnType<typeof parseTypedData>>;

/** Null if it has no valid types. */
export function parseTypedData(typedData: unknown) {
  const parsed = typedDataSchema.safeParse(typedData);
  if (!parsed.success) return null;
  const { domain, message, primaryType, types } = parsed.data;
  const structs = new Map(Object.entries(types));
  const readStruct = (type: string, value: unknown, path: string): TypedField[] => {
    const values = new Map(Object.entries(value ?? {}));
    return (structs.get(type) ?? []).flatMap(({ name, type: inner }) =>
      readField(name, inner, values.get(name), path === '' ? toWords(name) : `${path}, ${toWords(name)}`),
    );
  };
  const readField = (name: string, type: string, value: unknown, path: string): TypedField[] => {
    const [, element] = /^(.*)\[\d*\]$/.exec(type) ?? [];
    if (element !== undefined && Array.isArray(value) && value.length > 0)
      return value.flatMap((part, index) => readField(name, element, part, `${path} ${index + 1}`));
    if (structs.has(type) && typeof value === 'object' && value !== null)
      return readStruct(type, value, path);
    const isEmpty = value === undefined || value === null || Array.isArray(value);
    return [{ path, name, type, value: isEmpty ? 'none' : value }];
  };
  return { domain, primaryType, fields: readStruct(primaryType, message, '') };
}
