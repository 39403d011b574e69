// Proves that an answer of svc_inbox stays short whatever waits, that nothing in it is lost, and that unknown senders come last.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hex } from 'viem';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { buildTranscripts } from '#sdk/negotiation/transcript.ts';
import { schemaVersion } from '#sdk/schemas/envelope.ts';
import { mailTools } from '#service/mcp/mailTools.ts';
import type { ToolContext } from '#service/mcp/tool.ts';
import { inMemory } from '#service/store/localFiles.ts';
import { createPaperFile } from '#service/wallet/paperFile.ts';
import { countTokens } from './mcp/tokens.ts';
import {
  buildOffer,
  buildTerms,
  documentOf,
  now,
  nowSeconds,
  poster,
  worker,
} from './support/negotiating.ts';

const [inbox] = mailTools;
const own = worker.address;
const judge = `0x${'77'.repeat(20)}`;
const message256KiB = 'x'.repeat(255 * 1_024);

let written = 0;

/** A mailbox holds verified messages, so signatures and hashes play no part here. */
function write(from: string, payload: object, more: object = {}, previous?: SignedEnvelope): SignedEnvelope {
  const envelope = {
    schemaVersion,
    type: 'Note',
    negotiationId: previous?.envelope.negotiationId ?? crypto.randomUUID(),
    sequence: (previous?.envelope.sequence ?? 0) + 1,
    previousHash: previous?.hash ?? noHead.hash,
    timestamp: now.toISOString(),
    sender: { evmAddress: from, xmtpPublicKey: 'test' },
    payload: previous === undefined && !('terms' in payload) ? { to: own, ...payload } : { ...payload },
    ...more,
  } as const;
  return { envelope, hash: `0x${(++written).toString(16).padStart(64, '0')}`, signature: '0x00' };
}

const walletOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;

type Market = { readonly tasks?: readonly object[]; readonly cases?: readonly string[] };

/** A mailbox with these messages, oldest first. */
function open(signed: readonly SignedEnvelope[], { tasks = [], cases = [] }: Market = {}) {
  const { transcripts } = buildTranscripts(signed);
  const positions = new Map(signed.map(({ hash }, index) => [hash, index + 1]));
  const list = async (_: string, { market }: { market: string }) => ({
    tasks: market === 'standard' ? tasks : [],
  });
  const context = {
    mail: { open: async () => ({ mailbox: { transcripts, positions, hidden: 0, isStuck: () => false } }) },
    market: {
      posterTasks: list,
      workerTasks: async () => ({ tasks: [] }),
      concerns: async (_: string, { market }: { market: string }) => ({
        concerns: market === 'standard' ? cases.map((taskId) => ({ taskId })) : [],
      }),
      task: async (id: string) => {
        const { deliveries = [], ...task } = (tasks.find((one) => 'id' in one && one.id === id) ?? {
          id,
          poster: poster.address,
          dispute: null,
        }) as { deliveries?: readonly object[] };
        return { task: { state: 'ACTIVE', criteriaHash: `0x${'00'.repeat(32)}`, deliveries, ...task } };
      },
    },
    now: async () => nowSeconds,
    papers: createPaperFile(inMemory),
  } as unknown as ToolContext;
  return async (args: object) => {
    assert.ok(inbox);
    const input = inbox.input.strict().parse({ address: own, ...args });
    const answer = await inbox.run(input, context, new AbortController().signal);
    const text = JSON.stringify(answer);
    assert.ok(countTokens(text) < 8_000, `${countTokens(text)} tokens`);
    assert.ok(Buffer.byteLength(text) < 16_000, `${Buffer.byteLength(text)} bytes`);
    inbox.output.parse(answer);
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is checked by its schema
    return answer as any;
  };
}

type Read = ReturnType<typeof open>;

async function readPages(read: Read, args: object = {}) {
  const pages = [await read(args)];
  while (pages.at(-1).nextCursor !== null && pages.length < 500)
    pages.push(await read({ ...args, cursor: pages.at(-1).nextCursor }));
  return pages;
}

async function readWhole(read: Read, args: object): Promise<unknown> {
  const pages = await readPages(read, args);
  return JSON.parse(pages.map(({ whole }) => whole.untrustedText).join(''));
}

describe('2,000 messages of 256 KiB', () => {
  test('of unknown senders: one page is short, and the pages together list each once', async () => {
    const signed = Array.from({ length: 2_000 }, (_, index) =>
      write(walletOf(index + 1), { text: `${index} ${message256KiB}` }),
    );
    const answer = write(own, { text: 'Yes' }, {}, signed[7]);
    const pages = await readPages(open([...signed, answer]));
    const [first] = pages;
    assert.deepEqual(first.counts, { conversations: 1, unknownSenders: 1_999 });
    assert.deepEqual(
      first.conversations.map(({ root }: { root: string }) => root),
      [signed[7]?.hash],
      'the answered one comes first',
    );
    const unknown = pages.flatMap(({ unknownSenders }) => unknownSenders);
    assert.equal(unknown.length, 1_999);
    assert.equal(new Set(unknown.map(({ root }) => root)).size, 1_999);
    const [newest] = unknown;
    assert.deepEqual(Object.keys(newest), ['root', 'from', 'bytes', 'untrustedText']);
    assert.equal(newest.root, signed.at(-1)?.hash, 'the newest first');
    assert.equal(newest.untrustedText.length, 200);
    assert.ok(newest.bytes > message256KiB.length);
  });

  test('in one conversation: cut, counted, and each can be read whole', async () => {
    const signed: SignedEnvelope[] = [];
    for (let index = 0; index < 2_000; index++) {
      const from = index % 2 === 0 ? poster.address : own;
      signed.push(write(from, { text: `${index} ${message256KiB}` }, {}, signed.at(-1)));
    }
    const read = open(signed);
    const { conversations } = await read({});
    const { root, untrusted, earlier } = conversations[0];
    const [last] = untrusted.messages.slice(-1);
    assert.equal(earlier + untrusted.messages.length, 2_000);
    assert.ok(last.payload.text.startsWith('1999 xxx') && last.payload.text.length > 1_900);
    assert.ok(last.payload.text.length <= 2_000);
    const { payload } = signed.at(-1)?.envelope ?? assert.fail();
    assert.equal(last.leftOut.characters, String(payload.text).length - last.payload.text.length);
    assert.deepEqual(await readWhole(read, { message: last.leftOut.message }), payload);
    const page = await read({ root });
    const before = await read({ root, cursor: page.nextCursor });
    const places = [before, page].flatMap((one) => one.conversations[0].untrusted.messages);
    assert.deepEqual(
      places.map(({ sequence }) => sequence),
      places.map((_, index) => 2_001 - places.length + index),
      'nothing between two pages is left out',
    );
  });
});

test('hostile fields do not lengthen an answer', async () => {
  const keys = Object.fromEntries(
    Array.from({ length: 9_000 }, (_, index) => [`${index} ${'k'.repeat(12)}`, 1]),
  );
  const nested = JSON.parse(`${'['.repeat(60)}"${'n'.repeat(9_000)}"${']'.repeat(60)}`);
  const payloads = [
    { text: '\u0000'.repeat(40_000) },
    { text: '漢字🛠'.repeat(9_000) },
    { text: '"\\'.repeat(60_000) },
    { text: 'x', [`key ${'k'.repeat(90_000)}`]: 1 },
    { text: 'x', keys_: keys },
    { text: 'x', nested },
    { text: 'x', many: Array.from({ length: 60_000 }, () => []) },
  ];
  for (const payload of payloads) {
    const first = write(poster.address, payload);
    const answer = write(own, payload, {}, first);
    const read = open([first, answer]);
    await read({});
    const { conversations } = await read({ root: first.hash, limit: 100 });
    assert.ok(conversations[0].untrusted.messages.length > 0, 'a message is shown');
    assert.deepEqual(await readWhole(read, { message: answer.hash }), answer.envelope.payload);
    await open([first])({});
  }
  const type = { type: 'T'.repeat(100_000), taskId: 'v'.repeat(50_000) };
  const odd = write(poster.address, { text: 'x' }, type);
  const { conversations } = await open([odd, write(own, {}, type, odd)])({});
  assert.equal(conversations[0].untrusted.messages.length, 2);
});

test('a long offer is cut, says so, and can be read whole', async () => {
  const document = { ...documentOf(), description: 'd'.repeat(60_000) };
  const terms = buildTerms({ criteriaHash: hashCanonical(document) });
  const offer = write(poster.address, buildOffer(terms, document), { type: 'TaskProposal' });
  const short = write(poster.address, buildOffer(), { type: 'TaskProposal' });
  const read = open([offer, short]);
  const { unknownSenders, conversations } = await read({});
  assert.deepEqual([unknownSenders.length, conversations.length], [2, 0]);
  const shown = async (root: string) => (await read({ root })).conversations[0].untrusted.offer;
  const { leftOut } = await shown(offer.hash);
  assert.ok(leftOut.characters > 50_000);
  assert.deepEqual(await readWhole(read, { message: leftOut.message }), offer.envelope.payload);
  const whole = await shown(short.hash);
  assert.deepEqual([whole.terms, whole.document, whole.leftOut], [buildTerms(), documentOf(), undefined]);
});

describe('a shared task', () => {
  const task = {
    id: 'v2:standard:3',
    poster: poster.address,
    worker: own,
    dispute: { judge, evidence: [], ruling: null },
  };
  const note = (from: string, more = {}) => write(from, { text: 'About the task' }, more);

  test('makes its parties and its judge known; naming a task does not', async () => {
    const liar = note(walletOf(9), { taskId: task.id });
    const read = open([note(poster.address), note(judge), liar], { tasks: [task] });
    const { conversations, unknownSenders } = await read({});
    assert.deepEqual(
      conversations.map((one: { with: string }) => one.with.toLowerCase()),
      [judge, poster.address.toLowerCase()],
    );
    assert.deepEqual(
      unknownSenders.map(({ root }: { root: string }) => root),
      [liar.hash],
    );
  });

  test('makes the parties of a case known to its judge', async () => {
    const messages = [note(poster.address, { taskId: task.id }), note(walletOf(9), { taskId: task.id })];
    const { counts } = await open(messages, { cases: [task.id] })({});
    assert.deepEqual(counts, { conversations: 1, unknownSenders: 1 });
  });

  test('shows its documents cut, and each whole with the keys of its files', async () => {
    const artifacts = Array.from({ length: 100 }, (_, index) => ({
      name: `file-${index}`,
      sha256: index.toString(16).padStart(64, '0'),
      bytes: 1,
      mediaType: 'text/plain',
    }));
    const documents = Array.from({ length: 10 }, (_, milestone) => ({
      schema: 'svc-delivery-v1',
      taskId: task.id,
      milestone,
      note: 'n'.repeat(15_000),
      artifacts,
    }));
    const deliveries = documents.map((document) => ({
      milestone: document.milestone,
      round: 0,
      proofHash: hashCanonical(document),
      uri: '',
    }));
    const signed = documents.map((document, milestone) =>
      write(
        poster.address,
        { milestone, proofHash: hashCanonical(document), document },
        { type: 'DeliveryNotice', taskId: task.id },
      ),
    );
    const read = open(signed, { tasks: [{ ...task, deliveries }] });
    const { work } = await read({ taskId: task.id });
    const last = work.at(-1);
    assert.deepEqual([last.hash, last.documentState], [deliveries.at(-1)?.proofHash, 'verified']);
    assert.ok(last.files.length > 5);
    assert.equal(last.untrusted.document.artifacts, undefined, 'its files stand there once');
    const { characters: _, ...whole } = last.leftOut;
    const { document, files } = (await readWhole(read, whole)) as Record<string, never[]>;
    assert.deepEqual([document, files?.length], [documents.at(-1), 100]);
  });
});
