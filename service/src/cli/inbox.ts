// `svc inbox`: takes in messages and shows the negotiations of a wallet.
import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError } from '@svc/sdk/domain';
import { type Mailbox, openMailbox, readAccount } from '#app/mailbox.ts';
import { watchSignals } from '#app/signals.ts';
import { readConfig } from '#config.ts';
import { type InboxArguments, inboxUsage, parseInboxArguments } from './inboxOptions.ts';
import {
  buildNegotiationReport,
  describeEntry,
  describeInbox,
  describeOffer,
  type InboxReport,
} from './inboxReport.ts';

export const usage = inboxUsage;

const chainAway = 'Messages of wallets that only the chain knows wait for it; all others are shown.';

const pauseMs = { local: 250, xmtp: 5_000 } as const;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseInboxArguments(args);
  const config = readConfig();
  const mailbox = openMailbox(config, given.transport, given.address ?? readAccount(config).address);
  try {
    const trouble = await exchange(mailbox);
    const report = buildReport(mailbox, given, trouble);
    console.log(given.asJson ? JSON.stringify(report) : describeInbox(report));
    if (trouble !== null) console.error(trouble);
    if (given.isFollowing) await follow(mailbox, given, report, trouble);
    return trouble === null || given.isFollowing ? 0 : 1;
  } finally {
    await mailbox.close();
  }
}

/** Answers what went wrong with the transport or the chain, in words; all that is known can be shown nevertheless. */
async function exchange({ agent }: Mailbox): Promise<string | null> {
  const kept = await agent.flush();
  try {
    await agent.receive();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    if (error.code === 'TRANSPORT_UNREACHABLE') return error.message;
    if (error.code === 'CHAIN_UNREACHABLE') return `${error.message} ${chainAway}`;
    throw error;
  }
  return [...kept.values()][0] ?? null;
}

function buildReport(
  mailbox: Mailbox,
  { negotiationId }: InboxArguments,
  trouble: string | null,
): InboxReport {
  const { address, transport, agent, book } = mailbox;
  const transcripts =
    negotiationId === undefined ? agent.listTranscripts() : [findTranscript(mailbox, negotiationId)];
  return {
    address,
    transport,
    negotiations: transcripts.map((transcript) => buildNegotiationReport(transcript, new Date())),
    refused: book.loadRefused(),
    outbox: book.loadOutbox(transport).length,
    trouble,
  };
}

function findTranscript({ agent }: Mailbox, negotiationId: string) {
  const transcript = agent.findTranscript(negotiationId);
  if (transcript === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
  return transcript;
}

/** Trouble is told when it begins, not every time it is met. */
async function follow(mailbox: Mailbox, given: InboxArguments, first: InboxReport, trouble: string | null) {
  const stop = watchSignals();
  let told = trouble;
  let known = new Set(listHashes(first));
  let lastRefused = first.refused.at(-1)?.position ?? 0;
  while (!stop.aborted) {
    await sleep(pauseMs[mailbox.transport], undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    const trouble = await exchange(mailbox);
    if (trouble !== null && trouble !== told) {
      console.error(trouble);
      if (given.asJson) console.log(JSON.stringify({ trouble }));
    }
    told = trouble;
    const report = buildReport(mailbox, given, trouble);
    tellNews(report, known, given.asJson);
    for (const { reason, detail } of report.refused.filter(({ position }) => position > lastRefused))
      console.log(
        given.asJson ? JSON.stringify({ refused: { reason, detail } }) : `refused, ${reason}: ${detail}`,
      );
    known = new Set(listHashes(report));
    lastRefused = report.refused.at(-1)?.position ?? lastRefused;
  }
}

function tellNews({ negotiations, address }: InboxReport, known: ReadonlySet<string>, asJson: boolean) {
  for (const { negotiationId, status, next, transcript, offer } of negotiations) {
    for (const signed of transcript.filter(({ hash }) => !known.has(hash))) {
      const told = [`${negotiationId}: ${status}`, describeEntry(signed, address)];
      if (offer?.hash === signed.hash) told.push(describeOffer(offer, address));
      const line = { negotiationId, status, next, ...signed };
      console.log(asJson ? JSON.stringify(line) : told.join('\n'));
    }
  }
}

function listHashes({ negotiations }: InboxReport): string[] {
  return negotiations.flatMap(({ transcript }) => transcript.map(({ hash }) => hash));
}
