// Whether an answer is exactly what its schema says: nothing missing, nothing more.
import assert from 'node:assert/strict';
import * as z from 'zod';

export function assertFits(schema: z.ZodType, body: unknown, what: string): void {
  const parsed = schema.safeParse(body);
  assert.ok(parsed.success, `${what}: ${parsed.error && z.prettifyError(parsed.error)}`);
  // Parsing drops what the schema does not name, so an undocumented field shows here.
  assert.deepEqual(parsed.data, body, what);
}
