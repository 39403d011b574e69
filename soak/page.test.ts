// Proves that the page of a run holds what happened, asks for nothing from outside, and takes no text as markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal } from './journal.ts';
import { niceCeiling, renderPage } from './page.ts';
import { buildReport, countAnswers } from './report.ts';

const journal = createJournal();
journal.answers.push(
  { from: 100, to: 140, server: 'site 1', what: 'GET /health', status: 200, detail: '' },
  { from: 1_200, to: 1_500, server: 'site 1', what: 'GET /health', status: 503, detail: '' },
);
journal.moves.push({ at: 1, to: 2, who: 'press', move: 'post', outcome: 'done', detail: '' });
journal.windows.push({
  kind: 'kill',
  detail: 'site 1',
  from: 1_000,
  repairedAt: 1_400,
  to: 1_900,
  servers: ['site 1'],
  isExcuse: true,
  recovered: true,
});
const servers = [{ name: 'site 1', lives: [[{ at: 500, megabytes: 90.4 }], [{ at: 1_500, megabytes: 80 }]] }];
const checks = [{ name: 'All is kept', violations: ['<b>one</b> is lost'], basis: 'two' }];

test('the page holds every part, asks for nothing from outside, and shows foreign text as text', () => {
  const page = renderPage(buildReport({ seed: 5, seconds: 3, journal, checks, servers }));
  for (const part of [
    /1 violations/,
    /All is kept/,
    /seed 5/,
    /site 1: resident memory/,
    /<svg/,
    /color-scheme: light dark/,
  ])
    assert.match(page, part);
  assert.doesNotMatch(page, /<b>one/);
  assert.doesNotMatch(page, /https?:|<script|<link|@import|url\(/);
});

test('answers are counted by second, failed ones apart', () => {
  const [first, second, third] = countAnswers(journal, 3);
  assert.deepEqual(first, { at: 0, good: 1, failed: 0, medianMs: 40, slowestMs: 40 });
  assert.deepEqual(second, { at: 1_000, good: 0, failed: 1, medianMs: 300, slowestMs: 300 });
  assert.equal(third?.medianMs, null);
});

test('an axis ends at a figure one can read', () => {
  assert.deepEqual([1, 3, 7, 12, 480].map(niceCeiling), [1, 5, 10, 20, 500]);
});
