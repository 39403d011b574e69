// Keeps every fact about actions in one source file: sentences of the catalog, and the figures of the parameters.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WriteAction } from '#sdk/actions/action.ts';
import { actions } from '#sdk/actions/catalog.ts';
import { formatTok, formatUsdc } from '#sdk/domain/amount.ts';
import { marketParameters, protocolConstants } from '#sdk/domain/parameters.ts';

const root = join(import.meta.dirname, '..');

/** Everything that runs, without tests and without what is generated. */
const sources = globSync('{sdk,service,web}/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => !text.startsWith('// Generated'));

const writes = actions.filter((action): action is WriteAction => action.kind === 'write');

/** Words alone: quotes, line breaks and pluses between the parts of a sentence do not count. */
function normalize(text: string): string {
  return text.replace(/['`"+\s]+/g, ' ');
}

const normalized = sources.map(({ file, text }) => ({ file, text: normalize(text) }));

/** The longest part of a sentence without a figure: sources fill figures in. */
function findIn(sentence: string): string[] {
  const parts = sentence
    .split(/(?:a day|[0-9][0-9.,]*)(?: %| TOK| USDC| days)?/)
    .map((part) => normalize(part).trim());
  const [longest = ''] = parts.sort((left, right) => right.length - left.length);
  return normalized.filter(({ text }) => text.includes(longest)).map(({ file }) => file);
}

test('each sentence about risk, effect and undoing stands in one file', () => {
  for (const { name, effect, risk, undo } of writes) {
    for (const sentence of [effect, risk(), undo]) {
      // Short ones, such as "It cannot be undone.", are true of many things.
      if (sentence === null || sentence.length < 40) continue;
      const found = findIn(sentence);
      assert.equal(found.length, 1, `${name}: "${sentence}" is in ${found.join(', ') || 'no file'}`);
      assert.ok(
        found.every((file) => file.startsWith('sdk/src/actions/')),
        found.join(),
      );
    }
  }
});

const withCommas = (amount: string) => amount.replace(/\B(?=(\d{3})+$)/g, ',?');
const { standard } = marketParameters;
const tok = (wei: bigint) => `${withCommas(formatTok(wei))} TOK`;

/** As a person would write them into a sentence. */
const figures = [
  tok(standard.accessFeeTokWei),
  tok(standard.arbitratorMinBondTokWei),
  ...[standard.entryUsdc, standard.recommendedUsdc, standard.pauseUsdc].map(
    (usdc) => `${formatUsdc(usdc)} USDC?`,
  ),
  `${protocolConstants.disputeBps / 100} ?%`,
  `${protocolConstants.burnBps / 100} ?%`,
  `${protocolConstants.unbondDelaySeconds / 86_400} days`,
];

test('fees, bonds, thresholds and shares are written as figures in no source but the parameters', () => {
  for (const figure of figures) {
    const found = sources.flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter((line) => new RegExp(`(?<![\\d.,])${figure}`).test(line) && !/^\s*(\/\/|\/?\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, [], `${figure} is written outside sdk/src/domain/parameters.ts`);
  }
});
