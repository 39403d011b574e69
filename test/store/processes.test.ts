// Several processes on one database: one holds the lease, and a write of one is heard by all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#service/store/database.ts';
import { createLease } from '#service/store/lease.ts';
import { onBothDatabases } from '../support/databases.ts';
import { startScript } from '../support/svc.ts';
import { until } from '../support/until.ts';

onBothDatabases(({ createAt, create }) => {
  const leaseOf = (database: Database, holder: string, milliseconds = 60_000) =>
    createLease(database, { name: 'test', holder, milliseconds });

  test('of many who want the lease at once one gets it, and keeps it as long as it wants', async () => {
    const database = await create();
    const leases = Array.from({ length: 8 }, (_, at) => leaseOf(database, `process ${at}`));
    const held = await Promise.all(leases.map((lease) => lease.hold()));
    assert.equal(held.filter(Boolean).length, 1);
    assert.deepEqual(await Promise.all(leases.map((lease) => lease.hold())), held);
  });

  test('a lease that is released is free at once, and only its holder can release it', async () => {
    const database = await create();
    const [mine, theirs] = [leaseOf(database, 'me'), leaseOf(database, 'them')];
    assert.ok(await mine.hold());
    await theirs.release();
    assert.ok(!(await theirs.hold()));
    await mine.release();
    assert.ok(await theirs.hold());
  });

  test('a lease that is not renewed runs out, and its holder hears so', async () => {
    const database = await create();
    const [mine, theirs] = [leaseOf(database, 'me', 50), leaseOf(database, 'them')];
    assert.ok(await mine.hold());
    await until(() => theirs.hold());
    assert.ok(!(await mine.hold()));
  });

  test('a lease from the future, as a clock that was set back leaves it, ends with its holder and not before', async () => {
    const database = await create();
    const lease = leaseOf(database, 'survivor', 50);
    const future = Date.now() + 3_600_000;
    await database.write(`INSERT INTO leases (name, holder, expires_at) VALUES ('test', 'other', $1)`, [
      future,
    ]);
    for (const started = performance.now(); performance.now() - started < 300; ) {
      await database.write('UPDATE leases SET expires_at = expires_at + 1');
      assert.ok(!(await lease.hold()), 'its holder lives');
    }
    await until(() => lease.hold(), 20_000);
    const [row] = await database.query<{ expiresAt: number }>('SELECT expires_at FROM leases');
    assert.ok((row?.expiresAt as number) < future);
  });

  test('when the process that holds the lease is killed another one takes over', async (context) => {
    const { at, database } = await createAt();
    const { nextLine, kill } = startScript(context, 'databaseProcess', JSON.stringify(at), 'lease');
    assert.equal(await nextLine(), 'held');
    const lease = leaseOf(database, 'survivor', 3_000);
    assert.ok(!(await lease.hold()));
    await kill();
    await until(() => lease.hold());
  });

  test('every write of another process is heard', async (context) => {
    const { at, database } = await createAt();
    const notices: number[] = [];
    await database.listen('test', () => notices.push(Date.now()));
    const { nextLine } = startScript(context, 'databaseProcess', JSON.stringify(at), 'write');
    const delays: number[] = [];
    for (let round = 0; round < 3; round++) {
      const written = Number(await nextLine());
      const findNotice = () => notices.find((heard) => heard >= written);
      await until(() => findNotice() !== undefined);
      delays.push((findNotice() as number) - written);
    }
    delays.sort((left, right) => left - right);
    context.diagnostic(`heard after ${delays.join(', ')} ms; 300 are wanted`);
  });

  test('a write that is rolled back is not told', async () => {
    const database = await create();
    let notices = 0;
    await database.listen('test', () => notices++);
    // A notice may come without need: here from the making of the database.
    await sleep(250);
    const before = notices;
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.notify('test');
        throw new Error('changed my mind');
      }),
    );
    await sleep(250);
    assert.equal(notices, before);
    await database.transaction((tx) => tx.notify('test'));
    await until(() => notices !== before);
  });

  test('who has stopped listening is no longer told', async () => {
    const database = await create();
    let notices = 0;
    const stop = await database.listen('test', () => notices++);
    await stop();
    const before = notices;
    let heard = false;
    await database.listen('test', () => {
      heard = true;
    });
    await database.transaction((tx) => tx.notify('test'));
    await until(() => heard);
    assert.equal(notices, before);
  });
});
