// The disputes of the demo: one that is answered and ruled on, one that is conceded, and one that nobody answers.
import { protocolConstants } from '@svc/sdk/domain';
import type { Reply } from './demoAgent.ts';
import { attach, deliver, playToWork, readFile, type Scene } from './demoStory.ts';

const bond = `${protocolConstants.disputeBps / 100} %`;
const day = 86_400;

const film = { name: 'film.srt', text: '1\n00:00:01 --> 00:00:04\nGood evening.\n' };
const song = { name: 'song.txt', text: 'A song is sung from minute 9 on; film.srt has none of its words.\n' };

/** Both sides put up a bond and file evidence; an arbitrator whom both name reads everything, rules and gives its reasons. */
export async function playRuled(scene: Scene): Promise<void> {
  const { poster, worker, arbitrator, narrator } = scene;
  const taskId = await playToWork(scene, {
    title: 'Subtitle a film of ten minutes',
    criteria: 'Every spoken or sung sentence, in time with the picture.',
    amount: '800',
  });
  await deliver(scene, taskId, film);
  await attach(poster, taskId, song, false);
  const evidenceText = 'The last minute has no subtitles; see the file.';
  await poster.act('open-dispute', { taskId, evidenceText, artifacts: [song.name] });
  const opened = `opens a dispute with a bond of ${bond}, words and a file: «${evidenceText}»`;
  await narrator.show(poster, opened, taskId, 'DISPUTED');
  const { summary } = await worker.call('svc_task_next_steps', { taskId, address: worker.address });
  narrator.say(worker, `asks what it may do. «${summary}»`);
  await worker.act('answer-dispute', { taskId, evidenceText: 'Nobody speaks in that minute.' });
  const isAnswered = ({ dispute }: Reply) => dispute?.phase === 'PROPOSING';
  await narrator.show(worker, 'answers with its own bond, and evidence', taskId, 'DISPUTED', isAnswered);
  await poster.act('submit-evidence', { taskId, evidenceText: 'It is sung: the criteria name that too.' });
  narrator.say(poster, 'adds evidence');
  const proposal = { taskId, arbitrator: arbitrator.address };
  await poster.act('propose-arbitrator', proposal);
  narrator.say(poster, `proposes ${arbitrator.name} as arbitrator`);
  await worker.act('propose-arbitrator', proposal);
  const isNamed = ({ dispute }: Reply) => dispute?.judge === arbitrator.address;
  await narrator.show(worker, `proposes ${arbitrator.name} as well`, taskId, 'DISPUTED', isNamed);
  for (const party of [poster, worker]) await party.act('submit-evidence', { taskId, nothingToAdd: true });
  narrator.say(worker, 'has nothing to add, and neither has the poster: the arbitrator need not wait');
  await judge(scene, taskId);
  for (const party of [poster, worker]) {
    const { task } = await party.call('svc_get_task', { taskId });
    const { documentState, untrustedText } = task.dispute.ruling;
    narrator.say(party, `reads the reasons (${documentState}): «${untrustedText.document.reasons}»`);
  }
}

/** Reads criteria, delivery and evidence of both sides with all files, then rules. */
async function judge({ arbitrator, narrator }: Scene, taskId: string): Promise<void> {
  const { task } = await arbitrator.call('svc_get_task', { taskId });
  const documents = [...task.deliveries, ...task.dispute.evidence];
  const states = new Set(documents.map(({ documentState }: Reply) => documentState));
  const files = documents.flatMap(({ untrustedText }: Reply) => untrustedText.document.artifacts);
  const contents: Readonly<Record<string, string>> = { [film.name]: film.text, [song.name]: song.text };
  for (const file of files) await readFile(arbitrator, taskId, file, contents[file.name] ?? '');
  const evidence = `${task.dispute.evidence.length} entries of evidence`;
  const what = `reads criteria, delivery and ${evidence} of both sides, and ${files.length} files: ${[...states].join(', ')}`;
  narrator.say(arbitrator, what);
  const reasonText = 'The song lacks its words; everything that is spoken is there.';
  await arbitrator.act('resolve-dispute', { taskId, workerBps: '7500', reasonText });
  const isRuled = ({ dispute }: Reply) => dispute?.ruling !== null;
  await narrator.show(arbitrator, 'rules with reasons: 75 % to the worker', taskId, 'RESOLVED', isRuled);
}

/** The poster sees that it was wrong before an answer, and loses half of its dispute bond. */
export async function playConceded(scene: Scene): Promise<void> {
  const { poster, narrator } = scene;
  const taskId = await playToDispute(scene, {
    title: 'Name the birds of one photograph',
    criteria: 'English and Latin names, from left to right.',
    amount: '300',
    file: { name: 'birds.txt', text: 'Robin, Erithacus rubecula\n' },
    complaint: 'The third bird has no name.',
  });
  await poster.act('concede', { taskId });
  const what =
    'finds the name in the file and concedes: the worker is paid, and gets the poster’s collateral bond and half of its dispute bond';
  await narrator.show(poster, what, taskId, 'RESOLVED');
}

/** The worker stays silent for the whole answer window. */
export async function playDefaulted(scene: Scene): Promise<void> {
  const { poster, narrator } = scene;
  const taskId = await playToDispute(scene, {
    title: 'Transcribe a page of shorthand',
    criteria: 'All lines, in the spelling of the page.',
    amount: '400',
    file: { name: 'page.txt', text: '\n' },
    complaint: 'The file is empty.',
  });
  const window = protocolConstants.answerWindowSeconds;
  await scene.pass(window + 60);
  narrator.say(
    poster,
    `waits for an answer; the clock of the embedded chain moves on by ${window / day} days`,
  );
  await poster.act('resolve-timed-out', { taskId });
  const what = 'ends the dispute: without an answer the money and the worker’s bond are the poster’s';
  await narrator.show(poster, what, taskId, 'RESOLVED');
}

type Disputed = Parameters<typeof playToWork>[1] & {
  readonly file: { readonly name: string; readonly text: string };
  readonly complaint: string;
};

/** An open task that is claimed, delivered and disputed. */
async function playToDispute(scene: Scene, { file, complaint, ...work }: Disputed): Promise<string> {
  const { poster, narrator } = scene;
  const taskId = await playToWork(scene, work);
  await deliver(scene, taskId, file);
  await poster.act('open-dispute', { taskId, evidenceText: complaint });
  await narrator.show(poster, `opens a dispute, with a bond of ${bond}: «${complaint}»`, taskId, 'DISPUTED');
  return taskId;
}
