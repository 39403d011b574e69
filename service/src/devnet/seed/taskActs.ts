// Turns what the story says of a task into transactions.
import { accountOf } from '../accounts.ts';
import type { TaskDeed } from '../story/script.ts';
import {
  buildCreate,
  buildPost,
  buildSettlement,
  courtOf,
  hashFile,
  partyOf,
  posterOf,
  readOpenDigest,
  readTask,
  registryOf,
  type Scene,
  tok,
} from './scene.ts';
import { type Act, buildAct } from './stage.ts';

export async function buildTaskAct(scene: Scene, deed: TaskDeed): Promise<Act> {
  const { taskId } = scene;
  const registry = registryOf(scene);
  const court = courtOf(scene);
  const poster = posterOf(scene);
  // Whoever keeps the market running: timed exits are open to all.
  const anyone = accountOf('operator').address;
  switch (deed[0]) {
    case 'post':
      return buildAct(poster, registry, 'postTask', [buildPost(scene, deed[1])]);
    case 'create':
      return buildAct(poster, registry, 'createTask', await buildCreate(scene, accountOf(deed[1]), deed[2]));
    case 'claim': {
      const worker = accountOf(deed[1]).address;
      return buildAct(worker, registry, 'claimTask', [taskId, await readOpenDigest(scene, worker)]);
    }
    case 'fund':
      return buildAct(poster, registry, 'fundTask', [taskId, tok(deed[1])]);
    case 'start': {
      const { worker, settlementDigest } = await readTask(scene);
      const by = deed[1] === 'worker' ? worker : poster;
      return buildAct(by, registry, 'startWork', [taskId, settlementDigest]);
    }
    case 'deliver': {
      const { worker, milestone } = await readTask(scene);
      const file = `work-${milestone + 1}.zip`;
      const uri = `https://work.example/${scene.tale.text}/${file}`;
      return buildAct(worker, registry, 'submitProof', [taskId, hashFile(scene, file), uri]);
    }
    case 'accept':
      return buildAct(poster, registry, 'acceptMilestone', [taskId, (await readTask(scene)).milestone]);
    case 'complete':
      return buildAct(poster, registry, 'completeTask', [taskId]);
    case 'leave':
      return buildAct(await partyOf(scene, 'worker'), registry, 'leaveTask', [taskId]);
    case 'dismiss':
      return buildAct(poster, registry, 'dismissWorker', [taskId]);
    case 'cancel':
      return buildAct(poster, registry, 'cancelTask', [taskId]);
    case 'timeOut':
      return buildAct(anyone, registry, 'resolveTimedOut', [taskId]);
    case 'dispute': {
      const evidence = hashFile(scene, 'evidence.pdf');
      return buildAct(await partyOf(scene, deed[1]), registry, 'openDispute', [taskId, evidence]);
    }
    case 'propose': {
      const arbitrator = accountOf(deed[2]).address;
      return buildAct(await partyOf(scene, deed[1]), court, 'proposeArbitrator', [taskId, arbitrator]);
    }
    case 'rule': {
      const reason = hashFile(scene, 'ruling.pdf');
      return buildAct(accountOf(deed[1]).address, court, 'resolveDispute', [taskId, deed[2], reason]);
    }
    case 'escalate':
      return buildAct(anyone, court, 'escalate', [taskId]);
    case 'timeOutDispute':
      return buildAct(anyone, court, 'resolveTimedOut', [taskId]);
    case 'settle':
      return buildAct(poster, court, 'mutualSettle', await buildSettlement(scene, deed[1]));
  }
}
