// Whatever a tool is given: words and no stack, answers as the schema says, and no request left behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actions } from '#sdk/actions/catalog.ts';
import { tools } from '#service/mcp/tools.ts';
import { call, tools as served } from './scene.ts';

/** Half of a surrogate pair included. The units that fast-check calls binary take a second to build. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    "'; DROP TABLE tasks; --",
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '0x',
    `0x${'f'.repeat(40)}`,
    'v2:standard:0',
    'v2:standard:99999999999999999999',
    '9'.repeat(400),
    -1,
    1e308,
    { __proto__: null, toString: 'x' },
    [[[[]]]],
  ),
  fc.string({ unit: anyUnit, maxLength: 64 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
);

/** Some of the names it knows, some with hostile values, and now and then one that it does not know. */
const anyOf = (names: readonly string[]) =>
  fc.record(Object.fromEntries([...names, 'unknown'].map((name) => [name, hostile])), { requiredKeys: [] });

const anyAction = fc
  .constantFrom(...actions)
  .chain(({ name, input }) =>
    fc.record({ action: fc.constant(name), arguments: anyOf(Object.keys(input.shape)) }),
  );

for (const { name, input } of tools) {
  test(`${name} answers anything in words, and leaves nothing behind`, async () => {
    const before = served.handed();
    const args = name === 'svc_prepare' ? anyAction : anyOf(Object.keys(input.shape));
    const property = fc.asyncProperty(args, async (given) => {
      const { isError, text } = await call(name, given as Record<string, unknown>);
      if (!isError) return;
      assert.ok(text.length > 10 && text.length < 5_000, text);
      assert.doesNotMatch(text, /\n\s+at |file:\/\/|node_modules|went wrong on our side|\[object|SELECT /);
    });
    await fc.assert(property, { numRuns: name === 'svc_prepare' ? 40 : 8 });
    assert.equal(served.handed(), before);
  });
}
