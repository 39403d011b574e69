// Proves that an answer of svc_inbox stays short whatever waits, that nothing in it is lost, and that unknown senders come last.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import type { Hex } from 'viem';
import { createConversationReader } from '#sdk/client/conversationReader.ts';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { hashTermsDocument } from '#sdk/rules/terms.ts';
import { schemaVersion } from '#sdk/schemas/envelope.ts';
import { mailTools } from '#service/mcp/mailTools.ts';
import { negotiationTools } from '#service/mcp/negotiationTools.ts';
import { weigh } from '#service/mcp/shorten.ts';
import type { ToolContext } from '#service/mcp/tool.ts';
import type { ToolMailbox } from '#service/mcp/toolMail.ts';
import { createMailboxService } from '#service/relay/mailbox.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import { createConversationStore } from '#service/store/conversations.ts';
import { inMemory } from '#service/store/localFiles.ts';
import { createMailboxStore } from '#service/store/mailboxes.ts';
import { migrate } from '#service/store/migrate.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { createPaperFile } from '#service/wallet/paperFile.ts';
import {
  buildOffer,
  buildTerms,
  documentOf,
  negotiationId,
  now,
  nowSeconds,
  poster,
  registries,
  worker,
} from './support/negotiating.ts';
import { createFolder } from './support/svc.ts';

const [inbox] = mailTools;
const own = worker.address;
const judge: Hex = `0x${'77'.repeat(20)}`;
const message256KiB = 'x'.repeat(255 * 1_024);
const isLong = process.env.SVC_LONG_TESTS === '1';
const many = isLong ? 2_000 : 300;
/** To store half a gigabyte takes longer than everything else here: usually only the newest are that long. */
const longText = (index: number) => (isLong || index >= many - 20 ? message256KiB : 'x'.repeat(3_000));

let written = 0;

type Sent = SignedEnvelope & { readonly isKnown?: boolean; readonly root: Hex };

/** Signatures play no part here. `isUnread`: nobody reads it, so its hash may be any. */
function write(
  from: string,
  payload: object,
  {
    isKnown = false,
    isUnread = false,
    ...more
  }: { isKnown?: boolean; isUnread?: boolean } & Partial<SignedEnvelope['envelope']> = {},
  previous?: Sent,
): Sent {
  const isOffer = 'terms' in payload;
  const envelope = {
    schemaVersion,
    type: isOffer ? 'TaskProposal' : 'Note',
    negotiationId: isOffer ? negotiationId : (previous?.envelope.negotiationId ?? crypto.randomUUID()),
    sequence: (previous?.envelope.sequence ?? 0) + 1,
    previousHash: previous?.hash ?? noHead.hash,
    timestamp: now.toISOString(),
    sender: { evmAddress: from, xmtpPublicKey: 'test' },
    payload: previous === undefined && !isOffer ? { to: own, ...payload } : { ...payload },
    ...more,
  } as SignedEnvelope['envelope'];
  const hash: Hex = isUnread ? `0x${(++written).toString(16).padStart(64, '0')}` : hashCanonical(envelope);
  return { envelope, hash, signature: `0x${'11'.repeat(65)}`, isKnown, root: previous?.root ?? hash };
}

const walletOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;

/** A wallet with collateral for many tasks. */
const reads = {
  readWallet: async () => ({ deposit: { balance: 10n ** 12n, locked: 0n } }),
  readFigures: async () => ({ entryUsdc: 1n, bondUsdc: 1n, accessFeeTokWei: 1n }),
  readRevoked: async () => false,
};
type Market = { readonly tasks?: readonly object[]; readonly sign?: () => object };

/** A relay with these messages, oldest first, and the tool over it. */
async function open(
  test: TestContext,
  signed: readonly Sent[],
  { tasks = [], sign = () => ({}) }: Market = {},
) {
  const database = createSqliteDatabase(createFolder(test));
  test.after(() => database.close());
  await migrate(database);
  const store = createConversationStore(database);
  for (const [index, { isKnown = false, root, ...one }] of signed.entries()) {
    const { payload, sequence, previousHash, type, sender } = one.envelope;
    const wire = toCanonical(one);
    const other = sender.evmAddress === own ? poster.address : own;
    await store.append(
      {
        ...{ hash: one.hash, root, sequence, wire, bytes: wire.length, isKnown },
        negotiationId: one.envelope.negotiationId,
        previousHash: previousHash as Hex,
        sender: sender.evmAddress as Hex,
        recipient: other as Hex,
        ...{ receivedAt: nowSeconds + index, block: 1, keepUntil: nowSeconds * 2 },
        ...{ isAnswer: true, isTerms: type !== 'Note', title: null, about: null },
        settlementDigest: (payload.settlementDigest as string | undefined) ?? null,
      },
      { since: nowSeconds * 2, openSince: nowSeconds * 2, openers: [] },
      () => false,
    );
  }
  const service = createMailboxService(
    createMailboxStore(database),
    createConversationListStore(database),
    () => nowSeconds,
  );
  const relay = { bytes: 0 };
  const count = <Reply>(reply: Reply): Reply => {
    relay.bytes += JSON.stringify(reply).length;
    return reply;
  };
  const client = {
    conversations: async ({ limit = 100, senders = 'all', unread = false, ...query }) =>
      count(await service.list(own, { ...query, limit, senders, isUnread: unread } as never)),
    conversation: async (root: string, { only, before = 2 ** 50, limit = 100, ...query }: Page) =>
      count(
        await service.readConversation(own, root, { ...query, before, limit, isTerms: only === 'terms' }),
      ),
    mark: (root: Hex, marks: object) => service.mark(own, root, marks),
  };
  type Page = { only?: string; before?: number; limit?: number; maxBytes?: number };
  const reader = createConversationReader(own, async () => true);
  const show = (): ToolMailbox =>
    ({
      ...reader.read(),
      client,
      reader,
      find: async (wanted) => {
        await reader.find(client as never, wanted);
        return show();
      },
    }) as ToolMailbox;
  const context = {
    mail: { open: async () => ({ mailbox: show() }), requestSignature: async () => sign() },
    market: {
      concerns: async () => ({ concerns: [] }),
      task: async (id: string) => {
        const { deliveries = [], ...task } = (tasks.find((one) => 'id' in one && one.id === id) ?? {
          id,
          poster: poster.address,
          dispute: null,
        }) as { deliveries?: readonly object[] };
        const more = { state: 'ACTIVE', scope: 'private', criteriaHash: `0x${'00'.repeat(32)}`, deliveries };
        return { task: { ...more, ...task } };
      },
    },
    now: async () => nowSeconds,
    connectPrepare: async () => ({ ...registries, reads }),
    papers: createPaperFile(inMemory),
  } as unknown as ToolContext;
  const call = async (args: object, tool = inbox) => {
    assert.ok(tool);
    const input = tool.input.strict().parse(tool === inbox ? { address: own, ...args } : args);
    const before = relay.bytes;
    const answer = await tool.run(input, context, new AbortController().signal);
    assert.ok(relay.bytes - before < 4_000_000, `${relay.bytes - before} bytes read from the relay`);
    assert.ok(weigh(answer) < 16_000, `${weigh(answer)} for at most 8,000 tokens`);
    tool.output.parse(answer);
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is checked by its schema
    return answer as any;
  };
  return call;
}

type Read = Awaited<ReturnType<typeof open>>;

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

describe('very many messages of 256 KiB', () => {
  test('of unknown senders: one page is short, and the pages together list each once', async (context) => {
    const signed = Array.from({ length: many }, (_, index) =>
      write(walletOf(index + 1), { text: `${index} ${longText(index)}` }, { isUnread: true }),
    );
    const known = write(poster.address, { text: `A question ${message256KiB}` }, { isKnown: true });
    const read = await open(context, [...signed, known]);
    const pages = await readPages(read);
    const [first] = pages;
    assert.deepEqual(first.counts, { unread: 1, unknownSenders: 100 }, 'counted up to 100');
    assert.deepEqual(
      first.conversations.map(({ root }: { root: string }) => root),
      [known.hash],
      'a shared task comes first',
    );
    const unknown = pages.flatMap(({ unknownSenders }) => unknownSenders);
    assert.equal(unknown.length, many);
    assert.equal(new Set(unknown.map(({ root }) => root)).size, many);
    const [newest] = unknown;
    assert.deepEqual(Object.keys(newest), ['root', 'from', 'messages', 'untrustedText']);
    assert.equal(newest.root, signed.at(-1)?.hash, 'the newest first');
    assert.equal(newest.untrustedText.length, 200);
    const after = await read({});
    assert.deepEqual(after.counts, { unread: 0, unknownSenders: 0 }, 'every page was confirmed by the next');
  });

  test('in one conversation: cut, counted, and each can be read whole', async (context) => {
    const signed: Sent[] = [];
    for (let index = 0; index < many; index++) {
      const from = index % 2 === 0 ? poster.address : own;
      const isUnread = index > 0 && index < many - 20;
      const isOffer = index === 2;
      const payload = isOffer ? buildOffer() : { text: `${index} ${longText(index)}` };
      signed.push(write(from, payload, { isUnread: isUnread && !isOffer, negotiationId }, signed.at(-1)));
    }
    const read = await open(context, signed);
    const { conversations } = await read({ all: true });
    const { root, untrusted, earlier, status } = conversations[0];
    assert.equal(status, 'offered', 'the offer is found, however far back it is');
    const [last] = untrusted.messages.slice(-1);
    assert.equal(earlier + untrusted.messages.length, many);
    assert.ok(last.payload.text.startsWith(`${many - 1} xxx`) && last.payload.text.length > 1_200);
    assert.ok(last.payload.text.length <= 2_000);
    const { payload } = signed.at(-1)?.envelope ?? assert.fail();
    assert.equal(last.leftOut.characters, String(payload.text).length - last.payload.text.length);
    assert.deepEqual(await readWhole(read, { root, message: last.leftOut.message }), payload);
    const page = await read({ root });
    const before = await read({ root, cursor: page.nextCursor });
    const places = [before, page].flatMap((one) => one.conversations[0].untrusted.messages);
    assert.ok(places.length > 1);
    assert.deepEqual(
      places.map(({ sequence }) => sequence),
      places.map((_, index) => many + 1 - places.length + index),
      'nothing between two pages is left out',
    );
  });
});

test('reading marks nothing; asking for the next page marks the one before as read', async (context) => {
  const answered = write(poster.address, { text: 'Old' });
  const signed = [
    answered,
    write(own, { text: 'My answer' }, {}, answered),
    ...Array.from({ length: 12 }, (_, at) =>
      write(walletOf(at + 1), { text: `Question ${at}` }, { isKnown: true }),
    ),
    write(walletOf(99), { text: 'Unknown' }),
  ];
  const read = await open(context, signed);
  const first = await read({});
  assert.deepEqual(await read({}), first, 'read twice, it is the same');
  assert.ok(first.conversations.length <= 10);
  assert.ok(
    first.conversations.every(({ root }: { root: string }) => root !== answered.hash),
    'only unread',
  );
  assert.deepEqual(first.counts, { unread: 12, unknownSenders: 1 });
  const second = await read({ cursor: first.nextCursor });
  assert.equal(second.counts.unread, 12 - first.conversations.length);
  const rest = await readPages(read, { cursor: second.nextCursor });
  assert.equal(rest.at(-1)?.nextCursor, null);
  const none = await read({});
  assert.deepEqual(
    [none.conversations, none.unknownSenders, none.counts],
    [[], [], { unread: 0, unknownSenders: 0 }],
  );
  const all = await readPages(read, { all: true });
  assert.equal(all.flatMap(({ conversations }) => conversations).length, 13);
});

test('hostile fields do not lengthen an answer', async (context) => {
  const keys = Object.fromEntries(
    Array.from({ length: 9_000 }, (_, index) => [`${index} ${'k'.repeat(12)}`, 1]),
  );
  const nested = JSON.parse(`${'['.repeat(60)}"${'n'.repeat(9_000)}"${']'.repeat(60)}`);
  const payloads = [
    { text: '\u0000'.repeat(40_000) },
    { text: '漢字🛠'.repeat(9_000) },
    { text: '\ua0ff\u{20123}'.repeat(9_000) },
    { text: 'qz'.repeat(20_000) },
    { text: randomBytes(60_000).toString('base64') },
    { text: '"\\'.repeat(60_000) },
    { text: 'x', [`key ${'k'.repeat(90_000)}`]: 1 },
    { text: 'x', keys_: keys },
    { text: 'x', nested },
    { text: 'x', many: Array.from({ length: 60_000 }, () => []) },
  ];
  const pairs = payloads.map((payload) => {
    const first = write(poster.address, payload);
    return [first, write(own, payload, {}, first)] as const;
  });
  const read = await open(context, pairs.flat());
  await readPages(read, { all: true });
  for (const [first, answer] of pairs) {
    const { conversations } = await read({ root: first.hash, limit: 100 });
    await read({ root: first.hash, taskId: 'v2:standard:1' });
    assert.ok(conversations[0].untrusted.messages.length > 0, 'a message is shown');
    assert.deepEqual(await readWhole(read, { message: answer.hash }), answer.envelope.payload);
  }
  const unanswered = pairs.map(([first]) => first);
  await readPages(await open(context, unanswered));
  const type = { type: 'T'.repeat(100_000), taskId: 'v'.repeat(50_000) };
  const odd = write(poster.address, { text: 'x' }, type);
  const { conversations } = await (await open(context, [odd, write(own, {}, type, odd)]))({ all: true });
  assert.equal(conversations[0].untrusted.messages.length, 2);
});

function writeLongOffer(): Sent {
  const document = { ...documentOf(), description: 'd'.repeat(60_000) };
  const terms = buildTerms({ criteriaHash: hashCanonical(document) });
  return write(poster.address, buildOffer(terms, document), { type: 'TaskProposal' });
}

test('a long offer is cut, says so, and can be read whole', async (context) => {
  const offer = writeLongOffer();
  const short = write(poster.address, buildOffer(), { type: 'TaskProposal' });
  const read = await open(context, [offer, short]);
  const { unknownSenders, conversations } = await read({});
  assert.deepEqual([unknownSenders.length, conversations.length], [2, 0]);
  const shown = async (root: string) => (await read({ root })).conversations[0].untrusted.offer;
  const { leftOut } = await shown(offer.hash);
  assert.ok(leftOut.characters > 50_000);
  assert.deepEqual(await readWhole(read, { message: leftOut.message }), offer.envelope.payload);
  const whole = await shown(short.hash);
  assert.deepEqual([whole.terms, whole.document, whole.leftOut], [buildTerms(), documentOf(), undefined]);
});

test('the digest of the last offer in a conversation is checked', async (context) => {
  const verify = negotiationTools.find(({ name }) => name === 'svc_verify_settlement_digest');
  const offer = write(poster.address, buildOffer(), { type: 'TaskProposal' });
  const note = write(poster.address, { text: 'no offer' });
  const read = await open(context, [offer, note]);
  for (const { hash } of [offer, note]) await read({ root: hash });
  const digest = hashTermsDocument(buildTerms());
  for (const [settlementDigest, matches] of [
    [digest, true],
    [offer.hash, false],
  ] as const) {
    const answer = await read({ address: own, root: offer.hash, settlementDigest }, verify);
    assert.deepEqual([answer.computed, answer.matches], [digest, matches]);
  }
  await assert.rejects(read({ address: own, root: note.hash }, verify), { message: /has no offer/ });
  await assert.rejects(read({ address: own }, verify), { message: /Give terms, or root and address/ });
});

test('terms that name another market than that of their registry are shown as such, and nobody is asked to sign them', async (context) => {
  const send = mailTools.find(({ name }) => name === 'svc_send_message');
  const { standard, micro } = registries.contracts;
  for (const [market, { taskRegistry: registry }, says] of [
    ['micro', standard, /say micro, but their registry is that of another market: standard/],
    ['standard', micro, /say standard, but their registry is that of another market: micro/],
    ['standard', { taskRegistry: judge }, /are for another market: chain 8453, registry 0x7777/],
  ] as const) {
    const terms = buildTerms({ market, place: { chainId: registries.chainId, registry } });
    const offer = write(poster.address, buildOffer(terms), { type: 'TaskProposal' });
    const asked: object[] = [];
    const sign = () => {
      asked.push(terms);
      return { requestId: 'one', approvalUrl: null, status: 'pending', signature: null };
    };
    const read = await open(context, [offer], { sign });
    const { conversations } = await read({ root: offer.hash });
    const { settlementDigest } = terms;
    const acceptance = { from: own, type: 'TaskAcceptance', root: offer.hash, settlementDigest };
    await assert.rejects(read(acceptance, send), { message: says });
    assert.deepEqual(asked, [], 'nothing was signed');
    const [shown] = conversations;
    assert.match(shown.wrongMarket, says);
    assert.deepEqual(
      shown.next.map((one: { arguments: { type: string } }) => one.arguments.type),
      ['TaskCounterOffer'],
    );
  }
});

describe('a shared task', () => {
  const task = {
    id: 'v2:standard:3',
    poster: poster.address,
    worker: own,
    dispute: { judge, evidence: [], ruling: null },
  };
  test('leads its judge to the ruling, not to an offer', async (context) => {
    const message = write(poster.address, { text: 'About it' }, { taskId: task.id, isKnown: true });
    const { conversations } = await (await open(context, [message], {}))({});
    const [{ tool, arguments: args }] = conversations[0].next;
    assert.deepEqual([tool, args.taskId], ['svc_task_next_steps', task.id]);
  });

  test('shows its documents cut, and each whole with the keys of its files', async (context) => {
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
    const offer = { ...writeLongOffer(), isKnown: true };
    const read = await open(context, [...signed, offer], { tasks: [{ ...task, deliveries }] });
    await read({ taskId: task.id, root: offer.hash });
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
