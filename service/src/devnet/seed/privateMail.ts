// The conversations behind the private tasks of the story: the offer, the worker's acceptance, and each delivery with the
// keys of its sealed files. Their words and files are nowhere else, so poster and worker read them in their mailboxes.
import type { Deployment } from '@svc/sdk/chain';
import { signDocument } from '@svc/sdk/client';
import { type Address, formatTaskId, type TaskKey } from '@svc/sdk/domain';
import {
  buildTranscripts,
  createWriter,
  formatWire,
  hashTermsDocument,
  type SignedEnvelope,
} from '@svc/sdk/negotiation';
import { privateKeyToAccount } from 'viem/accounts';
import { type Account, accountOf } from '../accounts.ts';
import { listFileKeys, listFiles } from './seedFiles.ts';
import { numberTasks, parseAgo, type TaskStep, type TaskStory, taskStories } from './story.ts';
import { buildDelivery, buildTerms, buildWords, negotiationIdOf, signTerms } from './taskSteps.ts';

type SeededMail = {
  readonly task: TaskKey;
  readonly poster: Address;
  /** The messages as they are sent, the first one first; the same for the same chain. `createdAt` is that of the task. */
  readonly write: (createdAt: number) => Promise<string[]>;
};

type Message = {
  readonly by: Account;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly taskId?: string;
  /** Unix seconds. */
  readonly at: number;
};

export function listSeededMail(deployment: Deployment): SeededMail[] {
  const numbers = numberTasks();
  return taskStories
    .filter(({ scope }) => scope === 'private')
    .map((story) => {
      const task = { market: story.market, number: numbers.get(story) as bigint };
      return {
        task,
        poster: accountOf(story.poster).address,
        write: (createdAt) => writeConversation(deployment, story, task, createdAt),
      };
    });
}

/** Before the task was created, the worker had an hour to read the offer. */
const readingSeconds = 3_600;

async function writeConversation(
  deployment: Deployment,
  story: TaskStory,
  task: TaskKey,
  createdAt: number,
): Promise<string[]> {
  const [[createdAgo, , workerName]] = story.steps as unknown as [[string, 'create', Account['name']]];
  const [poster, worker] = [accountOf(story.poster), accountOf(workerName)];
  const sent: SignedEnvelope[] = [];
  const negotiationId = negotiationIdOf(story);
  const write = async ({ by, at, ...draft }: Message) => {
    const to = (by === poster ? worker : poster).address;
    const writer = createWriter({
      address: by.address,
      find: async () => buildTranscripts(sent).transcripts[0],
      sign: ({ typedData }) => signDocument(privateKeyToAccount(by.privateKey), typedData),
      send: async (signed) => sent.push(signed),
      now: () => new Date(at * 1_000),
    });
    await writer.write({ ...draft, place: { to, negotiationId } });
  };

  const terms = buildTerms({ deployment, story, at: createdAt }, worker.address);
  const settlementDigest = hashTermsDocument(terms);
  const { document } = buildWords(story);
  const offer = { terms, settlementDigest, document, expiresAt: terms.acceptBy };
  await write({ by: poster, at: createdAt - 2 * readingSeconds, type: 'TaskProposal', payload: offer });
  const signature = await signTerms(terms, worker);
  const acceptance = { offerHash: sent[0]?.hash, settlementDigest, signature };
  await write({ by: worker, at: createdAt - readingSeconds, type: 'TaskAcceptance', payload: acceptance });

  const present = createdAt + parseAgo(createdAgo);
  let milestone = 0;
  for (const [ago, ...rest] of story.steps) {
    const step = rest as TaskStep;
    if (step[0] === 'accept') milestone++;
    if (step[0] !== 'deliver') continue;
    const delivery = buildDelivery(story, task.number, milestone, step);
    const keys = listFileKeys(story, listFiles(step));
    await write({
      by: worker,
      at: present - parseAgo(ago),
      type: 'DeliveryNotice',
      taskId: formatTaskId(task),
      payload: { milestone, proofHash: delivery.hash, document: delivery.document, keys },
    });
  }
  return sent.map(formatWire);
}
