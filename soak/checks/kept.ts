// Checks that nothing was lost: rows equal the chain, wallet requests and envelopes exist once.
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { headOf, type Transcript } from '#sdk/negotiation/transcript.ts';
import { verifyTranscript } from '#sdk/negotiation/verifyTranscript.ts';
import { createAuditedSite, createAuditReads } from '#service/cli/audit.ts';
import { auditMarkets } from '#service/market/audit.ts';
import type { Difference } from '#service/market/auditCheck.ts';
import type { Ask } from '../asking.ts';
import type { Journal } from '../journal.ts';
import type { Server } from '../server.ts';
import type { Setup } from '../setup.ts';
import type { Check } from './recorded.ts';

/** A request that nobody has decided can be read for another hour; the soak moves the chain's clock. */
const readableSeconds = 3_600;

export async function checkRequests(
  { gateways, client }: Setup,
  ask: Ask,
  { requests }: Journal,
): Promise<Check> {
  const violations: string[] = [];
  const now = Number((await client.getBlock()).timestamp);
  let forgotten = 0;
  for (const [at, { id, at: madeAt, expiresAt }] of requests.entries()) {
    const gateway = gateways[at % gateways.length] as (typeof gateways)[number];
    const { status } = await ask(gateway, `/v1/requests/${id}`);
    if (status === 404 && now > expiresAt + readableSeconds) forgotten++;
    else if (status !== 200) violations.push(`${id}, made at ${Math.round(madeAt / 1_000)} s: ${status}`);
  }
  const basis = `${requests.length} requests; ${forgotten} of them were forgotten after their time`;
  return { name: 'No wallet request is lost', violations, basis };
}

/** The state of the two agents after the last message. */
export type Talks = readonly {
  readonly transcripts: readonly Transcript[];
  readonly outbox: number;
  readonly refused: number;
}[];

export async function checkEnvelopes(acknowledged: readonly string[], talks: Talks): Promise<Check> {
  const violations: string[] = [];
  const held = talks.map(({ transcripts }) => transcripts.flatMap(({ entries }) => entries));
  for (const [at, entries] of held.entries()) {
    const times = Map.groupBy(entries, ({ hash }) => hash);
    for (const hash of acknowledged) {
      const count = times.get(hash as never)?.length ?? 0;
      if (count !== 1) violations.push(`${hash} is ${count} times with agent ${at + 1}`);
    }
    const { outbox, refused, transcripts } = talks[at] as Talks[number];
    if (outbox > 0) violations.push(`${outbox} envelopes never left the outbox of agent ${at + 1}`);
    if (refused > 0) violations.push(`${refused} texts were refused by agent ${at + 1}`);
    for (const { negotiationId, entries: own, waiting } of transcripts) {
      if (waiting.length > 0) violations.push(`${negotiationId} has a gap with agent ${at + 1}`);
      const { findings } = await verifyTranscript(own.map(formatWire), {
        now: new Date(),
        verify: verifyPlainAccount,
        head: headOf({ entries: own }).hash,
      });
      for (const finding of findings) violations.push(`${negotiationId}: ${JSON.stringify(finding)}`);
    }
  }
  const isSame = JSON.stringify(held.map(sortedHashes)[0]) === JSON.stringify(held.map(sortedHashes)[1]);
  if (!isSame) violations.push('the two agents hold different envelopes');
  return {
    name: 'No envelope is lost or doubled',
    violations,
    basis: `${acknowledged.length} envelopes acknowledged`,
  };
}

function sortedHashes(entries: readonly { readonly hash: string }[]): string[] {
  return entries.map(({ hash }) => hash).sort();
}

export type Chain = Parameters<typeof createAuditReads>[1];

/** Every row of these servers, with its history, while the market is in use. */
export async function auditRows(chain: Chain, sites: readonly Server[]) {
  return Promise.all(
    sites.map(async ({ name, url }) => {
      const site = createAuditedSite(url());
      return { name, ...(await auditMarkets(createAuditReads(site, chain))) };
    }),
  );
}

export async function checkRows(chain: Chain, sites: readonly Server[]): Promise<Check> {
  const results = await auditRows(chain, sites);
  return {
    name: 'Rows equal the chain',
    violations: results.flatMap(({ name, differences }) => describeDifferences(name, differences)),
    basis: results
      .map(
        ({ name, tasks, ledgers, boards }) =>
          `${name}: ${tasks} tasks and their history, ${ledgers} ledgers, ${boards} boards`,
      )
      .join(', '),
  };
}

export function describeDifferences(name: string, differences: readonly Difference[]): string[] {
  return differences.map(
    ({ id, where, field, api, chain }) =>
      `${name}: ${id} ${field} in ${where} is ${JSON.stringify(api)}, and on the chain ${JSON.stringify(chain)}`,
  );
}
