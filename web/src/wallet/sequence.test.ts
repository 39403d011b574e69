// A sequence that is tried again sends no call twice, whatever is planned by then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call, EncodedCalls } from '@svc/sdk/chain';
import { type Course, chooseWay } from './sequence.ts';

const callOf = (data: string): Call => ({
  to: `0x${'1'.repeat(40)}`,
  value: '0x0',
  data: data as `0x${string}`,
});
const planOf = (...data: string[]): EncodedCalls => ({ calls: data.map(callOf), steps: [] });
const courseOf = (calls: EncodedCalls, outCount: number, minedCount = outCount): Course => ({
  calls,
  hashes: calls.calls.slice(0, outCount).map(({ data }) => data),
  minedCount,
});

const [approve, topUp, post, laterPost] = ['0x01', '0x02', '0x03', '0x04'];
const begun = planOf(approve, topUp, post);

test('once every call is out those go on, whatever is planned now', () => {
  assert.equal(chooseWay(courseOf(begun, 3, 2), planOf(laterPost)), 'on');
  assert.equal(chooseWay(courseOf(begun, 3), planOf(approve, topUp, laterPost)), 'on');
});

test('the same end goes on where it stopped', () => {
  assert.equal(chooseWay(courseOf(begun, 1), planOf(topUp, post)), 'on');
  assert.equal(chooseWay(courseOf(begun, 2, 1), planOf(post)), 'on');
});

test('another end begins anew only where all that is out is mined and not planned again', () => {
  assert.equal(chooseWay(courseOf(begun, 2), planOf(laterPost)), 'anew');
  assert.equal(chooseWay(courseOf(begun, 2, 1), planOf(laterPost)), 'settle');
  // The wallet's balances were not read anew: what was deposited would be deposited once more.
  assert.equal(chooseWay(courseOf(begun, 2), planOf(topUp, laterPost)), 'settle');
});

test('before anything is out, what is planned now is what is sent', () => {
  assert.equal(chooseWay(undefined, begun), 'anew');
  assert.equal(chooseWay(courseOf(begun, 0), planOf(laterPost)), 'anew');
});
