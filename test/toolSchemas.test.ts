// Proves that the schemas which clients see are taken by every provider, stay short, and lose no argument.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { actions } from '#sdk/actions/catalog.ts';
import { payloadSchemas } from '#sdk/schemas/envelope.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { parseValue } from '#service/mcp/mistakes.ts';
import { publishAny, publishInput } from '#service/mcp/publishedSchema.ts';
import { tools } from '#service/mcp/tools.ts';
import { dialects, findBreaches, findLoose } from './mcp/dialects.ts';
import { countTokens } from './mcp/tokens.ts';

const inputs = tools.map(({ name, schemas }) => [name, schemas?.input ?? assert.fail(name)] as const);

describe('providers', () => {
  for (const [provider, dialect] of Object.entries(dialects))
    test(`${provider} takes the arguments of every tool`, () => {
      for (const [name, input] of inputs) assert.deepEqual(findBreaches(input, dialect), [], name);
    });

  test('strict conversion succeeds for every tool', () => {
    const strict = inputs.filter(([, input]) => findLoose(input).length === 0);
    assert.equal(
      strict.length,
      tools.length,
      JSON.stringify(inputs.map(([name, input]) => [name, findLoose(input)])),
    );
    assert.deepEqual(findLoose({ type: 'object', properties: { a: { type: 'string' } } }), [': is open']);
    const choice = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: [],
      additionalProperties: false,
    };
    assert.deepEqual(findLoose({ anyOf: [{ type: 'string' }, choice] }), ['|: leaves a out']);
  });

  test('what they refuse is found', () => {
    const bad = publishInput(z.object({ market: z.union([z.boolean(), z.array(z.string()), z.string()]) }));
    const map = { type: 'object', properties: { any: { type: 'object', properties: {} } } };
    for (const dialect of Object.values(dialects)) {
      assert.deepEqual(findBreaches(bad, dialect), ['market: is a union of more than two']);
      assert.deepEqual(findBreaches(map, dialect), ['any: is an object without properties']);
      assert.match(findBreaches({ anyOf: [] }, dialect).join(), /root is a union/);
    }
  });
});

/** As `tools/list` sends them. */
const listed = tools.map(({ name, title, description, schemas }) => ({
  name,
  title,
  description,
  inputSchema: schemas?.input,
}));

test('every tool is described, and the list of tools is short', () => {
  const count = countTokens(JSON.stringify(listed));
  assert.ok(count < 8_000, `${count} tokens`);
  const guide = readFileSync(new URL('../docs/agents.md', import.meta.url), 'utf8');
  const [, said = ''] = /All tools together are about ([\d,]+) tokens/.exec(guide) ?? [];
  assert.equal(Number(said.replace(',', '')), Math.round(count / 100) * 100, 'what the guide says');
  for (const tool of listed) {
    assert.ok(tool.description.length > 60, tool.name);
    const ceiling = tool.name === 'svc_prepare' ? 2_600 : 1_000;
    assert.ok(countTokens(JSON.stringify(tool)) < ceiling, `${tool.name}: ${JSON.stringify(tool).length}`);
  }
});

test('no argument is lost: of tools, of actions, of messages', () => {
  for (const { name, input, schemas } of tools)
    assert.deepEqual(
      Object.keys(schemas?.input.properties ?? {}).sort(),
      Object.keys(input.shape).sort(),
      name,
    );
  const prepare = inputs.find(([name]) => name === 'svc_prepare')?.[1].properties ?? {};
  assert.deepEqual(
    prepare.action?.enum,
    actions.map(({ name }) => name),
  );
  for (const { name, input } of actions)
    for (const field of Object.keys(input.shape))
      assert.ok(prepare.arguments?.properties?.[field], `${name}: ${field}`);
  const payload = publishAny(Object.values(payloadSchemas)).properties ?? {};
  // A map from hashes to keys cannot be written in a strict schema.
  for (const [type, { shape }] of Object.entries(payloadSchemas))
    for (const field of Object.keys(shape))
      if (field !== 'keys') assert.ok(payload[field], `${type}: ${field}`);
});

test('no example in an error is the address of a wallet', () => {
  const own = new Set(accounts.map(({ address }) => address.toLowerCase()));
  for (const { name, input } of tools) {
    const wrong = Object.fromEntries(Object.keys(input.shape).map((field) => [field, [{}]]));
    try {
      parseValue(name, input.strict(), wrong);
    } catch (error) {
      const given = String((error as Error).message).match(/0x[0-9a-fA-F]{40}\b/g) ?? [];
      for (const address of given) assert.ok(!own.has(address.toLowerCase()), `${name}: ${address}`);
      if (name === 'svc_inbox') assert.match(given.join(), /^0xabab/);
    }
  }
});
