// A process that migrates the database it is given and ends.
import { migrate } from '#service/store/migrate.ts';
import { openDatabase } from './databasePlace.ts';

const database = openDatabase(JSON.parse(process.argv[2] as string));
await migrate(database);
await database.close();
