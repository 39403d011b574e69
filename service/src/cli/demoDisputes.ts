// The disputes of the demo: one that is answered and ruled on, one that is conceded, and one that nobody answers.
import { protocolConstants } from '@svc/sdk/domain';
import { type DemoAgent, type Reply, waitFor } from './demoAgent.ts';
import { deliver, type Narrator } from './demoStory.ts';

const market = 'micro';
const bond = `${protocolConstants.disputeBps / 100} %`;
const day = 86_400;

type Work = {
  readonly title: string;
  readonly criteria: string;
  readonly amount: string;
  readonly file: string;
  readonly complaint: string;
};

/** Both sides put up a bond and file evidence; an arbitrator whom both name rules and gives its reasons. */
export async function playRuled(
  poster: DemoAgent,
  worker: DemoAgent,
  arbitrator: DemoAgent,
  narrator: Narrator,
): Promise<void> {
  const taskId = await playToDispute(poster, worker, narrator, {
    title: 'Subtitle a film of ten minutes',
    criteria: 'Every spoken sentence, in time with the picture.',
    amount: '800',
    file: 'film.srt',
    complaint: 'The last three minutes have no subtitles.',
  });
  const { summary } = await worker.call('svc_task_next_steps', { taskId, address: worker.address });
  narrator.say(worker, `asks what it may do. «${summary}»`);
  await worker.act('answer-dispute', { taskId, evidenceText: 'Nobody speaks in two of these minutes.' });
  const isAnswered = ({ dispute }: Reply) => dispute?.phase === 'PROPOSING';
  await narrator.show(worker, 'answers with a bond of its own, and evidence', taskId, 'DISPUTED', isAnswered);
  await poster.act('submit-evidence', { taskId, evidenceText: 'A song is sung in the last minute.' });
  narrator.say(poster, 'adds evidence');
  for (const party of [poster, worker]) {
    await party.act('propose-arbitrator', { taskId, arbitrator: arbitrator.address });
    narrator.say(party, `proposes ${arbitrator.name} as arbitrator`);
  }
  const found = await waitFor('the evidence of both sides', async () => {
    const { task } = await arbitrator.call('svc_get_task', { taskId });
    return task.dispute?.judge === arbitrator.address ? task.dispute : undefined;
  });
  narrator.say(arbitrator, `reads the evidence of both sides: ${found.evidence.length} entries`);
  await arbitrator.act('resolve-dispute', {
    taskId,
    workerBps: '7500',
    reasonText: 'The song lacks its words; the silent minutes need none.',
  });
  const isRuled = ({ dispute }: Reply) => dispute?.ruling !== null;
  await narrator.show(arbitrator, 'rules with reasons: 75 % to the worker', taskId, 'RESOLVED', isRuled);
}

/** The poster sees that it was wrong before an answer, and loses no dispute bond. */
export async function playConceded(poster: DemoAgent, worker: DemoAgent, narrator: Narrator): Promise<void> {
  const taskId = await playToDispute(poster, worker, narrator, {
    title: 'Name the birds of one photograph',
    criteria: 'English and Latin names, from left to right.',
    amount: '300',
    file: 'birds.txt',
    complaint: 'The third bird has no name.',
  });
  await poster.act('concede', { taskId });
  const what = 'finds the name in the file and concedes: the worker is paid, and gets the poster’s bond';
  await narrator.show(poster, what, taskId, 'RESOLVED');
}

/** The worker stays silent for the whole answer window. */
export async function playDefaulted(
  poster: DemoAgent,
  worker: DemoAgent,
  pass: (seconds: number) => Promise<void>,
  narrator: Narrator,
): Promise<void> {
  const taskId = await playToDispute(poster, worker, narrator, {
    title: 'Transcribe a page of shorthand',
    criteria: 'All lines, in the spelling of the page.',
    amount: '400',
    file: 'page.txt',
    complaint: 'The file is empty.',
  });
  const window = protocolConstants.answerWindowSeconds;
  await pass(window + 60);
  narrator.say(
    poster,
    `waits for an answer; the clock of the embedded chain moves on by ${window / day} days`,
  );
  await poster.act('resolve-timed-out', { taskId });
  const what = 'ends the dispute: without an answer the money and the worker’s bond are the poster’s';
  await narrator.show(poster, what, taskId, 'RESOLVED');
}

/** An open task that is claimed, delivered and disputed. */
async function playToDispute(
  poster: DemoAgent,
  worker: DemoAgent,
  narrator: Narrator,
  { title, criteria, amount, file, complaint }: Work,
): Promise<string> {
  await poster.act('post-task', {
    market,
    title,
    description: 'The files are in the usual place.',
    criteriaText: criteria,
    totalAmountTok: amount,
    fundNowTok: amount,
    deadline: '+2d',
    reviewPeriod: '6h',
  });
  const taskId = await findPosted(poster);
  await narrator.show(poster, `posts «${title}» and funds it at once`, taskId, 'POSTED');
  await worker.act('claim-task', { taskId });
  await narrator.show(worker, 'claims it', taskId, 'CLAIMED');
  await poster.act('start-work', { taskId });
  await narrator.show(poster, 'starts the work', taskId, 'ACTIVE');
  await deliver(worker, taskId, file, narrator);
  await poster.act('open-dispute', { taskId, evidenceText: complaint });
  await narrator.show(poster, `opens a dispute, with a bond of ${bond}: «${complaint}»`, taskId, 'DISPUTED');
  return taskId;
}

function findPosted(poster: DemoAgent): Promise<string> {
  return waitFor('the task that was posted', async () => {
    const { tasks } = await poster.call('svc_list_tasks_by_poster', {
      address: poster.address,
      market,
      limit: 1,
    });
    const [task]: Reply[] = tasks;
    return task?.state === 'POSTED' ? task.id : undefined;
  });
}
