// Proves that every check can fail: each gets a run with one mistake and must name it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { transcriptOf, writeTalk } from '../../test/support/negotiating.ts';
import {
  type Answer,
  createJournal,
  type Letter,
  type MoveResult,
  type Span,
  type TaskFacts,
  type Window,
} from '../journal.ts';
import { runChecks } from './all.ts';
import { checkMail } from './carried.ts';
import { checkQuotas, checkSums } from './figures.ts';
import { checkEnvelopes } from './kept.ts';
import { checkAudits } from './minutely.ts';
import { checkHealth, checkPayments, type JudgedPayment } from './promised.ts';
import type { Check } from './recorded.ts';
import {
  checkAnswers,
  checkMeasured,
  checkMemory,
  checkMoves,
  checkRecords,
  checkRecovery,
  checkUses,
  checkWords,
} from './recorded.ts';

const answer: Answer = {
  from: 5_000,
  to: 5_100,
  server: 'site 1',
  what: 'GET /health',
  status: 200,
  detail: '',
};
const fault: Window = {
  kind: 'kill',
  detail: 'site 1',
  from: 4_000,
  repairedAt: 4_500,
  to: 5_050,
  servers: ['site 1'],
  isExcuse: true,
  trouble: null,
};

function assertNames({ violations }: Check, ...names: RegExp[]): void {
  assert.equal(violations.length, names.length, violations.join('\n'));
  for (const [at, name] of names.entries()) assert.match(violations[at] ?? '', name);
}

test('a failed request is a violation unless a fault explains it, for that server and that time', () => {
  const check = (answers: Answer[], windows: Window[]) =>
    checkAnswers({ ...createJournal(), answers, windows });
  assertNames(check([answer], []));
  assertNames(check([{ ...answer, status: 503 }], []), /5\.0 s: site 1, GET \/health: 503/);
  assertNames(check([{ ...answer, status: 0 }], []), /no answer/);
  assertNames(check([{ ...answer, status: 503 }], [fault]));
  assertNames(check([{ ...answer, status: 503, server: 'site 2' }], [fault]), /site 2/);
  assertNames(check([{ ...answer, status: 503, from: 5_060 }], [fault]), /503/);
  assertNames(check([{ ...answer, status: 503 }], [{ ...fault, isExcuse: false }]), /503/);
});

test('a plain 500 is a violation whatever is broken, and so is what a log calls a failure', () => {
  const answers = [
    { ...answer, status: 500 },
    { ...answer, status: 503 },
  ];
  assertNames(checkWords({ answers }, []), /GET \/health/);
  assertNames(checkWords({ answers: [answer] }, ['/v1/fees: broken']), /in a log: \/v1\/fees: broken/);
});

test('a tool that fails is a violation while nothing is broken', () => {
  const move = {
    at: 5_000,
    to: 5_040,
    who: 'press',
    move: 'post',
    outcome: 'failed',
    detail: 'why',
  } as const;
  assertNames(checkMoves({ ...createJournal(), moves: [move] }), /press, post: why/);
  assertNames(checkMoves({ ...createJournal(), moves: [move], windows: [fault] }));
});

test('a refused action is a violation unless the chain had moved on from what the list showed', () => {
  const listed = { state: 'ACTIVE', round: 0, deadline: 900, updatedAt: 100 } as const;
  const check = (onChain: TaskFacts, windows: Window[] = []) => {
    const times = { at: 5_000, to: 5_040, who: 'press', move: 'trade' };
    const move = {
      ...times,
      outcome: 'refused',
      detail: 'deadline: must be later',
      task: { listed, onChain },
    };
    return checkMoves({ ...createJournal(), moves: [move as MoveResult], windows });
  };
  assertNames(check({ ...listed }), /press, trade: deadline: must be later/);
  assertNames(check({ ...listed }, [fault]));
  assertNames(check({ ...listed, deadline: 1_800 }));
  assertNames(check({ ...listed, state: 'DELIVERED', updatedAt: 200 }));
});

test('a kind of move that is nearly always refused is a violation, with its reason', () => {
  const check = (done: number) => {
    const times = { at: 5_000, to: 5_040, who: 'press' };
    const moves = Array.from({ length: 60 }, (_, at) => {
      const outcome = at < done ? 'done' : 'refused';
      return { ...times, move: 'share', outcome, detail: 'answered 409' } as const;
    });
    return checkMoves({ ...createJournal(), moves });
  };
  assertNames(check(5), /share: 5 of 60 done; 55 refused: answered 409/);
  assertNames(check(6));
});

test('a market that is not well again after a fault is a violation', () => {
  const lasting = { ...fault, trouble: 'a site does not run' };
  assertNames(checkRecovery({ windows: [fault, lasting] }), /kill \(site 1\): a site does not run/);
  assertNames(checkRecovery({ windows: [lasting, { ...fault, kind: 'overload' }] }));
});

test('a check that cannot be made is a violation, and the others are made', async () => {
  const [made, all, ...more] = await runChecks([
    async () => Promise.reject(new Error('site 2 does not answer')),
    () => checkRecovery({ windows: [] }),
  ]);
  assert.equal(more.length, 0);
  assertNames(made as Check);
  assertNames(all as Check, /site 2 does not answer/);
});

test('what is used twice, and a limit that a fault exceeded, are named', () => {
  const { uses } = createJournal();
  uses.receipt.set('0x01', 1).set('0x02', 2);
  uses.purchase.set('0x03', 3);
  assertNames(checkUses({ uses }), /receipt 0x02: 2 times/, /purchase 0x03: 3 times/);
  assertNames(
    checkMeasured({ measured: [{ what: '900 questions', isKept: false }], forward: 0 }),
    /900 questions/,
  );
});

test('more posts than a day allows, and posts that are not counted, are named', () => {
  const told = (address: string, taken: number, shown: number | null, from = 0) => {
    return { address, taken, shown, from, to: from + 100 };
  };
  const records = [told('a', 3, 3), told('b', 4, null), told('c', 3, 2), told('d', 1, null)];
  const jump = { ...fault, kind: 'clock', from: 1_050, to: 1_200 };
  assertNames(
    checkRecords({ records: [...records, told('e', 5, null, 1_000)], windows: [jump] }),
    /b: 4 were taken/,
    /c: 3 were taken, and 2 are counted/,
  );
});

test('sums that differ by one wei, and quotas that differ by one post, are named', () => {
  assertNames(
    checkSums([
      { what: 'all TOK', is: 2n, shouldBe: 2n },
      { what: 'held', is: 1n, shouldBe: 2n },
    ]),
    /held: 1 and not 2/,
  );
  const right = { confirmed: 1, limit: 3, resetsAt: 86_400 };
  assertNames(checkQuotas([{ who: 'press', answered: right, onChain: right }]));
  assertNames(checkQuotas([{ who: 'press', answered: { ...right, confirmed: 0 }, onChain: right }]), /press/);
});

test('a row that differs in the middle of a run is named, unless an answer was forged just before', () => {
  const audits = [{ at: 80_000, tasks: 9, differences: ['site 1: v2:micro:1 state is wrong'] }];
  const forged = { ...fault, kind: 'rpc: forged state', from: 20_000, to: 30_000 };
  assertNames(checkAudits({ audits, windows: [fault] }), /at 80\.0 s: site 1: v2:micro:1/);
  assertNames(checkAudits({ audits, windows: [forged] }));
  assertNames(
    checkAudits({ audits: [{ ...audits[0], at: 220_000 } as never], windows: [forged] }),
    /220\.0 s/,
  );
  const late = [{ ...audits[0], at: 120_000 } as never];
  const broken = (to: number) => ({ ...fault, kind: 'database frozen', from: 50_000, to });
  assertNames(checkAudits({ audits: late, windows: [forged, broken(82_000), broken(90_000)] }));
  assertNames(checkAudits({ audits: late, windows: [forged, broken(78_000), broken(79_000)] }), /120\.0 s/);
});

test('an envelope that was removed, and one that never left, are named', async () => {
  const talk = await writeTalk();
  const hashes = talk.map(({ hash }) => hash);
  const holding = (entries: typeof talk, outbox = 0) => ({
    transcripts: [transcriptOf(entries)],
    outbox,
    refused: 0,
  });
  assert.ok(talk.map(formatWire).length > 3);
  assertNames(await checkEnvelopes(hashes, [holding(talk), holding(talk)]));
  const last = talk.slice(0, -1);
  assertNames(
    await checkEnvelopes(hashes, [holding(talk), holding(last)]),
    /is 0 times with agent 2/,
    /different envelopes/,
  );
  const { violations } = await checkEnvelopes(hashes, [holding(talk), holding(talk.toSpliced(2, 1))]);
  assert.ok(violations.some((violation) => /has a gap with agent 2/.test(violation)));
  assertNames(
    await checkEnvelopes(hashes, [holding(talk, 1), holding(talk)]),
    /never left the outbox of agent 1/,
  );
});

test('a message that is lost, comes twice or breaks its chain is named', () => {
  const letter = (sequence: number): Letter => ({
    position: sequence,
    hash: `0x0${sequence}`,
    negotiationId: 'n',
    sequence,
    previousHash: `0x0${sequence - 1}`,
  });
  const mailed = [1, 2, 3].map((sequence) => ({ hash: `0x0${sequence}`, by: 'press', to: 'coder' }));
  const all = [1, 2, 3].map(letter);
  const good = ['press', 'coder'].map((name) => ({ name, followed: all, all }));
  assertNames(checkMail({ mailed }, good));
  const twice = [letter(1), ...all];
  assertNames(
    checkMail({ mailed }, [{ name: 'coder', followed: twice, all }]),
    /coder took in 4 messages, and has 3/,
    /0x01 came 2 times to coder/,
  );
  const lost = [letter(1), letter(3)];
  assertNames(
    checkMail({ mailed }, [{ name: 'coder', followed: lost, all: lost }]),
    /n is no chain/,
    /0x02 was accepted, and coder does not have it/,
  );
});

test('a full disk explains 507 and nothing else', () => {
  const windows = [{ ...fault, kind: 'disk', servers: ['small site'] }];
  const at = (status: number) => ({ ...answer, status, server: 'gateway 1', what: 'PUT /v1/files' });
  assertNames(checkAnswers({ ...createJournal(), answers: [at(507), at(503)], windows }), /503/);
  assertNames(checkAnswers({ ...createJournal(), answers: [at(507)] }), /507/);
});

test('memory that rises all the time, or is too much, is named; a peak, a step and a short run are not', () => {
  const samples = (megabytes: (at: number) => number, seconds = 600) =>
    Array.from({ length: seconds }, (_, at) => ({ at: at * 1_000, megabytes: megabytes(at) }));
  const check = (name: string, own: ReturnType<typeof samples>) => checkMemory([{ name, samples: own }]);
  const cases: [name: string, megabytes: (at: number) => number, violation?: RegExp][] = [
    ['rising', (at) => 60 + at / 5, /rising grew by 60\.0 MB from 60 MB/],
    ['stepped', (at) => (at < 290 ? 120 : 180)],
    ['stepped late', (at) => (at < 445 ? 120 : 180)],
    ['large', () => 400, /large holds 400 MB/],
    ['flat', (at) => 120 + (at % 90)],
    ['peak', (at) => (at === 300 ? 400 : 120)],
  ];
  for (const [name, megabytes, violation] of cases)
    assertNames(check(name, samples(megabytes)), ...(violation === undefined ? [] : [violation]));
  assertNames(
    check(
      'short',
      samples((at) => 100 + at, 30),
    ),
  );
});

test('a payment that is charged for nothing, or grants without charging, is a violation', () => {
  const payment: JudgedPayment = {
    payer: `0x${'1'.repeat(40)}`,
    nonce: '0x2',
    at: { from: 5_000, to: 6_000 },
    isGranted: true,
    isCharged: true,
    state: 'answered',
    paidNonce: null,
  };
  const check = (change: Partial<JudgedPayment>, forked: Span[] = []) =>
    checkPayments([{ ...payment, ...change }], { forked });
  assertNames(check({}));
  assertNames(checkPayments([], { forked: [] }), /nobody paid/);
  assertNames(check({ isGranted: false }));
  assertNames(check({ isGranted: false, state: 'settled' }));
  assertNames(check({ isGranted: false, isCharged: false, state: 'void' }));
  assertNames(check({ isGranted: false, state: 'void' }), /charged for nothing, its row is void/);
  assertNames(check({ isGranted: false, state: null }), /charged for nothing/);
  assertNames(check({ isCharged: false }), /5\.0 s: 0x1+, 0x2: granted without payment/);
  assertNames(check({ isCharged: false, paidNonce: '0x3' }));
  assertNames(check({ isCharged: false }, [{ from: 4_000, to: 5_500 }]));
  assertNames(check({ isCharged: false }, [{ from: 1_000, to: 4_000 }]), /granted/);
});

test('a server that says it is ready while its reads keep failing is a violation', () => {
  const read = (to: number, status: number, what = 'GET /api/market/open') => ({
    ...answer,
    to,
    status,
    what,
  });
  const check = (answers: Answer[], isReady: boolean) => {
    const times = Array.from({ length: 30 }, (_, at) => at * 1_000);
    const health = times.map((at) => ({ at, server: 'site 1', isReady }));
    return checkHealth({ answers, health });
  };
  const failing = [read(10_000, 503), read(13_000, 503), read(17_000, 503)];
  assertNames(
    check(failing, true),
    /17\.0 s: site 1 says that it is ready, and GET \/api\/market\/open is 503/,
  );
  assertNames(check(failing, false));
  assertNames(check(failing.slice(0, 2), true));
  assertNames(check([read(10_000, 503), read(13_000, 200), read(17_000, 503)], true));
  assertNames(check([read(10_000, 503, 'GET /v1/fees'), read(17_000, 503, 'GET /v1/fees')], true));
});
