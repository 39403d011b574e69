// Proves that our decoder reads what viem reads, for every event and view function of the contracts, and refuses the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as abis from '@svc/contracts/abi';
import { type AbiParameter, checksumAddress, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem';
import { createAbiDecoder } from './abiDecoder.ts';

type Item = {
  readonly type: string;
  readonly name: string;
  readonly stateMutability?: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs?: readonly AbiParameter[];
};
const items = Object.values(abis).flatMap((abi) => abi as unknown as Item[]);

/** Values at the edges of a type, a different one in each round. */
function sample({ type, ...rest }: AbiParameter, round: number): unknown {
  if (type.endsWith('[]'))
    return Array.from({ length: round }, (_, at) => sample({ ...rest, type: type.slice(0, -2) }, round + at));
  if (type === 'tuple') {
    const { components } = rest as { components: readonly AbiParameter[] };
    return Object.fromEntries(components.map((one, at) => [one.name ?? at, sample(one, round + at)]));
  }
  const digit = (round % 16).toString(16);
  if (type === 'string') return ['', 'plain', 'ünï \u{1f6a2}', 'x'.repeat(70)][round % 4];
  if (type === 'bytes') return (['0x', '0x00ff', `0x${digit.repeat(130)}`] as const)[round % 3];
  if (type === 'address') return checksumAddress(`0x${digit.repeat(40)}`);
  if (type === 'bool') return round % 2 === 0;
  const [, name, size] = /^(u?int|bytes)(\d+)$/.exec(type) ?? [];
  if (name === 'bytes') return `0x${digit.repeat(2 * Number(size))}`;
  if (name === 'int') return [0n, 1n, -1n, -(2n ** 255n)][round % 4];
  const bits = Number(size);
  const value = [0n, 1n, 2n ** BigInt(bits) - 1n, 2n ** BigInt(bits - 1)][round % 4] as bigint;
  return bits <= 48 ? Number(value) : value;
}

test('events and results of every contract decode as with viem', () => {
  const seen = new Set<string>();
  for (const item of items) {
    const { type, inputs, outputs = [] } = item;
    const parameters = type === 'event' ? inputs : isRead(item) ? outputs : [];
    if (parameters.length === 0) continue;
    const decode = createAbiDecoder(parameters);
    for (const round of [0, 1, 2, 3, 6]) {
      const data = encodeAbiParameters(
        parameters,
        parameters.map((one, at) => sample(one, round + at)),
      );
      assert.deepEqual(decode(data), decodeAbiParameters(parameters, data));
    }
    for (const { type: name } of parameters) seen.add(name);
  }
  for (const name of ['string', 'tuple[]', 'tuple', 'bool', 'address[]']) assert.ok(seen.has(name), name);
});

test('signed numbers of every size decode as with viem, and one that is too large is refused', () => {
  for (const bits of [8, 24, 48, 56, 128, 256]) {
    const parameters = [{ type: `int${bits}[]` }];
    const edge = 2n ** BigInt(bits - 1);
    const data = encodeAbiParameters(parameters, [[0n, 1n, -1n, edge - 1n, -edge]]);
    assert.deepEqual(createAbiDecoder(parameters)(data), decodeAbiParameters(parameters, data));
    if (bits === 256) continue;
    for (const value of [edge, -edge - 1n])
      assert.throws(
        () => createAbiDecoder([{ type: `int${bits}` }])(encodeAbiParameters([{ type: 'int256' }], [value])),
        /malformed answer/,
      );
  }
});

const isRead = ({ type, stateMutability = '' }: Item) =>
  type === 'function' && ['view', 'pure'].includes(stateMutability);

test('no two view functions of a contract share a name', () => {
  for (const abi of Object.values(abis) as unknown as Item[][]) {
    const names = abi.filter(isRead).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  }
});

const word = (value: number | bigint | string) => BigInt(value).toString(16).padStart(64, '0');
const join = (...words: readonly (number | bigint | string)[]): Hex => `0x${words.map(word).join('')}`;

test('data that no contract returns is refused', () => {
  const refused: readonly [string, Hex][] = [
    ['uint8', join(256)],
    ['uint96', join(2n ** 96n)],
    ['address', join(2n ** 160n)],
    ['bool', join(2)],
    ['uint256', '0x'],
    ['uint256', '0x01'],
    ['string', join(32, 100)],
    ['string', join(2n ** 255n, 0)],
    ['uint256[]', join(32, 2n ** 64n, 1)],
    ['uint256[]', join(0)],
  ];
  for (const [type, data] of refused)
    assert.throws(() => createAbiDecoder([{ type }])(data), /malformed answer/, `${type} ${data}`);
});

test('lists that all point to the same long list end at once', () => {
  const lists = 1_000;
  // Each of the thousand lists starts at the first of a thousand ones.
  const places = Array.from({ length: lists }, () => lists * 32);
  const data = join(32, lists, ...places, lists, ...Array.from({ length: lists }, () => 1));
  assert.throws(() => createAbiDecoder([{ type: 'uint256[][]' }])(data), /malformed answer/);
});
