// The one deployment that a database holds: that of the first process that opens it.
import type { Deployment } from '@svc/sdk/chain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { OperatorError } from '../errors/operatorError.ts';
import type { Database } from './database.ts';
import { findRow, insertNew } from './rows.ts';

type DeploymentRow = {
  genesisHash: string;
  standardRegistry: string;
  microRegistry: string;
  edition: string;
};

/** Throws DATABASE_OF_OTHER where the rows of this database are about another chain, other contracts or another edition. */
export async function claimDatabase(database: Database, deployment: Deployment): Promise<void> {
  const wanted = buildRow(deployment);
  const columns = 'genesis_hash, standard_registry, micro_registry, edition';
  const find = () => findRow<DeploymentRow>(database.query, 'deployment', { id: 1 }, columns);
  // Usually it is there already, and a process that may only read needs to write nothing.
  if ((await find()) === undefined) await insertNew(database.write, 'deployment', { id: 1, ...wanted });
  const kept = (await find()) as DeploymentRow;
  if (Object.entries(wanted).some(([name, value]) => kept[name as keyof DeploymentRow] !== value))
    throw new OperatorError('DATABASE_OF_OTHER', { kept: format(kept), wanted: format(wanted) });
}

function buildRow({ genesisHash, markets, edition }: Deployment): DeploymentRow {
  return {
    genesisHash: genesisHash.toLowerCase(),
    standardRegistry: addressKey(markets.standard.taskRegistry),
    microRegistry: addressKey(markets.micro.taskRegistry),
    edition: edition.name,
  };
}

function format({ genesisHash, standardRegistry, microRegistry, edition }: DeploymentRow): string {
  return `the registries ${standardRegistry} and ${microRegistry} of edition ${edition} on the chain with the first block ${genesisHash}`;
}
