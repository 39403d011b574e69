// What sites may do on PostgreSQL, where the operator has made a role for them: follow the chain and count posts. Messages,
// payments, sessions, addresses and secrets are the gateways'.
import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

const role = 'svc_site';

/** Of `own`. All of `chain` may be written: a site may be the one that follows it. */
const written = 'chain_answers, deployment, leases, pending_posts, prices, unproven_posts, used_payments';
const read = 'migrations, epochs, files, file_uses, withheld_hashes, withheld_version';

/** For the owner of the tables, after each step that may have added some, and where the role is new. */
export async function grantSites(tx: Transaction, part: 'own' | 'chain', isChanged: boolean): Promise<void> {
  const [found] = await tx.query<{ isGranted: boolean }>(sql`SELECT has_table_privilege(rolname,
    schemaname || '.migrations', 'SELECT') AS is_granted FROM pg_roles, pg_tables
     WHERE rolname = ${role} AND tablename = 'migrations' AND schemaname = ${part} AND tableowner = current_user`);
  if (found === undefined || (found.isGranted && !isChanged)) return;
  await tx.query(`GRANT USAGE ON SCHEMA ${part} TO ${role}`);
  if (part === 'chain') {
    await tx.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA chain TO ${role}`);
    await tx.query(`REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${role}`);
    return;
  }
  await tx.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${written} TO ${role}`);
  await tx.query(`GRANT SELECT ON ${read} TO ${role}`);
}
