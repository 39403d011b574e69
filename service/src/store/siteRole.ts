// What sites may do on PostgreSQL, where the operator has made a role for them: follow the chain and count posts. Messages,
// payments, sessions, addresses and secrets are the gateways'.
import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

const role = 'svc_site';

const written = `chain, tasks, concerns, events, moves, collateral, prices, purchases, blocks, differences, changes, replaced,
  versions, task_words, chain_answers, deployment, leases, pending_posts, unproven_posts, used_payments, idempotency_keys`;
const read = 'migrations, epochs, files, file_uses, withheld_hashes';

/** For the owner of the tables, after each step that may have added some, and where the role is new. */
export async function grantSites(tx: Transaction, isChanged: boolean): Promise<void> {
  const [found] = await tx.query<{ isGranted: boolean }>(sql`SELECT has_table_privilege(rolname, 'migrations',
    'SELECT') AS is_granted FROM pg_roles, pg_tables
     WHERE rolname = ${role} AND tablename = 'migrations' AND schemaname = current_schema()
     AND tableowner = current_user`);
  if (found === undefined || (found.isGranted && !isChanged)) return;
  await tx.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${written} TO ${role}`);
  await tx.query(`GRANT SELECT ON ${read} TO ${role}`);
  // A task that two wallets share makes them known to each other, and any process may be the first to read it from the chain.
  const seen = 'SELECT (root, opener, other, is_answered, is_known)';
  await tx.query(`GRANT ${seen}, UPDATE (is_known) ON conversations TO ${role}`);
}
