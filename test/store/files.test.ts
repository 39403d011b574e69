// Files as rows and bytes, on both databases: limits, racing replicas, interrupted processes, drafts and the sweep.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { buildInlineUri } from '#sdk/domain/document.ts';
import { type ByteStore, createFolderStore } from '#service/files/byteStore.ts';
import { createSweep } from '#service/files/sweep.ts';
import { createFileService, type FileLimits, fileLimits, type Subject } from '#service/files/uploads.ts';
import type { Database } from '#service/store/database.ts';
import { createFileRows } from '#service/store/fileRows.ts';
import { createFileSubjects, type FileSubjects, type Naming } from '#service/store/fileSubjects.ts';
import { createListingStore } from '#service/store/listings.ts';
import { migrate } from '#service/store/migrate.ts';
import { createWithheldStore } from '#service/store/withheld.ts';
import { onBothDatabases } from '../support/databases.ts';
import { createFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';

const folder = createFolder({ after });

const ann = `0x${'aa'.repeat(20)}` as const;
const bob = `0x${'bb'.repeat(20)}` as const;
const root = `0x${'cd'.repeat(32)}` as const;
const task: Subject = { kind: 'task', task: { market: 'standard', number: 1n } };
const other: Subject = { kind: 'task', task: { market: 'standard', number: 2n } };
const draft: Subject = { kind: 'draft' };
const day = 86_400;
const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

type World = {
  now: number;
  endedAt: number | null;
  isTaskKnown: boolean;
  isWhole: boolean;
  isTalking: boolean;
  isDisputed: boolean;
  isPrivate: boolean;
  namings: Naming[];
};

/** A gateway's files, with a task and a conversation of Ann and Bob whose course the test decides. */
function createWorld(
  database: Database,
  {
    limits = fileLimits,
    maxBytes = 1e9,
    place = randomBytes(6).toString('hex'),
  }: { limits?: FileLimits; maxBytes?: number; place?: string } = {},
) {
  const world: World = {
    now: 1_000_000,
    endedAt: null,
    isTaskKnown: true,
    isWhole: true,
    isTalking: true,
    isDisputed: false,
    isPrivate: false,
    namings: [],
  };
  const rows = createFileRows(database);
  const bytes = createFolderStore(join(folder, place));
  const incoming = join(folder, place, 'incoming');
  const subjects: FileSubjects = {
    loadTask: async () =>
      world.isTaskKnown
        ? {
            state: world.isDisputed ? 'DISPUTED' : world.endedAt === null ? 'ACTIVE' : 'COMPLETED',
            isPrivate: world.isPrivate,
            parties: [ann, bob],
            endedAt: world.endedAt,
          }
        : null,
    loadConversation: async () => (world.isTalking ? { parties: [ann, bob], keepUntil: world.now } : null),
    loadNamings: async (wallet) => (wallet === ann ? world.namings : []),
  };
  const createService = (store: ByteStore = bytes) =>
    createFileService({
      rows,
      bytes: store,
      incoming,
      maxBytes,
      limits,
      withheld: createWithheldStore(database),
      standing: { ...subjects, hasCollateral: async () => true },
      now: () => world.now,
    });
  const service = createService();
  const sweep = createSweep({
    rows,
    bytes,
    incoming,
    subjects,
    listings: { loadNamings: async () => [] },
    isWhole: async () => world.isWhole,
    past: () => world.now,
  });
  const put = (
    content: string | Uint8Array,
    subject: Subject = task,
    wallet: `0x${string}` = ann,
    by = service,
  ) =>
    by.put({
      sha256: hashOf(content),
      bytes: content.length,
      wallet,
      subject,
      isSealed: false,
      body: Readable.from([Buffer.from(content)]),
      signal: new AbortController().signal,
    });
  const isHere = (content: string) =>
    service.find(hashOf(content)).then(
      () => true,
      () => false,
    );
  const readTotal = async () => {
    const [row] = await database.query<{ bytes: number }>('SELECT bytes FROM file_total');
    return row?.bytes;
  };
  return {
    world,
    rows,
    bytes,
    incoming,
    createService,
    put,
    isHere,
    readTotal,
    sweep: async () => {
      while (await sweep(new AbortController().signal));
    },
  };
}

onBothDatabases(({ create, place, open, once }) => {
  test('bytes are kept once, and live while any use lives', async () => {
    const { world, put, isHere, readTotal, sweep } = createWorld(await create());
    assert.equal(await put('shared'), true);
    assert.equal(await put('shared', task, bob), false);
    assert.equal(await put('shared', { kind: 'conversation', root }), false);
    assert.equal(await readTotal(), 6);
    world.now += 400 * day;
    await sweep();
    assert.ok(await isHere('shared'), 'a task of 400 days keeps its files');
    world.endedAt = world.now;
    world.now += 89 * day;
    await sweep();
    assert.ok(await isHere('shared'));
    world.now += 10 * day;
    await sweep();
    assert.ok(await isHere('shared'), 'the conversation still needs it');
    world.isTalking = false;
    world.now += 10 * day;
    await sweep();
    assert.ok(!(await isHere('shared')));
    assert.equal(await readTotal(), 0);
    assert.equal(await put('shared', { kind: 'draft' }), true, 'it can come back');
  });

  once('a draft ends after a day unless a document of its wallet lists it', async () => {
    const { world, bytes, put, isHere, sweep } = createWorld(await create());
    const artifact = (name: string) => ({ name, mediaType: 'text/plain', bytes: 1, sha256: hashOf(name) });
    const words = { title: 'Birds', description: '', criteria: 'Ten.', milestones: [], tags: [] };
    const list = (...artifacts: object[]) => ({ schema: 'svc-task-v1', ...words, artifacts });
    const sealed = { ...artifact('plain'), sealed: { sha256: hashOf('sealed'), bytes: 2 } };
    const stored = toCanonical(list(sealed));
    const names = ['inline', 'sealed', stored, 'in a message', 'in a listing'];
    for (const name of [...names, 'forgotten', 'told']) await put(name, draft);
    await put('inline', draft, bob);
    await put('of bob', draft, bob);
    world.namings = [
      {
        subject: 'v2:standard:1',
        uri: buildInlineUri(new TextEncoder().encode(toCanonical(list(artifact('inline'))))),
      },
      { subject: 'v2:standard:1', uri: `https://gateway.example/v1/files/${hashOf(stored)}` },
      { subject: root, documents: [undefined, 'no document', list(artifact('in a message'))] },
      { subject: '', documents: [list(artifact('in a listing'))] },
      {
        subject: root,
        documents: [{ ...list(artifact('forgotten')), schema: 'unknown' }, { text: hashOf('told') }],
      },
    ];
    world.now += day - 1;
    await sweep();
    assert.ok(await isHere('forgotten'));
    world.now += 1;
    world.isWhole = false;
    await sweep();
    assert.ok(await isHere('forgotten'), 'while the chain is still read, nothing is taken for unnamed');
    world.isWhole = true;
    await sweep();
    assert.ok(!(await isHere('forgotten')));
    assert.ok(!(await isHere('of bob')));
    assert.ok(!(await bytes.has(hashOf('of bob'))));
    for (const name of names) assert.ok(await isHere(name), name);
    world.now += 30 * day;
    await sweep();
    for (const name of names) assert.ok(await isHere(name), `${name}, later`);
    assert.ok(!(await isHere('told')), 'digits in a text name no file');
    Object.assign(world, { isTaskKnown: false, isTalking: false, namings: [] });
    world.now += 30 * day;
    await sweep();
    for (const name of names) assert.ok(!(await isHere(name)), `${name}, at the end`);
  });

  test('conversations and documents are found in rows, and tasks that do not exist are not', async () => {
    const database = await create();
    const wire = JSON.stringify({ envelope: { payload: { document: 'a', documents: ['b'] } } });
    await database.write(
      `INSERT INTO conversations (root, negotiation_id, opener, other, head_sequence, head_hash, is_answered,
         is_known, opened_at, last_at, keep_until)
       VALUES ('${root}', 'n', '${ann}', '${bob}', 1, '${root}', 0, 0, 5, 5, 9)`,
    );
    await database.write(
      `INSERT INTO messages (hash, root, sequence, sender, recipient, wire, bytes, received_at, block, is_dispute)
       VALUES ('${root}', '${root}', 1, '${ann}', '${bob}', '${wire}', 8, 5, 1, 0)`,
    );
    const subjects = createFileSubjects(database);
    assert.deepEqual(await subjects.loadConversation(root), { parties: [ann, bob], keepUntil: 9 });
    const message = { subject: root, documents: ['a', 'b'] };
    assert.deepEqual(await subjects.loadNamings(ann, 5), [message]);
    assert.deepEqual(await subjects.loadNamings(ann, 6), []);
    assert.deepEqual(await subjects.loadNamings(bob, 0), []);
    const listings = createListingStore(database);
    const listing = {
      market: 'standard',
      poster: ann,
      version: 1,
      document: '{"task":"words"}',
      expiresAt: 8,
    } as const;
    const signed = { documentHash: root, signature: root, words: new Set<string>() };
    await listings.save({ id: root, ...listing, ...signed }, 5, { mostLive: 1, mostKept: 1 });
    const open = { subject: '', documents: ['words'] };
    assert.deepEqual(await listings.loadNamings(ann, 5, 7), [open]);
    assert.deepEqual(await listings.loadNamings(ann, 5, 8), [], 'it has expired');
    assert.deepEqual(await listings.loadNamings(ann, 6, 7), []);
    await listings.take(root, 'v2:standard:7', 6);
    assert.deepEqual(await listings.loadNamings(ann, 5, 8), [{ ...open, subject: 'v2:standard:7' }]);
    assert.equal(await subjects.loadTask({ market: 'standard', number: 1n }), null);
    assert.equal(await subjects.loadTask({ market: 'micro', number: 10n ** 19n }), null);
  });

  once('a wallet has a share for each task and one in all, in bytes and in files', async () => {
    const limits = { ...fileLimits, perSubject: { bytes: 10, files: 3 }, perWallet: { bytes: 15, files: 4 } };
    const { put } = createWorld(await create(), { limits });
    await put('1234567890');
    await put('1234567890', task, bob);
    await assert.rejects(put('x'), { code: 'FILE_QUOTA_REACHED' });
    assert.equal(await put('1234567890'), false, 'what a wallet has already counts once');
    await put('12345', other);
    await assert.rejects(put('x', draft), { code: 'FILE_QUOTA_REACHED' });
    for (const content of ['a', 'b']) await put(content, other, bob);
    await put('c', other, bob);
    await assert.rejects(put('d', other, bob), { code: 'FILE_QUOTA_REACHED' });
    await assert.rejects(put('d', draft, bob), { code: 'FILE_QUOTA_REACHED' });
    await assert.rejects(put(randomBytes(25_000_001)), { code: 'FILE_TOO_LARGE' });
  });

  test('10,000 small files: the rows of others cost nothing, and the own ones are bounded', async () => {
    const database = await create();
    const { put } = createWorld(database);
    const wallets = Array.from({ length: 5 }, (_, at) => (at === 0 ? ann : `0x${String(at).repeat(40)}`));
    await database.transaction(async (tx) => {
      for (const wallet of wallets)
        for (let at = 0; at < 2_000; at += 100) {
          const values = Array.from({ length: 100 }, (_, of) => {
            const sha256 = hashOf(`${wallet} ${at + of}`);
            return `('${wallet}', 'v2:standard:${10 + at / 100}', '${sha256}', 1, 1, 99999999999)`;
          });
          await tx.query(
            `INSERT INTO file_uses (wallet, subject, sha256, bytes, created_at, due_at) VALUES ${values}`,
          );
        }
    });
    let refused = 0;
    for (let at = 0; at < 20; at++)
      await put(`small ${at}`).catch(({ code }) => {
        assert.equal(code, 'FILE_QUOTA_REACHED');
        refused++;
      });
    assert.equal(refused, 20);
    assert.equal(await put('of somebody else', task, bob), true);
  });

  test('two replicas that take the same file, and files for the last room, keep one of each; a tenth is for evidence', async () => {
    const at = await place();
    const [one, two] = [open(at), open(at)] as const;
    await migrate(one);
    const room = { maxBytes: 2_000, place: randomBytes(6).toString('hex') };
    const [left, right] = [createWorld(one, room), createWorld(two, room)];
    const same = await Promise.all(
      [left, right, left, right].map(({ put }, index) => put('the same', task, index < 2 ? ann : bob)),
    );
    assert.ok(same.includes(true));
    assert.equal(await left.readTotal(), 8);
    // Nine tenths of 2,000 bytes have room for eight files of 200 bytes and the one above.
    const stored = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const world = index % 2 ? left : right;
        return world.put(Buffer.alloc(200, index), task, index % 4 < 2 ? ann : bob).catch(({ code }) => code);
      }),
    );
    assert.ok(
      stored.every((result) => result === true || result === 'STORE_FULL' || result === 'FILES_BUSY'),
      stored.join(),
    );
    const kept = stored.filter((result) => result === true).length;
    assert.equal(await right.readTotal(), 8 + kept * 200);
    assert.ok(kept <= 8);
    await assert.rejects(left.put('z'.repeat(1_800 - kept * 200)), { code: 'STORE_FULL' });
    assert.equal(await left.put('the same'), false, 'known bytes need no room');
    left.world.isDisputed = true;
    assert.equal(await left.put('x'.repeat(1_900 - kept * 200)), true, 'evidence gets the last tenth');
    await assert.rejects(left.put('y'.repeat(200)), { code: 'STORE_FULL' });
  });

  test('a process that ends in the middle leaves nothing half: the sweep finishes or forgets', async () => {
    const { world, rows, bytes, incoming, put, isHere, readTotal, sweep } = createWorld(await create());
    const room = { total: 1e9, perSubject: fileLimits.perSubject, perWallet: fileLimits.perWallet };
    const reserve = (content: string) =>
      rows.reserve(
        {
          sha256: hashOf(content),
          bytes: content.length,
          wallet: ann,
          subject: 'v2:standard:1',
          now: world.now,
          dueAt: world.now + day,
        },
        room,
      );
    await reserve('row without bytes');
    await reserve('row with bytes');
    mkdirSync(incoming, { recursive: true });
    writeFileSync(join(incoming, 'x'), 'row with bytes');
    await bytes.keep(hashOf('row with bytes'), join(incoming, 'x'), 14);
    writeFileSync(join(incoming, 'old.part'), 'half');
    utimesSync(join(incoming, 'old.part'), 1, 1);
    writeFileSync(join(incoming, 'new.part'), 'half');
    assert.ok(!(await isHere('row with bytes')));
    await sweep();
    assert.deepEqual(readdirSync(incoming), ['new.part']);
    world.now += 3_601;
    await put('repeated by its client');
    await reserve('repeated in this moment');
    await sweep();
    assert.ok(await isHere('row with bytes'));
    assert.ok(!(await isHere('row without bytes')));
    const lengths =
      'row with bytes'.length + 'repeated by its client'.length + 'repeated in this moment'.length;
    assert.equal(await readTotal(), lengths);
    assert.equal(await put('row without bytes'), true);
  });

  once('bytes that the store refuses take no room, and the disk’s end is said', async () => {
    const { bytes, incoming, createService, put, readTotal, isHere } = createWorld(await create());
    const full = createService({
      ...bytes,
      keep: async () => {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    });
    await assert.rejects(put('too much', task, ann, full), { code: 'STORE_FULL' });
    assert.equal(await readTotal(), 0);
    assert.deepEqual(readdirSync(incoming), []);
    await put('kept');
    await assert.rejects(put('too much', task, ann, full), { code: 'STORE_FULL' });
    assert.ok(await isHere('kept'));
  });

  test('while bytes are removed, their upload waits its turn', async () => {
    const { world, rows, put, readTotal, isHere, bytes } = createWorld(await create());
    await put('going', draft);
    world.now += day;
    const [use] = await rows.loadDue(world.now, 10);
    assert.ok(use);
    await rows.endUse(use, world.now);
    await assert.rejects(put('going'), { code: 'FILES_BUSY' });
    const [gone] = await rows.loadUnfinished(world.now, 10);
    assert.ok(gone);
    await bytes.remove(gone.sha256);
    // Two sweeps at once free the room once.
    await Promise.all([rows.forgetFile(gone, world.now), rows.forgetFile(gone, world.now)]);
    assert.equal(await readTotal(), 0);
    assert.equal(await put('going'), true);
    assert.ok(await isHere('going'));
  });

  once(
    'a wallet has its places, parties of a dispute have some of their own, and an end leaves no trace',
    async () => {
      const uploads = { ...fileLimits.uploads, ofWallet: 2, inAll: 4, forDisputes: 1 };
      const { world, createService, incoming } = createWorld(await create(), {
        limits: { ...fileLimits, uploads },
      });
      const { put } = createService();
      const stop = new AbortController();
      const announced = {
        sha256: hashOf('whole'),
        bytes: 9,
        subject: task,
        isSealed: false,
        signal: stop.signal,
      };
      const upload = (wallet: typeof ann) => {
        const body = new Readable({ read: () => undefined });
        body.push('half');
        return put({ ...announced, wallet, body });
      };
      const running = [ann, ann].map((wallet) => upload(wallet).catch(({ code }) => code));
      const isStarted = (count: number) => () =>
        existsSync(incoming) && readdirSync(incoming).length === count;
      await until(isStarted(2));
      await assert.rejects(upload(ann), { code: 'FILES_BUSY' });
      running.push(upload(bob).catch(({ code }) => code));
      await until(isStarted(3));
      await assert.rejects(upload(bob), { code: 'FILES_BUSY' });
      world.isDisputed = true;
      running.push(upload(bob).catch(({ code }) => code));
      await until(isStarted(4));
      stop.abort();
      assert.deepEqual(await Promise.all(running), Array(4).fill('REQUEST_TOO_SLOW'));
      assert.deepEqual(readdirSync(incoming), []);
      const impatient = createWorld(await create(), { limits: { ...fileLimits, stallMs: 20 } });
      const { signal } = new AbortController();
      const still = impatient
        .createService()
        .put({ ...announced, signal, wallet: ann, body: new Readable({ read: () => undefined }) });
      await assert.rejects(still, { code: 'REQUEST_TOO_SLOW' });
    },
  );
});
