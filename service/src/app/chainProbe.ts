// Whether the chain answers, tried for real: without it nothing that reads the chain at the moment of a request works.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from '@svc/sdk/chain';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { within } from '@svc/sdk/internal/domain/backoff';
import { keepFor } from '../store/keepFor.ts';

/** A probe in between gets the last result. */
const freshMs = 5_000;
/** A provider that never answers counts as away. */
const patienceMs = 2_000;
/** A health check does not wait longer where a last result is known. */
const quickMs = 250;

export function createChainProbe(rpc: Pick<Rpc, 'ask'>): () => Promise<boolean> {
  let known: boolean | null = null;
  const probe = keepFor(freshMs, async () => {
    const answer = within(patienceMs, rpc.ask(latestBlock()), () => new Error('The chain does not answer.'));
    known = await answer.then(
      () => true,
      () => false,
    );
    return known;
  });
  return () => {
    const asked = probe();
    return known === null ? asked : Promise.race([asked, sleep(quickMs, known, { ref: false })]);
  };
}
