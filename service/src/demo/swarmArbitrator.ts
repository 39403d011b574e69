// The program of an arbitrator: looks for disputes that it is named for, reads what both sides filed, and rules with reasons.
import { isSameAddress, type Market } from '@svc/sdk/domain';
import type { Reply } from './demoAgent.ts';
import { isWholeWork, type Player, readDelivery, type Strategy, tendAll } from './swarmPlayer.ts';

const listed = 100;
/** Disputes take their time: it looks at every second step only. */
const lookEvery = 2;

export function createArbitrator(player: Player, markets: readonly Market[]): Strategy {
  const { agent, random, note } = player;

  let steps = 0;

  async function step(): Promise<void> {
    steps++;
    if (steps % lookEvery !== 0) return;
    for (const market of markets) {
      const { tasks } = await agent.call('svc_list_recent_tasks', { market, limit: listed });
      const disputed = tasks.filter(({ state }: Reply) => state === 'DISPUTED');
      await tendAll(disputed, ({ id }) => look(id));
    }
  }

  async function look(taskId: string): Promise<boolean> {
    const { task } = await agent.call('svc_get_task', { taskId });
    const { phase, judge, evidence } = task.dispute;
    if (phase !== 'ASSIGNED' || !isSameAddress(judge, agent.address)) return false;
    const isWhole = isWholeWork(await readDelivery(agent, task));
    const files = evidence.flatMap(({ untrustedText }: Reply) => untrustedText?.document?.artifacts ?? []);
    for (const { sha256 } of files) await agent.call('svc_read_file', { sha256 });
    const workerBps = 500 * Math.floor(isWhole ? 16 + random() * 5 : random() * 6);
    const reasonText = isWhole
      ? 'The file has what the criteria name; small things are missing.'
      : 'One line is not the work that was agreed; the beginning is worth a little.';
    await agent.act('resolve-dispute', { taskId, workerBps: String(workerBps), reasonText });
    note(
      'rulings',
      `${agent.name} reads both sides of ${taskId} and rules: ${workerBps / 100} % to the worker`,
    );
    return true;
  }

  return { step };
}
