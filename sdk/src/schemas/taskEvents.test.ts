import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as abis from '@svc/contracts/abi';
import type { Abi, AbiEvent, AbiParameter } from 'viem';
import * as z from 'zod';
import { taskEvents } from './taskEvents.ts';

const events = (Object.values(abis) as Abi[])
  .flat()
  .filter((part): part is AbiEvent => part.type === 'event')
  .filter(({ inputs }) => inputs.some(({ name }) => name === 'taskId'));

/** What is published for a type of Solidity: 40, 64 and 32 bits hold times and small numbers, more are amounts. */
function isMeant({ type }: AbiParameter, schema: z.ZodType): boolean {
  if (type === 'uint8' && schema instanceof z.ZodEnum) return true;
  if (/^uint(8|16|32|40|64)$/.test(type))
    return schema.safeParse(7).success && !schema.safeParse('7').success;
  if (type === 'uint96[]') return schema.safeParse(['7']).success;
  const samples: Readonly<Record<string, unknown>> = {
    uint96: '7',
    uint256: '7',
    address: `0x${'ab'.repeat(20)}`,
    bytes32: `0x${'ab'.repeat(32)}`,
    bool: true,
    string: 'any text',
  };
  return schema.safeParse(samples[type]).success && !schema.safeParse(7).success;
}

test('each event of a task has its schema, with the arguments that the contracts emit', () => {
  assert.deepEqual(Object.keys(taskEvents).sort(), events.map(({ name }) => name).sort());
  for (const { name, inputs } of events) {
    const { shape } = taskEvents[name as keyof typeof taskEvents];
    assert.deepEqual(Object.keys(shape).sort(), inputs.map((input) => input.name ?? '').sort(), name);
    for (const input of inputs)
      assert.ok(isMeant(input, shape[(input.name ?? '') as keyof typeof shape]), `${name}.${input.name}`);
  }
});
