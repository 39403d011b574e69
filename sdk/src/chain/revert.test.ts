// Proves that every error of the contracts has a name and a sentence, and that foreign data does no harm.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { BaseError, encodeErrorResult, type Hex, toFunctionSelector } from 'viem';
import { decodeRevert, findRevert, revertAbi, revertSentences } from './revert.ts';

const errors = revertAbi.filter((entry) => entry.type === 'error');
const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const encode = (errorName: string, args: readonly unknown[]) =>
  encodeErrorResult({ abi: revertAbi, errorName, args });

test('errors of every generated ABI are known', () => {
  const folder = join(import.meta.dirname, '../../../contracts/generated/abi');
  const known = new Set(revertAbi.map((entry) => JSON.stringify(entry)));
  for (const file of globSync('*.ts', { cwd: folder })) {
    const errors = readFileSync(join(folder, file), 'utf8').match(/\{.*"type":"error".*\}/g) ?? [];
    for (const error of errors) assert.ok(known.has(error), `${file} ${error}`);
  }
  assert.ok(known.size > 60);
});

test('every error has a sentence that prints only arguments it has', () => {
  const inputs = new Map<string, readonly string[]>([
    ['Error', ['message']],
    ['Panic', ['reason']],
  ]);
  for (const error of errors)
    inputs.set(
      error.name,
      error.inputs.map(({ name }) => name ?? ''),
    );
  assert.deepEqual(Object.keys(revertSentences).sort(), [...inputs.keys()].sort());
  for (const [name, sentence] of Object.entries(revertSentences))
    for (const [, used] of sentence.matchAll(/\{(\w+)/g))
      assert.ok(inputs.get(name)?.includes(used as string), name);
});

test('arguments are printed in their unit', () => {
  const sentences: [string, readonly unknown[], string][] = [
    ['NotPoster', [alice], `Only the poster may do this; ${alice} is not.`],
    [
      'BadTerms',
      [`0x${Buffer.from('deadline').toString('hex').padEnd(64, '0')}`],
      'A term is out of bounds: deadline.',
    ],
    ['Expired', [1_780_000_000n], 'This was possible until 2026-05-28T20:26:40Z.'],
    ['NotFullyFunded', [5n * 10n ** 17n, 10n ** 18n], 'Escrow holds 0.5 TOK, but 1 TOK are needed to start.'],
    [
      'BelowEntry',
      [7_500_000n, 25_000_000n],
      'The deposit is 7.5 USDC, but 25 USDC are needed to post or claim.',
    ],
    [
      'ERC20InsufficientBalance',
      [alice, 0n, 1_000n * 10n ** 18n],
      `${alice} has 0 of a token, but 1000 (at 18 decimals) are needed.`,
    ],
    [
      'PriceAboveMax',
      [20_500_000n, 20_000_000n],
      'The plan costs 20.5 (at 6 decimals) now, more than the 20 (at 6 decimals) allowed.',
    ],
    ['WrongState', [7n, 3], 'Task 7 is in state ACTIVE, which does not allow this.'],
    ['WrongPhase', [3], 'The dispute is in phase ASSIGNED, which does not allow this.'],
    ['WrongPhase', [0], 'The dispute is in phase NONE (there is no dispute), which does not allow this.'],
    ['ZeroAmount', [alice], 'An amount of 0 moves nothing.'],
    ['WrongState', [7n, 200], 'Task 7 is in state 200, which does not allow this.'],
    ['WrongPhase', [200], 'The dispute is in phase 200, which does not allow this.'],
    ['BadTerms', [`0x${'0'.repeat(64)}`], `A term is out of bounds: 0x${'0'.repeat(64)}.`],
    ['TooEarly', [2n ** 64n - 1n], 'This is possible after 18446744073709551615.'],
  ];
  for (const [name, args, sentence] of sentences) {
    const revert = decodeRevert(encode(name, args));
    assert.equal(revert.name, name);
    assert.equal(revert.sentence, sentence);
    assert.deepEqual(Object.values(revert.args), args);
  }
});

test('the errors of Solidity itself have sentences', () => {
  const reason = encodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] }],
    args: ['ERC20: transfer amount exceeds balance'],
  });
  assert.equal(decodeRevert(reason).sentence, 'ERC20: transfer amount exceeds balance');
  const panic: Hex = `0x4e487b71${'11'.padStart(64, '0')}`;
  assert.equal(decodeRevert(panic).sentence, 'The contract failed: a sum or difference does not fit.');
  const unknown: Hex = `0x4e487b71${'99'.padStart(64, '0')}`;
  assert.equal(decodeRevert(unknown).sentence, 'The contract failed: code 153.');
  assert.equal(decodeRevert('0x').sentence, 'The contract refused without saying why.');
});

test('unknown data is shown in a short form and never throws', () => {
  assert.equal(decodeRevert('0xdeadbeef').sentence, 'The contract refused with unknown data 0xdeadbeef.');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const { sentence } = decodeRevert(`0x${Buffer.from(bytes).toString('hex')}`);
      assert.ok(sentence.length > 0 && sentence.length < 1_000);
    }),
  );
});

test('known selectors with hostile arguments still give a sentence', () => {
  const selectors = errors.map((error) => toFunctionSelector({ ...error, type: 'function' } as never));
  fc.assert(
    fc.property(fc.constantFrom(...selectors), fc.uint8Array({ maxLength: 320 }), (selector, bytes) => {
      const { sentence } = decodeRevert(`${selector}${Buffer.from(bytes).toString('hex')}`);
      assert.ok(sentence.length > 0 && sentence.length < 1_000);
    }),
  );
});

test('revert data is found at any depth and in both forms', () => {
  const data = encode('NotWorker', [alice]);
  const inner = Object.assign(new Error('inner'), { data });
  const nested = Object.assign(new Error('inner'), { data: { message: 'reverted', data } });
  for (const cause of [inner, nested, new BaseError('middle', { cause: inner })])
    assert.equal(findRevert(new BaseError('outer', { cause }))?.name, 'NotWorker');
  for (const other of [new Error('no data'), Object.assign(new Error('x'), { data: 'text' }), null, 'text'])
    assert.equal(findRevert(other), undefined);
});
