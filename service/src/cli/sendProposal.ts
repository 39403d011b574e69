// `svc send-proposal`: offers terms to another wallet, or other terms in a negotiation.
import { randomUUID } from 'node:crypto';
import { latestBlock } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { hashCriteria, hashMilestones, SvcError } from '@svc/sdk/domain';
import {
  buildTermsDocument,
  findTermsMistake,
  hashTermsDocument,
  readNegotiation,
} from '@svc/sdk/negotiation';
import type { TermsDocument } from '@svc/sdk/schemas';
import { connect } from '#app/connect.ts';
import { openMailbox, readAccount } from '#app/mailbox.ts';
import { readConfig } from '#config.ts';
import { readJsonInput } from './jsonInput.ts';
import { parseMoment } from './moment.ts';
import {
  parseSendProposalArguments,
  type SendProposalArguments,
  sendProposalUsage,
} from './sendProposalOptions.ts';
import { reportSent } from './sendReport.ts';

export const usage = sendProposalUsage;

const day = 86_400;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseSendProposalArguments(args);
  const config = readConfig();
  const account = readAccount(config);
  const mailbox = openMailbox(config, given.transport, account.address);
  try {
    const negotiationId = given.negotiationId ?? randomUUID();
    const terms = await chooseTerms(given, account.address, negotiationId, () => {
      const transcript = mailbox.agent.findTranscript(negotiationId);
      if (transcript === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
      return readNegotiation(transcript).offer?.terms;
    });
    const mistake = findTermsMistake(terms);
    if (mistake !== null) throw new SvcError('ENVELOPE_INVALID', { reason: mistake });
    const { expires, rationale } = given;
    const payload = {
      terms,
      settlementDigest: hashTermsDocument(terms),
      expiresAt: expires === undefined ? terms.acceptBy : parseMoment('expires', expires, nowSeconds()),
      ...(rationale !== undefined && { rationale }),
    };
    const type = given.negotiationId === undefined ? 'TaskProposal' : 'TaskCounterOffer';
    const sent = await mailbox.agent.send({ type, negotiationId, payload }, account.signTypedData, given.to);
    return reportSent(sent, given);
  } finally {
    await mailbox.close();
  }
}

async function chooseTerms(
  given: SendProposalArguments,
  self: Address,
  negotiationId: string,
  findLast: () => TermsDocument | undefined,
): Promise<TermsDocument> {
  if (given.termsFile !== undefined) {
    const input = await readJsonInput(given.termsFile);
    // What build-task-terms prints has the terms among other things.
    return (input.terms ?? input) as TermsDocument;
  }
  if (given.to !== undefined) return buildTerms(given, self, given.to, negotiationId);
  const last = findLast();
  if (last === undefined)
    throw new SvcError('NEGOTIATION_CLOSED', {
      reason: 'There is no offer to change; name the terms by --terms.',
    });
  return changeTerms(last, given);
}

/** Moments are counted from the chain's clock, which is the one that will judge them. */
async function buildTerms(
  { market, role, changes }: SendProposalArguments,
  self: Address,
  to: Address,
  negotiationId: string,
): Promise<TermsDocument> {
  const { total, criteria } = changes;
  if (total === undefined || criteria === undefined)
    throw new SvcError('USAGE', { reason: 'svc send-proposal needs --terms, or --total and --criteria.' });
  const { chainId, contracts, rpc, close } = await connect(readConfig());
  try {
    const { time: now } = await rpc.ask(latestBlock());
    return buildTermsDocument({
      market,
      place: { chainId, registry: contracts[market].taskRegistry },
      poster: role === 'poster' ? self : to,
      worker: role === 'poster' ? to : self,
      totalAmount: total,
      milestones: (changes.milestones ?? []).map((amount) => ({ amount })),
      criteria: { text: criteria },
      deadline: parseMoment('deadline', changes.deadline ?? '+7d', now),
      reviewPeriod: changes.reviewSeconds ?? 2 * day,
      scope: 'private',
      negotiationId,
      acceptBy: parseMoment('accept-by', changes.acceptBy ?? '+1d', now),
    });
  } finally {
    close();
  }
}

/** Everything that the options do not name stays as it was offered. */
function changeTerms(last: TermsDocument, { changes }: SendProposalArguments): TermsDocument {
  const { total, milestones, criteria, deadline, reviewSeconds, acceptBy } = changes;
  // Other parts of another total: the old list would not add up to it.
  const amounts = milestones ?? (total === undefined ? undefined : []);
  const { criteriaText: _, ...rest } = last;
  const { criteriaHash } = criteria === undefined ? last : { criteriaHash: hashCriteria(criteria) };
  return {
    ...(criteria === undefined ? last : { ...rest, criteriaText: criteria }),
    criteriaHash,
    ...(total !== undefined && { totalAmountTokWei: String(total) }),
    ...(amounts !== undefined && {
      milestones: amounts.map((amount) => ({ amountTokWei: String(amount) })),
      milestonesHash: hashMilestones(amounts),
    }),
    ...(deadline !== undefined && { deadline: parseMoment('deadline', deadline, nowSeconds()) }),
    ...(reviewSeconds !== undefined && { reviewPeriod: reviewSeconds }),
    ...(acceptBy !== undefined && { acceptBy: parseMoment('accept-by', acceptBy, nowSeconds()) }),
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
