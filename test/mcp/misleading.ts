// Situations in which an answer once misled: each is answered with what is wrong and with the call, or the words, that help.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import vectors from '#sdk/actions/nextActions.vectors.json' with { type: 'json' };
import { buildTaskRecord } from '#sdk/actions/taskRecord.ts';
import { SvcError } from '#sdk/domain/errors.ts';
import { noFacts, type Task } from '#sdk/domain/task.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { tools } from '#service/mcp/tools.ts';
import { type CallTool, callTool, connectTools } from '../support/tools.ts';
import { call } from './scene.ts';

const poor = '0x00000000000000000000000000000000000000aa';
const poster = accountOf('newcomer').address;
const prepare = (action: string, args: Record<string, unknown>) => ({ action, arguments: args });

type Row = readonly [
  situation: string,
  tool: string,
  args: Record<string, unknown> | ((call: CallTool) => Promise<Record<string, unknown>>),
  says: RegExp,
  /** The tool of the fix, or its words; null for an answer that is no failure. */
  fix: string | RegExp | null,
];

const rows: readonly Row[] = [
  [
    'a claim by a wallet that is not ready',
    'svc_prepare',
    async (call) => {
      const { data } = await call('svc_list_open_tasks', { limit: 1 });
      return prepare('claim-task', { from: poor, taskId: data.tasks[0].id });
    },
    /0 TOK, but 1000 TOK are needed|deposit is 0 USDC/,
    'svc_prepare',
  ],
  [
    'a file that does not exist',
    'svc_read_file',
    { sha256: 'ab'.repeat(32) },
    /no such file.*artifacts/,
    /sha256/,
  ],
  [
    'an unknown wallet request',
    'svc_get_request',
    { requestId: 'guessed' },
    /Request not found/,
    /requestId/,
  ],
  [
    'too little of a token',
    'svc_prepare',
    prepare('top-up', { amountUsdc: '45', from: poor }),
    /has 0 USDC, but 45 USDC are needed/,
    /Send 45 USDC/,
  ],
  [
    'a past deadline beside a missing title',
    'svc_prepare',
    prepare('post-task', { from: poster, totalAmountTok: '500', deadline: '1700000000', reviewPeriod: '1h' }),
    /title: is required[\s\S]*deadline: must be later[\s\S]*reviewPeriod: must be 12h to 30d/,
    /Correct/,
  ],
  [
    'an arbitrator whom nobody has named',
    'svc_task_next_steps',
    async (call) => {
      const { data } = await call('svc_list_recent_tasks', { state: 'DISPUTED', limit: 100 });
      for (const { id: taskId } of data.tasks) {
        const { task } = (await call('svc_get_task', { taskId })).data;
        const asked = { taskId, address: task.poster };
        const { text } = await call('svc_task_next_steps', asked);
        if (text.includes('propose-arbitrator') && task.dispute.worker.pick === null) return asked;
      }
      return assert.fail('no dispute without a name');
    },
    /<address, from svc_list_arbitrators with this taskId>/,
    null,
  ],
  [
    'a judge who asks what to do',
    'svc_task_next_steps',
    async (call) => {
      const { data } = await call('svc_list_recent_tasks', { state: 'DISPUTED', limit: 100 });
      for (const { id: taskId } of data.tasks) {
        const { dispute } = (await call('svc_get_task', { taskId, detail: 'full' })).data.task;
        if (dispute.phase === 'ASSIGNED') return { taskId, address: dispute.judge };
      }
      return assert.fail('no dispute with a judge');
    },
    /"steps":\[\{"expected":true,"as":"arbitrator"[^}]*"action":"resolve-dispute"/,
    null,
  ],
  [
    'a milestone by its number in place of its index',
    'svc_prepare',
    async (call) => {
      const { data } = await call('svc_list_recent_tasks', {
        state: 'DELIVERED',
        limit: 100,
        detail: 'full',
      });
      const task = data.tasks.find((one: { milestones: unknown[] }) => one.milestones.length === 1);
      return prepare('accept-milestone', { taskId: task.id, from: task.poster, milestone: '1' });
    },
    /Milestone 1, whose index is 0, is the current one/,
    /Read the task again/,
  ],
  [
    'a file that is not there',
    'svc_attach_file',
    { path: 'nothing.txt', from: poster },
    /nothing.txt cannot be used: there is no such file/,
    /path below the folder/,
  ],
  [
    'a wallet that has posted nothing today',
    'svc_onboarding_checklist',
    { address: poor },
    /3 of 3 posts left today, plan free/,
    null,
  ],
  [
    'an unknown task',
    'svc_get_task',
    { taskId: 'v2:standard:99999' },
    /Task not found.*svc_list_recent_tasks/,
    'svc_list_recent_tasks',
  ],
];

for (const [situation, tool, args, says, fix] of rows)
  test(situation, async () => {
    const { isError, text, data } = await call(tool, typeof args === 'function' ? await args(call) : args);
    assert.match(text, says);
    assert.equal(isError, fix !== null, text);
    if (fix === null) return;
    assert.equal(typeof data.code, 'string');
    if (typeof fix !== 'string') return assert.match(data.fix, fix);
    assert.equal(data.fix.tool, fix);
    // What is proposed is a call that the tool understands.
    const named = tools.find(({ name }) => name === fix) ?? assert.fail(fix);
    named.input.strict().parse(data.fix.arguments);
  });

describe('a place that is taken', () => {
  const root = `0x${'12'.repeat(32)}`;
  const unread = `0x${'56'.repeat(32)}`;
  const entries = [{ hash: root, envelope: { sequence: 1, timestamp: new Date().toISOString() } }];
  const talk = {
    root,
    negotiationId: crypto.randomUUID(),
    parties: { opener: poor, other: poster },
    entries,
  };
  const note = { from: poster, type: 'Note', payload: { text: 'Hello' } };

  /** Another message is always quicker: that with the hash `taken`. */
  const sendInto = async (args: object, taken: string, transcripts: readonly object[]) => {
    const send = async () => {
      throw new SvcError('PLACE_TAKEN', { head: { sequence: 2, hash: taken } });
    };
    const signed = { requestId: 'one', approvalUrl: null, status: 'settled', error: null };
    const client = await connectTools({
      now: async () => Math.floor(Date.now() / 1_000),
      mail: {
        open: async () => ({ mailbox: { transcripts, isStuck: () => false, client: { send } } }),
        requestSignature: async () => ({ ...signed, signature: `0x${'34'.repeat(65)}` }),
      },
    });
    const { data } = await callTool(client, 'svc_send_message', { ...note, ...args });
    await client.close();
    assert.equal(data.code, 'PLACE_TAKEN', JSON.stringify(data));
    return data.fix;
  };

  test('is found in the inbox, or a new conversation is proposed where it cannot be read', async () => {
    const { payload: _, ...rest } = note;
    for (const [args, taken, known, fix] of [
      // In a conversation that nobody has read, by a message that can be read, and by one that this wallet cannot read.
      [{ to: poor }, root, [], { tool: 'svc_inbox', arguments: { address: poster } }],
      [{ root }, root, [talk], { tool: 'svc_inbox', arguments: { address: poster, root } }],
      [{ root }, unread, [talk], { tool: 'svc_send_message', arguments: { ...rest, to: poor } }],
    ] as const)
      assert.deepEqual(await sendInto(args, taken, known), fix);
  });
});

test('a dispute says who moves, until when and what silence does; an arbitrator in the hearing only reads', async () => {
  const found = vectors.find(({ task: { dispute } }) => dispute?.phase === 'ASSIGNED') ?? assert.fail();
  const { rulingFrom, judge } = found.task.dispute as { rulingFrom: number; judge: string };
  const amounts = { totalAmount: 500n, funded: 500n, released: 0n, refunded: 0n, fees: 0n };
  const place = { market: 'standard', number: 7n, poster, worker: poor, milestones: [500n], milestone: 0 };
  const dispute = { ...found.task.dispute, amount: 500n, bond: 25n };
  const task = { ...place, ...found.task, ...amounts, dispute } as unknown as Task;
  const ask = async (address: string, changed: object = {}, state = 'DISPUTED') => {
    const changedTask = { ...task, state, dispute: { ...dispute, ...changed } } as never;
    const record = buildTaskRecord(changedTask, noFacts);
    const client = await connectTools({
      market: { task: async () => ({ task: record }) },
      now: async () => rulingFrom - 10,
    });
    const { data } = await callTool(client, 'svc_task_next_steps', { taskId: 'v2:standard:7', address });
    await client.close();
    type Step = { expected: boolean; arguments: { action: string; arguments: object } };
    const listForms = (steps: readonly Step[]) =>
      steps.map(({ arguments: { action, arguments: given } }) => [action, 'nothingToAdd' in given]);
    const steps = data.steps as Step[];
    const forms = listForms(steps.filter((step) => step.expected));
    const evidence = listForms(steps.filter((step) => step.arguments.action === 'submit-evidence'));
    return { summary: data.summary, forms, evidence, first: steps[0]?.arguments.action };
  };
  const reading = await ask(judge);
  assert.match(reading.summary, /It is your move: read the evidence until .*Z\. After that you can rule\.$/);
  assert.deepEqual(reading.forms, []);
  const heard = await ask(poor);
  assert.match(heard.summary, /your move: submit-evidence until .*Z\. After that the arbitrator can rule\.$/);
  assert.deepEqual(heard.forms, [
    ['submit-evidence', false],
    ['submit-evidence', true],
  ]);
  const before = { phase: 'ANSWERING', judge: null, rulingFrom: null, posterPick: null, workerPick: null };
  const waits = await ask(poster, before);
  assert.match(
    waits.summary,
    /the move of worker: answer-dispute until .*the milestone and the worker’s bond go to the poster\.$/,
  );
  const unjudged = await ask(poster, { phase: 'ESCALATED', judge: null, rulingFrom: null });
  assert.equal(unjudged.first, 'mutual-settle', 'nobody can judge evidence');
  const ended = await ask(poor, {}, 'CANCELLED');
  assert.equal(
    ended.summary,
    'The task is CANCELLED. Ended without completion: escrow went back to the poster.',
  );
  assert.deepEqual(waits.forms, [], 'it is not the poster’s turn');
  assert.deepEqual(waits.evidence, [['submit-evidence', false]], 'nobody hears that a side adds nothing');
});

test('a wallet that signs at once', async () => {
  for (const signsAtOnce of [false, true]) {
    const client = await connectTools({}, { signsAtOnce });
    const { tools: listed } = await client.listTools();
    const { description = '' } = listed.find(({ name }) => name === 'svc_prepare') ?? {};
    assert.equal(/signs and sends at once/.test(description), signsAtOnce);
    assert.equal(/where the owner decides/.test(description), !signsAtOnce);
    await client.close();
  }
});
