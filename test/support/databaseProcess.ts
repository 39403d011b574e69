// A process that writes to the database it is given, or holds a lease on it, until it is killed.
//
// databaseProcess.ts <place> write    prints the start of each write that it announces on the channel `test`
// databaseProcess.ts <place> lease    prints `held` once it holds the lease `test`, and keeps it
// databaseProcess.ts <place> migrate  migrates it and ends
import { createLease } from '#service/store/lease.ts';
import { migrate } from '#service/store/migrate.ts';
import { openDatabase } from './databasePlace.ts';

const [place, what] = process.argv.slice(2) as [string, string];
const database = openDatabase(JSON.parse(place));

if (what === 'migrate') {
  await migrate(database);
  await database.close();
} else if (what === 'write') {
  setInterval(async () => {
    const started = Date.now();
    await database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO chain_answers (name, value) VALUES ('count', '1')
         ON CONFLICT (name) DO UPDATE SET value = chain_answers.value || '1'`,
      );
      await tx.notify('test');
    });
    console.log(started);
  }, 400);
} else {
  const lease = createLease(database, {
    name: 'test',
    holder: `process ${process.pid}`,
    milliseconds: 3_000,
  });
  if (await lease.hold()) console.log('held');
  setInterval(() => lease.hold(), 300);
}
