// The tools that the public conformance scenarios call by name, built and served as ours are.
import * as z from 'zod';
import type { Tool } from '#service/mcp/tool.ts';

const nothing = z.object({});
const address = z.object({ street: z.string(), city: z.string() }).partial().meta({ id: 'address' });

export const fixtureTools: readonly Tool[] = [
  {
    name: 'test_simple_text',
    title: 'Simple text',
    description: 'Answers a text.',
    input: nothing,
    output: z.object({ text: z.string() }),
    run: async () => ({ text: 'This is a simple text response for testing.' }),
  },
  {
    name: 'test_error_handling',
    title: 'An error',
    description: 'Fails.',
    input: nothing,
    output: nothing,
    run: async () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    title: 'A schema',
    description: 'Tool with JSON Schema 2020-12 features',
    input: z.strictObject({ name: z.string().optional(), address: address.optional() }),
    output: nothing,
    run: async () => ({}),
  },
];
