// The program of a worker: finds and claims work, delivers well or badly, answers offers, and defends itself in disputes.
import { formatTok, isSameAddress, marketParameters } from '@svc/sdk/domain';
import type { WorkSample } from '#devnet/seed/seedFiles.ts';
import type { Reply } from './demoAgent.ts';
import {
  attachText,
  createDecisions,
  endOverduePhase,
  type Player,
  pick,
  type Strategy,
  tendAll,
} from './swarmPlayer.ts';

/** Tasks at a time that wait for its work. */
const mostOpen = 2;
const listed = 50;
/** Between two looks into its messages, in steps. */
const mailEvery = 3;
/** How many steps it keeps its fee for a task that was agreed on and is not created. */
const patience = 12;
const busy: readonly string[] = ['CLAIMED', 'ACTIVE'];

export type WorkerOptions = {
  readonly samples: readonly WorkSample[];
  /** Claims through the gateway, by x402 payments. */
  readonly isPaying: boolean;
};

type Conversation = { readonly root: string; readonly digest: string };

export function createWorker(player: Player, { samples, isPaying }: WorkerOptions): Strategy {
  const { agent, market, random, phase, note } = player;
  const me = { address: agent.address };
  const fee = formatTok(marketParameters[market].accessFeeTokWei);
  const quality = createDecisions(() => (random() < 0.78 ? 'good' : 'bad'));
  const defence = createDecisions(() => {
    const chance = random();
    return chance < 0.35 ? 'concede' : chance < 0.65 ? 'silent' : 'answer';
  });
  const accepted: Conversation[] = [];
  const notices: Readonly<Record<string, unknown>>[] = [];
  let steps = 0;
  let waiting = 0;

  async function step(): Promise<void> {
    steps++;
    const { tasks } = await agent.call('svc_list_tasks_by_worker', { ...me, market, limit: listed });
    if (await sendNotice()) return;
    if (await tendAll(tasks, tend)) return;
    if (phase() !== 'trading') return;
    if (steps % mailEvery === 0 && (await answerOffers())) return;
    if (waiting > 0) waiting--;
    const load = tasks.filter(({ state }: Reply) => busy.includes(state)).length;
    if (load < mostOpen && waiting === 0) await claim();
  }

  async function tend({ id: taskId, state }: Reply): Promise<boolean> {
    if (state === 'ACTIVE') return deliver(taskId);
    if (state === 'DISPUTED' && (await defend(taskId))) return true;
    const isLate = phase() === 'late' && (state === 'DELIVERED' || state === 'DISPUTED');
    return isLate && endOverduePhase(player, taskId);
  }

  async function claim(): Promise<void> {
    const { tasks } = await agent.call('svc_list_open_tasks', { market, limit: 20 });
    const free = tasks.filter(({ fullyFunded }: Reply) => fullyFunded);
    if (free.length === 0) return;
    const { id: taskId } = pick<Reply>(free, random);
    if (isPaying) {
      await agent.act('approve-tok-router', { market, amountTok: fee });
      await agent.settle(await agent.call('svc_claim_paid', { from: agent.address, taskId }));
      note('claims paid by x402', `${agent.name} pays the gateway (x402) and claims ${taskId}`);
    } else await agent.act('claim-task', { taskId });
    note('claims');
  }

  async function deliver(taskId: string): Promise<boolean> {
    const { task } = await agent.call('svc_get_task', { taskId });
    const { title } = task.untrustedText;
    const isPrivate = task.scope === 'private';
    const sample = samples.find((one) => one.title === title) ?? pick(samples, random);
    // Agreed work is done well: the worker knows the poster.
    const isGood = isPrivate || quality(taskId) === 'good';
    const lines = isGood ? sample.lines : sample.lines.slice(0, 1);
    const { artifact, keys } = await attachText(
      agent,
      taskId,
      sample.fileName,
      `${lines.join('\n')}\n`,
      isPrivate,
    );
    const words = isGood ? `${sample.fileName}, as the criteria ask.` : 'A first part; the rest follows.';
    const proof = { taskId, note: words, artifacts: [artifact] };
    const { proofHash, document } = await agent.act('submit-proof', proof);
    note(
      isGood ? 'good deliveries' : 'bad deliveries',
      `${agent.name} delivers ${sample.fileName} for ${taskId}`,
    );
    const talk = accepted.find(({ digest }) => digest === task.settlementDigest);
    if (!isPrivate || talk === undefined) return true;
    const payload = { milestone: 0, proofHash, document, keys };
    notices.push({ type: 'DeliveryNotice', root: talk.root, payload });
    return sendNotice();
  }

  /** The words and the key of a private delivery. A gateway that is away gets them later. */
  async function sendNotice(): Promise<boolean> {
    const [notice] = notices;
    if (notice === undefined) return false;
    await agent.call('svc_send_message', { from: agent.address, ...notice });
    notices.shift();
    return true;
  }

  const isSilent = (taskId: string) => quality(taskId) === 'bad' && defence(taskId) === 'silent';

  async function defend(taskId: string): Promise<boolean> {
    if (isSilent(taskId)) return false;
    const { task } = await agent.call('svc_get_task', { taskId });
    const { phase: stage, poster, worker } = task.dispute;
    if (stage === 'ANSWERING') {
      const choice = quality(taskId) === 'good' ? 'answer' : defence(taskId);
      if (phase() === 'late') return false;
      if (choice === 'concede') {
        await agent.act('concede', { taskId });
        note(
          'disputes conceded by workers',
          `${agent.name} sees that the work is not done, and concedes ${taskId}`,
        );
        return true;
      }
      const evidenceText =
        quality(taskId) === 'good'
          ? 'The file has everything that the criteria name.'
          : 'The criteria do not say that all of it is due at once.';
      await agent.act('answer-dispute', { taskId, evidenceText });
      note('disputes answered', `${agent.name} answers the dispute of ${taskId} with a bond`);
      return true;
    }
    const isOpen = stage === 'PROPOSING' && poster.pick !== null;
    if (!isOpen || (worker.pick !== null && isSameAddress(worker.pick, poster.pick))) return false;
    await agent.act('propose-arbitrator', { taskId, arbitrator: poster.pick });
    return true;
  }

  /** Asks for more once, or agrees. Returns whether it signed something. */
  async function answerOffers(): Promise<boolean> {
    const { conversations } = await agent.call('svc_inbox', { ...me, limit: 0 });
    for (const { root, status, untrusted } of conversations) {
      const isNew = ['offered', 'accepted-by-one'].includes(status) && !untrusted.offer?.workerSignature;
      if (!isNew || accepted.some((one) => one.root === root)) continue;
      const amount = BigInt(untrusted.offer.terms.totalAmountTokWei) / 10n ** 18n;
      const from = agent.address;
      let { settlementDigest } = untrusted.offer;
      if (!isSameAddress(untrusted.offer.by, agent.address) && random() < 0.5) {
        const offer = { totalAmountTok: String(amount + 100n) };
        const counter = { from, type: 'TaskCounterOffer', root, offer };
        settlementDigest = (await agent.call('svc_send_message', counter)).settlementDigest;
        note('counter-offers', `${agent.name} asks for ${amount + 100n} TOK instead of ${amount}`);
      }
      await agent.call('svc_send_message', { from, type: 'TaskAcceptance', root, settlementDigest });
      await agent.act('approve-tok-router', { market, amountTok: fee });
      accepted.push({ root, digest: settlementDigest });
      waiting = patience;
      note('offers accepted', `${agent.name} signs the terms of a private task`);
      return true;
    }
    return false;
  }

  return { step };
}
