// Second chapter: an open task that is claimed, delivered, disputed, and ruled on by an arbitrator both named.
import { deliver } from './negotiated.ts';
import type { Answer, Player } from './player.ts';
import type { Told } from './told.ts';
import { waitFor } from './waitFor.ts';

const market = 'micro';

export async function playDisputed(
  poster: Player,
  worker: Player,
  arbitrator: Player,
  told: Told,
): Promise<void> {
  await poster.act('post-task', {
    market,
    title: 'Subtitle a film of ten minutes',
    description: 'An amateur film from 1968, with a narrator.',
    criteriaText: 'Every spoken sentence, in time with the picture.',
    totalAmountTok: '800',
    fundNowTok: '800',
    deadline: '+2d',
    reviewPeriod: '6h',
  });
  const taskId = await findPosted(poster);
  await told.show(poster, 'posts an open task and funds it at once', taskId, 'POSTED');
  const { summary } = await worker.call('svc_task_next_steps', { taskId, address: worker.address });
  told.say(worker, `asks what it may do. «${summary}»`);
  await worker.act('claim-task', { taskId });
  await told.show(worker, 'claims it', taskId, 'CLAIMED');
  await poster.act('start-work', { taskId });
  await told.show(poster, 'starts the work', taskId, 'ACTIVE');
  await deliver(worker, taskId, 'film.srt', told);
  await poster.act('open-dispute', { taskId, evidenceText: 'The last three minutes have no subtitles.' });
  await told.show(poster, 'opens a dispute, with a bond of 5 %', taskId, 'DISPUTED');
  for (const party of [poster, worker]) {
    await party.act('propose-arbitrator', { taskId, arbitrator: arbitrator.address });
    told.say(party, `proposes ${arbitrator.name} as arbitrator`);
  }
  await arbitrator.act('resolve-dispute', {
    taskId,
    workerBps: '7000',
    reasonText: 'Seven of ten minutes meet the criteria.',
  });
  await told.show(arbitrator, 'rules: 70 % to the worker', taskId, 'RESOLVED');
}

function findPosted(poster: Player): Promise<string> {
  return waitFor('the task that was posted', async () => {
    const { tasks } = await poster.call('svc_list_tasks_by_poster', {
      address: poster.address,
      market,
      limit: 1,
    });
    const [task]: Answer[] = tasks;
    return task?.state === 'POSTED' ? task.id : undefined;
  });
}
