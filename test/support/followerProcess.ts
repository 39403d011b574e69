// A process that follows a chain into the database it is given, until it is killed. It tells by lines when it leads and
// what it does.
//
// followerProcess.ts <place> <deployment file> <rpc url>
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseDeployment } from '#chain/deployment.ts';
import { createRpc } from '#chain/rpc.ts';
import { createChainSource } from '#chain/source.ts';
import { follow } from '#projection/follow.ts';
import { createLease } from '#store/lease.ts';
import { createProjectionStore } from '#store/projection.ts';
import { openDatabase } from './databasePlace.ts';

const [place, deploymentFile, rpcUrl] = process.argv.slice(2) as [string, string, string];
const deployment = parseDeployment(readFileSync(deploymentFile, 'utf8'));
const { chainId, genesisHash } = deployment;
const database = openDatabase(JSON.parse(place));

await follow(
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
