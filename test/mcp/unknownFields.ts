// What a caller names and nobody knows is refused by its name, at every depth: by tools, over HTTP and by commands. A field that is
// dropped in silence changes what is offered, signed and paid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { type SignedEnvelope, signEnvelope } from '#sdk/negotiation/envelope.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { writeListing } from '../support/listings.ts';
import { buildOffer, buildTerms, documentOf, now } from '../support/negotiating.ts';
import { call, client, gateway, tools } from './scene.ts';

const from = accountOf('press').address;
const to = accountOf('coder').address;
const work = { title: 'Count', criteria: 'All of them.', totalAmountTok: '500', deadline: '+7d' };
const artifact = { name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'ab'.repeat(32) };
const hash = `0x${'ab'.repeat(32)}`;

const propose = (offer: object, payload: object = {}) => ({ from, to, type: 'TaskProposal', offer, payload });
const whole = (change: object, words: object = {}, terms: object = {}) => {
  const offer = buildOffer(buildTerms({ poster: from, worker: to }));
  const { document } = offer;
  const changed = { ...offer, terms: { ...offer.terms, ...terms }, document: { ...document, ...words } };
  return { from, to, type: 'TaskProposal', payload: { ...changed, ...change } };
};
const post = (change: object) => ({ action: 'post-task', arguments: { from, ...work, ...change } });

const refused: readonly (readonly [tool: string, args: object, says: RegExp])[] = [
  ['svc_send_message', propose({ ...work, criterias: 'x' }), /offer\.criterias: .*did you mean criteria\?/],
  // The name of earlier versions is taken, but not beside the one of today.
  [
    'svc_send_message',
    propose({ ...work, criteriaText: 'x' }),
    /offer\.criteriaText: .*did you mean criteria\?/,
  ],
  [
    'svc_send_message',
    propose({ ...work, milestonesTok: ['1', '2'] }),
    /offer\.milestonesTok: .* milestones\?/,
  ],
  [
    'svc_send_message',
    propose({ ...work, reviewPeriodSeconds: 60 }),
    /offer\.reviewPeriodSeconds: .* reviewPeriod\?/,
  ],
  [
    'svc_send_message',
    propose({ ...work, wage: '5' }),
    /offer\.wage: there is no such field; there are role, /,
  ],
  [
    'svc_send_message',
    propose(work, { criteria: 'x' }),
    /criteria: there is no such field; there are about, rationale/,
  ],
  ['svc_send_message', propose(work, { document: documentOf() }), /document: there is no such field/],
  [
    'svc_send_message',
    { ...propose(work), type: 'Note', payload: { text: 'Hello' } },
    /offer goes with TaskProposal/,
  ],
  ['svc_send_message', whole({ criteria: 'x' }), /criteria: there is no such field/],
  ['svc_send_message', whole({}, {}, { criteria: 'x' }), /terms\.criteria: .*did you mean criteriaHash\?/],
  ['svc_send_message', whole({}, { criteriaText: 'x' }), /document\.criteriaText: .*did you mean criteria\?/],
  [
    'svc_send_message',
    whole({}, { artifacts: [{ ...artifact, hash }] }),
    /document\.artifacts\.0\.hash: there is no such/,
  ],
  [
    'svc_send_message',
    { from, root: hash, type: 'Note', payload: { text: 'I take it back.', withdraw: hash } },
    /withdraw: .*did you mean withdraws\?/,
  ],
  [
    'svc_send_message',
    {
      ...{ from, to, type: 'MilestoneDefinition' },
      payload: { milestones: [{ amountTokWei: '1', description: 'One', texts: 'x' }] },
    },
    /milestones\.0\.texts: there is no such field/,
  ],
  ['svc_build_task_terms', { poster: from, worker: to, ...work, criterias: 'x' }, /criterias: .*criteria\?/],
  ['svc_prepare', post({ criterias: 'x' }), /criterias: .*did you mean criteria\?/],
  ['svc_prepare', post({ artifacts: [{ ...artifact, hash }] }), /artifacts\.0\.hash: there is no such field/],
  [
    'svc_prepare',
    post({ milestones: [{ amountTokWei: '1', text: 'x' }, { amount: '2' }] }),
    /milestones\.0\.text: there is no such field.*\n.*milestones\.1: there is no such field: amount;/,
  ],
  ['svc_publish_listing', { from, ...work, criterias: 'x' }, /criterias: .*did you mean criteria\?/],
  ['svc_publish_listing', { from, ...work, milestones: ['1', '2'] }, /milestones: there is no such field/],
];

test('an offer, a post and a listing with an unknown field are refused with its name by the tools', async () => {
  const before = tools.handed();
  for (const [tool, args, says] of refused) {
    const { isError, text } = await call(tool, args);
    assert.equal(isError, true, `${tool} ${JSON.stringify(args)}: ${text}`);
    assert.match(text, says);
  }
  assert.equal(tools.handed(), before, 'nobody was asked to sign');
});

test('all mistakes of a post and of terms come in one answer, also those that only the market shows', async () => {
  const { title } = work;
  const wrong = { title, totalAmountTok: '0.001', deadline: 'soon', reviewPeriod: '1s', wage: 'x' };
  for (const [tool, args] of [
    ['svc_prepare', { action: 'post-task', arguments: { from, ...wrong } }],
    ['svc_build_task_terms', { poster: from, worker: to, ...wrong, wage: undefined }],
  ] as const) {
    const { isError, text } = await call(tool, args);
    assert.equal(isError, true, text);
    for (const says of [
      /^ {2}deadline: must be/m,
      /^ {2}criteria: is required/m,
      /^ {2}totalAmountTok: must be \d+ TOK or more$/m,
      /^ {2}reviewPeriod: must be \d+h to \d+d$/m,
    ])
      assert.match(text, says, tool);
    const { text: next } = await call(tool, args);
    assert.equal(next, text);
  }
});

test('no offer, post or listing goes out without criteria', async () => {
  const before = tools.handed();
  const [own, parties] = [
    { from, to },
    { poster: from, worker: to },
  ];
  for (const criteria of [undefined, ' \n'])
    for (const [tool, args] of [
      ['svc_send_message', { ...own, type: 'TaskProposal', offer: { ...work, criteria } }],
      ['svc_send_message', { ...whole({}, { criteria: criteria ?? '' }) }],
      ['svc_build_task_terms', { ...parties, ...work, criteria }],
      ['svc_prepare', post({ criteria })],
      ['svc_publish_listing', { from, title: 'Count', maxTok: '500', criteria }],
    ] as const) {
      const { isError, text } = await call(tool, args);
      assert.equal(isError, true, `${tool}: ${text}`);
      assert.match(text, /criteria/);
    }
  assert.equal(tools.handed(), before, 'nobody was asked to sign');
});

test('the name that criteria had before is taken by every tool, and shown by none', async () => {
  const { criteria: criteriaText, ...old } = work;
  const parties = { poster: from, worker: to };
  const { data } = await call('svc_build_task_terms', { ...parties, ...old, criteriaText });
  assert.equal(data.document.criteria, criteriaText);
  for (const [name, args] of [
    ['post-task', { from, ...old, criteriaText }],
    ['build-task-terms', { ...parties, ...old, criteriaText }],
    ['hash-criteria', { criteriaText }],
  ] as const) {
    const { isError, text } = await call('svc_prepare', { action: name, arguments: args, wallet: 'none' });
    assert.equal(isError, false, text);
  }
  // A refusal that comes after the fields were read.
  const late = await call('svc_publish_listing', {
    from,
    title: 'Count',
    maxTok: '500',
    criteriaText,
    minTok: '900',
  });
  assert.doesNotMatch(late.text, /criteria/);
  const offered = await call('svc_send_message', propose({ ...old, criteriaText, deadline: 'soon' }));
  assert.match(offered.text, /offer\.deadline: must be/);
  assert.doesNotMatch(offered.text, /criteria/);
  const { tools: listed } = await client.listTools();
  assert.doesNotMatch(JSON.stringify(listed), /criteriaText/);
});

test('a listing and an offer with an unknown field are refused with its name over HTTP', async () => {
  const document = writeListing(gateway);
  const body = { poster: from, document, version: 1, expiresAt: 2, signature: `0x${'ab'.repeat(65)}` };
  const put = (change: object) => gateway.send('PUT', `/v1/listings/${hash}`, { ...body, ...change });
  const words = (change: object) => ({ document: { ...document, task: { ...document.task, ...change } } });
  for (const [change, name] of [
    [{ criteria: 'x' }, 'criteria'],
    [{ document: { ...document, milestonesTok: [] } }, 'milestonesTok'],
    [{ document: { ...document, budget: { ...document.budget, maxTok: '1' } } }, 'maxTok'],
    [words({ criteriaText: 'x' }), 'criteriaText'],
    [words({ artifacts: [{ ...artifact, hash }] }), 'hash'],
  ] as const) {
    const { status, body: reply } = await put(change);
    assert.deepEqual([status, reply.code], [400, 'BODY_INVALID'], JSON.stringify(reply));
    assert.match(String(reply.error), new RegExp(`"${name}"`));
  }
  const account = privateKeyToAccount(accountOf('press').privateKey);
  for (const [change, says] of [
    [{ criteria: 'x' }, /"criteria"/],
    [{ milestonesTok: ['1'] }, /"milestonesTok"/],
  ] as const) {
    const { payload } = whole(change);
    const envelope = {
      schemaVersion: 'svc-xmtp-v1',
      ...{ type: 'TaskProposal', negotiationId: crypto.randomUUID(), sequence: 1, payload },
      ...{ previousHash: `0x${'00'.repeat(32)}`, timestamp: now.toISOString() },
      sender: { evmAddress: from, xmtpPublicKey: '' },
    } as SignedEnvelope['envelope'];
    assert.equal(hashCanonical(envelope).length, 66);
    const signed = await signEnvelope(envelope, (typedData) => account.signTypedData(typedData));
    const reply = await gateway.send('POST', '/v1/messages', JSON.parse(toCanonical(signed)));
    assert.match(String(reply.body.error), says, JSON.stringify(reply.body));
    assert.equal(reply.body.code, 'ENVELOPE_REFUSED');
  }
});
