// A process that follows a chain into the database it is given, until it is killed. It prints a line when it leads and
// what it does.
//
// indexerProcess.ts <place> <deployment file> <rpc url>
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseDeployment } from '#sdk/chain/deployment.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import { runIndexer } from '#service/indexer/runIndexer.ts';
import { createChainSource } from '#service/indexer/source.ts';
import { createLease } from '#service/store/lease.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { openDatabase } from './databasePlace.ts';

const [place, deploymentFile, rpcUrl] = process.argv.slice(2) as [string, string, string];
const deployment = parseDeployment(readFileSync(deploymentFile, 'utf8'));
const { chainId, genesisHash } = deployment;
const database = openDatabase(JSON.parse(place));

await runIndexer(
  {
    source: createChainSource(createRpc({ urls: [rpcUrl], chainId, genesisHash }), deployment),
    store: createProjectionStore(database, () => 0),
    // Short, so that the next one need not wait long for what this one leaves when it is killed.
    lease: createLease(database, { name: 'follower', holder: randomUUID(), milliseconds: 300 }),
    onHead: () => () => undefined,
    onEvent: ({ kind }) => console.log(kind),
    pollMs: 20,
  },
  new AbortController().signal,
);
