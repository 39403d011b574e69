// `svc inbox`: receives messages and shows the negotiations of a wallet.

import { type Address, isSameAddress, parseAddress } from '@svc/sdk/domain';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { toShown } from '@svc/sdk/internal/domain/text';
import { findWords } from '@svc/sdk/internal/negotiation/envelope';
import { findMarketMistake, type Registries } from '@svc/sdk/internal/rules/terms';
import {
  type ChainFacts,
  listNext,
  readNegotiation,
  type SignedEnvelope,
  statusOf,
  type Transcript,
} from '@svc/sdk/negotiation';
import { watchSignals } from '../app/serve.ts';
import { readConfig } from '../config.ts';
import { isOperatorError } from '../errors/operatorError.ts';
import { type ChainView, type ChainViewer, createChainViewer } from './chainFacts.ts';
import { describeAgreement, describeOffer } from './describeOffer.ts';
import {
  chooseTransport,
  findTranscript,
  type Mailbox,
  openMailbox,
  readAccount,
  transportOption,
} from './negotiation.ts';
import { flag, parseOptions, text, type Usage, usageError, type Values } from './options.ts';

export const usage = {
  command: 'inbox',
  synopsis: ['[options]'],
  about:
    'Receives messages for the wallet of PRIVATE_KEY, sends those in its outbox, and shows its negotiations: the transcript, what is offered and agreed, what may come next, what the arbitrator of a private dispute still lacks, which disputes wait for your ruling, and what was refused and why.',
  options: {
    negotiation: text('<id>', 'show this negotiation only; its id or its root'),
    address: text(
      '<address>',
      "another wallet's mailbox on this machine, without its key; local transport only",
      parseAddress,
    ),
    follow: flag('keep running and show new messages, until Ctrl-C'),
    transport: transportOption,
  },
  json: 'print one line of JSON; with --follow one more for each new envelope',
  examples: ['svc inbox', 'svc inbox --follow --json'],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

/** Throws USAGE that names the option that is unknown or has a wrong value. */
export function parseInboxArguments(args: readonly string[]): Given {
  const { values } = parseOptions(usage, args);
  if (values.address !== undefined && (values.transport ?? 'local') !== 'local')
    throw usageError('--address goes with the local transport only.');
  return values;
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseInboxArguments(args);
  const config = readConfig();
  const { address } = given;
  const transport = address === undefined ? await chooseTransport(config, given.transport) : 'local';
  const mailbox = openMailbox(config, transport, address ?? readAccount(config).address);
  const viewer = createChainViewer(config, mailbox.address);
  try {
    const trouble = await exchange(mailbox);
    const report = await buildReport(mailbox, viewer, given, trouble);
    console.log(given.json ? JSON.stringify(report) : describeInbox(report));
    if (trouble !== null) console.error(trouble);
    if (given.follow) await follow(mailbox, viewer, given, report);
    return trouble === null || given.follow ? 0 : 1;
  } finally {
    viewer.close();
    await mailbox.close();
  }
}

const chainUnreachable =
  'Messages of wallets that only the chain can verify wait for it; all others are shown.';

/** Sends and receives. Returns why the transport or the chain failed; known messages can still be shown. */
async function exchange({ agent }: Mailbox): Promise<string | null> {
  const kept = await agent.flush();
  try {
    await agent.receive();
  } catch (error) {
    if (isOperatorError(error, 'TRANSPORT_UNREACHABLE')) return error.message;
    if (isErrorOf(error, 'CHAIN_UNREACHABLE')) return `${error.message} ${chainUnreachable}`;
    throw error;
  }
  return [...kept.values()][0] ?? null;
}

const pollMs = { local: 250, relay: 1_000, xmtp: 5_000, 'relay+xmtp': 5_000 } as const;

/** Trouble is shown when it begins, not at every poll. */
async function follow(
  mailbox: Mailbox,
  viewer: ChainViewer,
  given: Given,
  first: InboxReport,
): Promise<void> {
  const stop = watchSignals();
  let shown = first.trouble;
  const known = new Set(first.negotiations.flatMap(({ transcript }) => transcript.map(({ hash }) => hash)));
  let lastRefused = first.refused.at(-1)?.position ?? 0;
  for (;;) {
    await sleep(pollMs[mailbox.transport], stop);
    if (stop.aborted) return;
    const trouble = await exchange(mailbox);
    if (trouble !== null && trouble !== shown) {
      console.error(trouble);
      if (given.json) console.log(JSON.stringify({ trouble }));
    }
    shown = trouble;
    const report = await buildReport(mailbox, viewer, given, trouble);
    showNew(report, known, given.json);
    for (const { position, reason, detail } of report.refused) {
      const words = given.json
        ? JSON.stringify({ refused: { reason, detail } })
        : `refused, ${reason}: ${detail}`;
      if (position > lastRefused) console.log(words);
    }
    lastRefused = report.refused.at(-1)?.position ?? lastRefused;
  }
}

/** Adds to `known` what it shows. */
function showNew({ negotiations, address }: InboxReport, known: Set<string>, asJson: boolean): void {
  for (const { root, negotiationId, status, next, transcript, offer, previousOffer } of negotiations) {
    for (const signed of transcript.filter(({ hash }) => !known.has(hash))) {
      known.add(signed.hash);
      const lines = [`${negotiationId}: ${status}`, describeEntry(signed, address)];
      if (offer?.hash === signed.hash) lines.push(describeOffer(offer, previousOffer, address));
      const json = { root, negotiationId, status, next, ...signed };
      console.log(asJson ? JSON.stringify(json) : lines.join('\n'));
    }
  }
}

type InboxReport = Awaited<ReturnType<typeof buildReport>>;

async function buildReport(
  mailbox: Mailbox,
  viewer: ChainViewer,
  { negotiation }: Given,
  trouble: string | null,
) {
  const { address, transport, agent, store } = mailbox;
  const transcripts =
    negotiation === undefined ? agent.listTranscripts() : [findTranscript(mailbox, negotiation)];
  const { now, factsOf, registries, owedToJudge, rulingsDue }: ChainView = await viewer.view(transcripts);
  return {
    address,
    transport,
    negotiations: transcripts.map((transcript) =>
      buildNegotiationReport(transcript, now, factsOf(transcript), registries),
    ),
    /** Private disputes whose judge lacks documents or file keys that this wallet has. */
    owedToJudge,
    /** Disputes in which this wallet is the arbitrator. */
    rulingsDue,
    /** Messages of conversations whose first message has not arrived. */
    unrooted: agent.listUnrooted().length,
    /** Texts that are no valid envelope and belong to no negotiation. */
    refused: store.loadRefused(),
    outbox: store.loadOutbox(transport).length,
    /** Why something could not be sent, received or verified. */
    trouble,
  };
}

type NegotiationReport = ReturnType<typeof buildNegotiationReport>;

/** `now` is the chain's clock, and `chain` what it says; without that, nothing counts as agreed. */
export function buildNegotiationReport(
  transcript: Transcript,
  now: Date,
  chain?: ChainFacts,
  registries?: Registries,
) {
  const state = readNegotiation(transcript, chain);
  const status = statusOf(state, now);
  return {
    ...state,
    status,
    /** Why the last offer is not for the market that it names; null where it is, or nobody could say. */
    wrongMarket: registries && state.offer && findMarketMistake(state.offer.terms, registries),
    // Signatures under terms that no longer hold are no agreement.
    agreement: status === 'expired' ? null : state.agreement,
    next: listNext(state, now),
    /** Each as it was sent; verifyTranscript takes them as canonical JSON. */
    transcript: transcript.entries,
    /** Messages that lost their place in the chain to another one; they count, offers excepted. */
    aside: transcript.aside,
    /** Two messages of one sender at one place. */
    forks: transcript.forks,
    /** Sequences that arrived before a message they depend on. */
    waiting: transcript.waiting.map(({ envelope }) => envelope.sequence),
    refused: transcript.refused.map(({ signed, refusal }) => ({ ...refusal, signed })),
  };
}

export function describeInbox(report: InboxReport): string {
  const { address, transport, negotiations, owedToJudge, rulingsDue, refused, outbox, unrooted } = report;
  const count = `${negotiations.length} ${negotiations.length === 1 ? 'negotiation' : 'negotiations'}`;
  const lines = [`${address}, ${transport}: ${count}, ${outbox === 0 ? 'nothing' : outbox} in the outbox`];
  for (const { taskId, until } of rulingsDue)
    lines.push(
      '',
      `Your ruling in task ${taskId} is due until ${formatMoment(until)}. After that you lose a part of your bond.`,
      `  Read both sides on the page of the task. Rule there, or with svc prepare resolve-dispute.`,
    );
  for (const negotiation of negotiations) lines.push('', ...describeNegotiation(negotiation, address));
  for (const { taskId, judge, documents, keys } of owedToJudge)
    lines.push(
      '',
      `The arbitrator ${judge} of task ${taskId} lacks ${documents} documents and ${keys} file keys that you have.`,
      `  Send them on the page of the task, or with the tool svc_send_message: type DisputeEvidence, taskId ${taskId}.`,
    );
  if (unrooted > 0) lines.push('', `${unrooted} messages wait for the first one of their conversation`);
  if (refused.length > 0) {
    lines.push('', 'Refused, and in no transcript');
    for (const { at, reason, detail, isUndecided } of refused)
      lines.push(
        `  ${formatMoment(at)}  ${reason}: ${detail}${isUndecided ? ' It is verified again for a week.' : ''}`,
      );
  }
  return lines.join('\n');
}

const reviewRunsOn = 'the review period runs on: at its end the delivery counts as accepted';

function describeEntry({ envelope }: SignedEnvelope, self: Address): string {
  const { sequence, type, timestamp, sender, payload } = envelope;
  const by = isSameAddress(sender.evmAddress, self) ? 'you' : sender.evmAddress;
  const words = findWords(payload);
  const quote = words === undefined ? '' : `  "${toShown(words)}"`;
  const note = type === 'RevisionRequest' ? `  (${reviewRunsOn})` : '';
  return `  ${String(sequence).padStart(3)}  ${toShown(type)} by ${by}, ${timestamp}${quote}${note}`;
}

function describeNegotiation(report: NegotiationReport, self: Address): string[] {
  const { root, negotiationId, status, parties, taskId, offer, previousOffer, agreement, transcript } =
    report;
  const other = isSameAddress(parties.opener, self) ? parties.other : parties.opener;
  const task = taskId === undefined ? '' : `, task ${toShown(taskId)}`;
  const lines = [`${negotiationId}: ${status}, with ${other}${task}`, `  root     ${root}`];
  lines.push(...transcript.map((entry) => describeEntry(entry, self)));
  for (const entry of report.aside) lines.push(`${describeEntry(entry, self)}  (beside the chain)`);
  for (const [one] of report.forks)
    lines.push(`  forked   ${one?.envelope.sender.evmAddress} wrote two messages ${one?.envelope.sequence}`);
  if (offer !== null) lines.push(describeOffer(offer, previousOffer, self));
  if (report.wrongMarket) lines.push(`  wrong    ${report.wrongMarket} Do not sign it.`);
  for (const { by } of report.unusable)
    lines.push(`  refused  the contracts do not accept the signature of ${by} now, so it does not count`);
  if (status === 'signed')
    lines.push(
      '  signed   by both. The chain was not asked whether it accepts the signatures: set SVC_SITE_URL, or SVC_DEPLOYMENT and SVC_RPC_URL',
    );
  if (agreement !== null && status === 'agreed') lines.push(...describeAgreement(agreement, self));
  for (const { by, supervisor, reason } of report.vetoes)
    lines.push(`  veto     by ${supervisor}, sent by ${by}: "${toShown(reason)}"`);
  for (const { settlementDigest, by, acceptBy } of report.loose) {
    const worth =
      acceptBy === null
        ? 'terms that were not offered here'
        : `which the chain accepts until ${formatMoment(acceptBy)}`;
    lines.push(`  note     ${by} signed ${settlementDigest}, ${worth}`);
  }
  for (const { signed, reason, detail } of report.refused)
    lines.push(`  refused  message ${signed.envelope.sequence}, ${reason}: ${detail}`);
  if (report.waiting.length > 0)
    lines.push(`  waiting  messages ${report.waiting.join(', ')} for one that has not arrived`);
  for (const { by, type, why, until } of report.next) {
    const end = until === null ? '' : ` until ${formatMoment(until)}`;
    lines.push(`  next     ${isSameAddress(by, self) ? 'you' : by}: ${type}${end}. ${why}`);
  }
  return lines;
}
