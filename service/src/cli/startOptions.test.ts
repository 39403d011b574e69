// Proves what the command line of `svc start` means and that mistakes in it are named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { parseStartArguments } from './startOptions.ts';

test('no argument means a seeded chain in the present on the configured port', () => {
  assert.deepEqual(parseStartArguments([]), {
    port: undefined,
    isSeeded: true,
    isKept: true,
    clockOffsetSeconds: 0,
    asJson: false,
  });
});

test('every option is understood', () => {
  const args = ['--port', '0', '--no-seed', '--no-keeper', '--clock-offset', '86400', '--json'];
  assert.deepEqual(parseStartArguments(args), {
    port: 0,
    isSeeded: false,
    isKept: false,
    clockOffsetSeconds: 86_400,
    asJson: true,
  });
});

test('a wrong value, an unknown option and a stray word are refused by name', () => {
  for (const [args, name] of [
    [['--port', '65536'], '--port'],
    [['--port', '8545.5'], '--port'],
    [['--port', ''], '--port'],
    [['--clock-offset=-5'], '--clock-offset'],
    [['--clock-offset', '99999999999'], '--clock-offset'],
    [['--loud'], '--loud'],
    [['now'], 'options only'],
  ] as const) {
    assert.throws(
      () => parseStartArguments(args),
      (error: unknown) => error instanceof SvcError && error.code === 'USAGE' && error.message.includes(name),
      args.join(' '),
    );
  }
});
