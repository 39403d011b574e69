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
    'answers with a bond of its own',
    'reads the evidence of both sides: 3 entries',
    'rules with reasons: 75 % to the worker',
    'concedes: the worker is paid',
    'without an answer the money and the worker’s bond are the poster’s',
    'RESOLVED',
    'Done: [0-9]+ steps, four tasks',
  ])
    assert.match(out, new RegExp(word));
  assert.match(out, /COMPLETED +escrow +0 TOK +newcomer +[\d,]+ +visitor +[\d,]+ \+700 +assessor +[\d,]+\n/);
  assert.equal(out.includes('\u001b'), false, 'colours are for terminals');
});
