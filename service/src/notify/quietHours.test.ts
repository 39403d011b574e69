import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietSeconds } from './quietHours.ts';

/** Hours of the clock; `at` is when it is, `wait` hours until it may be asked again. */
const cases: readonly (readonly [zone: string, from: number, to: number, at: string, wait: number])[] = [
  ['UTC', 22, 7, '2026-07-01T21:59Z', 0],
  ['UTC', 22, 7, '2026-07-01T22:00Z', 1],
  ['UTC', 22, 7, '2026-07-02T00:00Z', 1],
  ['UTC', 22, 7, '2026-07-02T06:45Z', 0.25],
  ['UTC', 22, 7, '2026-07-02T07:00Z', 0],
  ['UTC', 9, 17, '2026-07-01T16:30Z', 0.5],
  ['UTC', 9, 17, '2026-07-01T08:59Z', 0],
  ['UTC', 9, 9, '2026-07-01T09:00Z', 0],
  ['Europe/Berlin', 22, 7, '2026-07-01T20:00Z', 1],
  ['Europe/Berlin', 22, 7, '2026-01-01T20:30Z', 0],
  ['Asia/Kathmandu', 22, 7, '2026-07-01T01:00Z', 0.25],
  // The clock goes forward at 01:00 UTC: quiet hours end an hour earlier than it seemed at midnight.
  ['Europe/Berlin', 22, 7, '2026-03-29T00:59Z', 1],
  ['Europe/Berlin', 22, 7, '2026-03-29T05:00Z', 0],
  // And back: seven o’clock comes an hour later.
  ['Europe/Berlin', 22, 7, '2026-10-25T05:00Z', 1],
  ['Europe/Berlin', 22, 7, '2026-10-25T06:00Z', 0],
];

test('quiet hours hold by the clock of their place, over midnight and over a change of the clock', () => {
  for (const [timeZone, from, to, at, wait] of cases) {
    const quiet = { quietFrom: from * 60, quietTo: to * 60, timeZone };
    assert.equal(quietSeconds(quiet, Date.parse(at)), wait * 3_600, `${at} in ${timeZone}`);
    assert.equal(quietSeconds({ ...quiet, quietTo: null }, Date.parse(at)), 0);
  }
});
