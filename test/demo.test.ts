// Proves that the demo runs to its end on its own market.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFolder, startSvc } from './support/svc.ts';

test('svc demo negotiates, works, pays, disputes and ends with 0', async (context) => {
  const env = { SVC_SITE_URL: 'http://127.0.0.1:9' };
  const { exitCode, out, err } = await startSvc(['demo'], { cwd: createFolder(context), env }).ended;
  assert.equal(exitCode, 0, `${out}\n${err}`);
  for (const word of [
    'TaskCounterOffer',
    'COMPLETED',
    'chain and transcript say the same',
    'RESOLVED',
    'Done',
  ])
    assert.match(out, new RegExp(word));
  assert.match(out, /COMPLETED +escrow +0 TOK +newcomer +[\d,]+ +visitor +[\d,]+ \+700 +assessor +[\d,]+\n/);
  assert.equal(out.includes('\u001b'), false, 'colours are for terminals');
});
