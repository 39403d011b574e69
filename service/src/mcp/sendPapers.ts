// Sends what the other party and the judge of a private task lack of it.
import type { Address } from '@svc/sdk/domain';
import { findAbout } from '@svc/sdk/negotiation';
import { describeDisclosure, findUnsent, listReaders } from './privatePapers.ts';
import { type MessageAnswer, messageSteps, sendBy } from './sendEnvelope.ts';
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
    const usable = current.transcripts.filter((one) => !current.isStuck(one));
    const known = findAbout(usable, { to: owed.to, taskId, settlementDigest: task.settlementDigest });
    const { to, type, payload } = owed;
    const note = describeDisclosure(owed, task);
    const place = known === undefined ? { to } : { root: known.root };
    const draft = { type, payload: { ...payload }, taskId, place };
    answer = await sendBy({ context, mailbox: current }, from, ({ write }) => write(draft), note);
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
