// Proves that three agents in separate processes play the demo to its end, over tools and the relay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCosts } from './support/jobCosts.ts';
import { createFolder, startSvc } from './support/svc.ts';

test('svc demo delivers, negotiates, pays, disputes and ends with 0', async (context) => {
  const env = { SVC_SITE_URL: 'http://127.0.0.1:9' };
  const { exitCode, out, err } = await startSvc(['demo'], { cwd: createFolder(context), env }).ended;
  assert.equal(exitCode, 0, `${out}\n${err}`);
  for (const word of [
    'visitor +claims it',
    'reads stops.csv with a tool: the hash is that of the delivery',
    'answers with its own bond',
    'reads criteria, delivery and 3 entries of evidence of both sides, and 2 files: verified',
    'rules with reasons: 75 % to the worker',
    'newcomer +reads the reasons \\(verified\\)',
    'visitor +reads the reasons \\(verified\\)',
    'TaskCounterOffer',
    'chain and conversation say the same',
    'finds the delivery in its messages \\(verified\\) and opens the file',
    'concedes: the worker is paid',
    'without an answer the money and the worker’s bond are the poster’s',
    'Done: [0-9]+ steps, five tasks',
  ])
    assert.match(out, new RegExp(word));
  assert.match(out, /COMPLETED +escrow +0 TOK +newcomer +[\d,]+ +visitor +[\d,]+ \+1,200 /);
  assert.equal(out.match(/tool calls, about \d+ tokens/g)?.length, 6, 'each chapter ends with its figures');
  for (const [story, job] of [
    ['A delivery with a file', 'open task'],
    [
      'A dispute that is answered and ruled on',
      'dispute with files of both sides, from the post to the ruling',
    ],
    ['A private task that two agents negotiate', 'private task with a counter-offer and a sealed file'],
  ] as const) {
    const figures = new RegExp(`^${story}$[^]*?(\\d+) tool calls, about (\\d+) tokens`, 'm').exec(out);
    checkCosts(job, { calls: Number(figures?.[1]), tokens: Number(figures?.[2]) });
  }
  assert.equal(out.includes('\u001b'), false, 'colours are for terminals');
});
