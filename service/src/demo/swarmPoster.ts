// The program of a poster: posts and negotiates work, reviews deliveries, disputes bad ones, and names arbitrators.
import type { WorkSample } from '#devnet/seed/seedFiles.ts';
import type { Reply } from './demoAgent.ts';
import {
  attachText,
  createDecisions,
  endOverduePhase,
  isWholeWork,
  type Player,
  pick,
  readDelivery,
  type Strategy,
  tendAll,
} from './swarmPlayer.ts';

/** Tasks at a time that are not ended. */
const mostOpen = 3;
export const deadlineDays = 20;
const listed = 50;
/** How often it tries to create a task that both have signed. */
const patience = 4;
const ended: readonly string[] = ['COMPLETED', 'RESOLVED', 'CANCELLED'];

export function createPoster(player: Player, samples: readonly WorkSample[]): Strategy {
  const { agent, market, random, phase, note } = player;
  const me = { address: agent.address };
  /** Conversations that wait for the worker. */
  const offered = new Set<string>();
  const refusals = new Map<string, number>();
  const review = createDecisions(() => {
    const chance = random();
    return chance < 0.06 ? 'never' : chance < 0.16 ? 'hasty' : 'careful';
  });
  const regret = createDecisions(() => (random() < 0.5 ? 'concedes' : 'insists'));

  async function step(): Promise<void> {
    const { tasks } = await agent.call('svc_list_tasks_by_poster', { ...me, market, limit: listed });
    const open = tasks.filter(({ state }: Reply) => !ended.includes(state));
    if (await tendAll(open, tend)) return;
    if (offered.size > 0) await createAgreed();
    if (phase() === 'trading' && open.length + offered.size < mostOpen) await offerWork(tasks);
  }

  /** Returns whether it did something. */
  async function tend({ id: taskId, state, fullyFunded }: Reply): Promise<boolean> {
    switch (state) {
      case 'POSTED':
        if (phase() === 'trading') return false;
        await agent.act('cancel-task', { taskId });
        note('posts withdrawn');
        return true;
      case 'CLAIMED':
        if (!fullyFunded) return false;
        await agent.act('start-work', { taskId });
        return true;
      case 'ACTIVE':
        return endLate(taskId);
      case 'DELIVERED':
        return review(taskId) === 'never' ? endLate(taskId) : reviewDelivery(taskId);
      case 'DISPUTED':
        return (await argue(taskId)) || endLate(taskId);
      default:
        return false;
    }
  }

  const endLate = async (taskId: string) => phase() === 'late' && (await endOverduePhase(player, taskId));

  async function reviewDelivery(taskId: string): Promise<boolean> {
    const { task } = await agent.call('svc_get_task', { taskId });
    if (task.scope === 'private') {
      const { work } = await agent.call('svc_inbox', { ...me, taskId, limit: 0 });
      const received = work.find(({ kind }: Reply) => kind === 'delivery');
      // Words and key follow the delivery in a message.
      if (received?.files[0] === undefined) return false;
      await agent.call('svc_read_file', received.files[0].read);
      await agent.act('accept-milestone', { taskId, milestone: '0' });
      note('private deliveries accepted', `${agent.name} opens a sealed file, and pays ${taskId}`);
      return true;
    }
    const isGood = isWholeWork(await readDelivery(agent, task));
    if (isGood && review(taskId) === 'careful') {
      await agent.act('accept-milestone', { taskId, milestone: '0' });
      note('deliveries accepted');
      return true;
    }
    const complaint = isGood
      ? 'This is not what we had in mind.'
      : 'Most of the work is missing; the list says what.';
    const list = `Criteria: ${task.untrustedText.criteria}\nMissing: everything after the first line.\n`;
    const { artifact } = await attachText(agent, taskId, 'complaint.txt', list);
    await agent.act('open-dispute', { taskId, evidenceText: complaint, artifacts: [artifact] });
    note('disputes opened', `${agent.name} disputes the delivery of ${taskId}: «${complaint}»`);
    return true;
  }

  async function argue(taskId: string): Promise<boolean> {
    const { task } = await agent.call('svc_get_task', { taskId });
    const { phase: stage, poster } = task.dispute;
    if (stage === 'ANSWERING' && review(taskId) === 'hasty' && regret(taskId) === 'concedes') {
      await agent.act('concede', { taskId });
      note('disputes conceded by posters', `${agent.name} looks again, and concedes ${taskId}`);
      return true;
    }
    if (stage !== 'PROPOSING' || poster.pick !== null) return false;
    const { arbitrators } = await agent.call('svc_list_arbitrators', { taskId });
    if (arbitrators.length === 0) return false;
    await agent.act('propose-arbitrator', { taskId, arbitrator: pick<Reply>(arbitrators, random).address });
    return true;
  }

  async function offerWork(tasks: readonly Reply[]): Promise<void> {
    const { title, description, criteria, tags } = pick(samples, random);
    const totalAmountTok = String(100 * (1 + Math.floor(random() * 12)));
    // The embedded chain has the clock of this machine while the market is open.
    const deadline = String(Math.floor(Date.now() / 1_000) + deadlineDays * 86_400);
    const known = tasks.filter(({ state }) => state === 'COMPLETED').map(({ worker }) => worker);
    const work = { market, title, criteriaText: criteria, totalAmountTok, deadline, reviewPeriod: '24h' };
    if (known.length > 0 && random() < 0.3) {
      const message = { type: 'TaskProposal', to: pick(known, random), offer: work };
      const { root } = await agent.call('svc_send_message', { from: agent.address, ...message });
      offered.add(root);
      note('private offers', `${agent.name} offers a worker it knows ${totalAmountTok} TOK in private`);
      return;
    }
    await agent.act('post-task', { ...work, description, tags, fundNowTok: totalAmountTok });
    note('posts', `${agent.name} posts «${title}» for ${totalAmountTok} TOK`);
  }

  /** Creates the tasks whose terms the worker has signed; gives offers up at the end. */
  async function createAgreed(): Promise<void> {
    const { conversations } = await agent.call('svc_inbox', { ...me, limit: 0 });
    for (const { root, untrusted } of conversations) {
      const offer = untrusted.offer;
      if (!offered.has(root) || !offer?.workerSignature) continue;
      offered.delete(root);
      const { terms, document, workerSignature } = offer;
      const amount = BigInt(terms.totalAmountTokWei) / 10n ** 18n;
      const made = { terms: { terms, document }, workerSignature, fundNowTok: String(amount) };
      const { taskId } = await agent.act('create-task', made).catch((error: unknown) => {
        // The worker may not have allowed its fee yet.
        const times = (refusals.get(root) ?? 0) + 1;
        refusals.set(root, times);
        if (phase() === 'trading' && times < patience) offered.add(root);
        throw error;
      });
      note('private tasks', `${agent.name} creates ${taskId} with the terms that both signed`);
    }
    if (phase() !== 'trading') offered.clear();
  }

  return { step };
}
