// Backups of a service that runs, and the way back, as docs/operations-guide.md prints them.
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Postgres } from './postgres.ts';
import { runSvc } from './svc.ts';

export type Backup = {
  /** While the service runs. */
  readonly take: () => Promise<void>;
  /** As if the disk were gone. */
  readonly destroy: () => Promise<void>;
  readonly restore: () => Promise<void>;
};

export function createFolderBackup(dataDir: string, target: string): Backup {
  return {
    take: async () => {
      const { exitCode, err } = await runSvc(['backup', 'take', target], {
        cwd: dataDir,
        env: { SVC_DATA_DIR: dataDir },
      });
      if (exitCode !== 0) throw new Error(err);
    },
    destroy: async () => rmSync(dataDir, { recursive: true }),
    restore: async () => cpSync(target, dataDir, { recursive: true }),
  };
}

/** What pg_basebackup does, which is not among the programs that the tests' PostgreSQL comes with. */
export function createClusterBackup(postgres: Postgres, url: string, target: string): Backup {
  let dataDir = '';
  // Ownership is kept: PostgreSQL starts on nobody else's files.
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);
  return {
    take: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('SHOW data_directory');
      dataDir = rows[0].data_directory;
      await client.query("SELECT pg_backup_start('svc', true)");
      copy(dataDir, target);
      const stopped = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
      await client.end();
      // The log up to the end of the copy is what makes it whole.
      rmSync(join(target, 'pg_wal'), { recursive: true });
      copy(join(dataDir, 'pg_wal'), target);
      rmSync(join(target, 'postmaster.pid'));
      const label = join(target, 'backup_label');
      writeFileSync(label, stopped.rows[0].labelfile);
      const { uid, gid } = statSync(target);
      chownSync(label, uid, gid);
    },
    destroy: async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true });
    },
    restore: async () => {
      copy(target, dataDir);
      await postgres.start();
    },
  };
}
