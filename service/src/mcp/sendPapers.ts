// Sends what the other party and the judge of a private task lack of it.
import type { Address } from '@svc/sdk/domain';
import { isOffer, isParty } from '@svc/sdk/internal/negotiation/envelope';
import type { Disclosure } from '@svc/sdk/internal/negotiation/judgeDisclosure';
import type { Transcript } from '@svc/sdk/negotiation';
import { describeDisclosure, findUnsent, listReaders } from './privatePapers.ts';
import { type MessageAnswer, messageSteps, submitEnvelope } from './sendEnvelope.ts';
import type { ToolContext } from './tool.ts';
import type { ToolMailbox } from './toolMail.ts';

/** Messages of one call; the rest goes with the next. */
const maxPapers = 20;

/**
 * Sends the other party and the judge of a private task the documents and keys that they lack, each in the conversation about
 * the task if there is one. Where a signature waits for its owner, the call that follows goes on.
 */
export async function sendPapers(
  context: ToolContext,
  mailbox: ToolMailbox,
  from: Address,
  taskId: string,
): Promise<MessageAnswer> {
  const { task } = await context.market.task(taskId);
  const notes: string[] = [];
  let answer: MessageAnswer | null = null;
  const readers = { with: listReaders(task, from) };
  for (let current = await mailbox.find(readers); notes.length < maxPapers; ) {
    const owed = findUnsent(task, from, current.transcripts, context.papers);
    if (owed === null) break;
    const transcript = findAbout(current, owed, task.settlementDigest);
    const negotiationId = transcript?.negotiationId ?? crypto.randomUUID();
    const { to, type, payload } = owed;
    const note = describeDisclosure(owed, task);
    const draft = { from, type, payload: { ...payload }, negotiationId, taskId, to, note };
    answer = await submitEnvelope(context, current, draft, transcript);
    if (!answer.sent) return answer;
    notes.push(note);
    current = await mailbox.find(readers);
  }
  if (answer === null)
    throw messageSteps.failed(
      'the others have all that this wallet has of it, or the task is not private, or not one of this wallet.',
    );
  return { ...answer, next: notes.join(' ') };
}

/** The conversation about the task: under its terms, else one that names it. */
function findAbout(mailbox: ToolMailbox, { to, taskId }: Disclosure, digest: string | undefined) {
  const own = mailbox.transcripts.filter((one) => isParty(one.parties, to) && !mailbox.isStuck(one));
  const has = (is: (envelope: Transcript['entries'][number]['envelope']) => boolean) =>
    own.findLast(({ entries }) => entries.some(({ envelope }) => is(envelope)));
  return (
    has(
      ({ type, payload }) =>
        isOffer(type) && String(payload.settlementDigest).toLowerCase() === digest?.toLowerCase(),
    ) ?? has((envelope) => envelope.taskId === taskId)
  );
}
