// First chapter: two agents negotiate a task, agree, and carry it out to the last milestone.
import { randomUUID } from 'node:crypto';
import { formatTok, SvcError, verifyPlainAccount } from '@svc/sdk/domain';
import { formatWire, readNegotiation, verifyTranscript } from '@svc/sdk/negotiation';
import { createAcceptance } from '../acceptance.ts';
import type { Answer, Player } from './player.ts';
import type { Told } from './told.ts';
import { waitFor } from './waitFor.ts';

const market = 'micro';
const title = 'Index a box of letters';
const criteriaText = 'One row for each letter: date, sender, place, and a summary of a sentence.';
const day = 86_400;

export async function playNegotiated(poster: Player, worker: Player, told: Told): Promise<void> {
  const negotiationId = randomUUID();
  const buildTerms = (player: Player, amounts: readonly string[]): Promise<Answer> =>
    player.call('svc_build_task_terms', {
      market,
      poster: poster.address,
      worker: worker.address,
      title,
      criteriaText,
      milestones: amounts,
      deadline: '+3d',
      reviewPeriod: '6h',
      negotiationId,
    });
  const offer = async (player: Player, type: string, amounts: readonly string[], other: Player) => {
    const { terms, settlementDigest } = await buildTerms(player, amounts);
    const expiresAt = Math.min(Math.floor(Date.now() / 1_000) + day, terms.acceptBy);
    const payload = { terms, settlementDigest, expiresAt };
    await player.mailbox.agent.send(
      { type, negotiationId, payload },
      player.account.signTypedData,
      other.address,
    );
    await other.mailbox.agent.receive();
    const word = type === 'TaskProposal' ? 'proposes' : 'wants';
    const digest = settlementDigest.slice(0, 10);
    told.say(player, `${word} ${amounts.join(' + ')} TOK for two milestones (${type}, digest ${digest}…)`);
  };

  await offer(poster, 'TaskProposal', ['400', '500'], worker);
  await check(worker, negotiationId, told);
  await offer(worker, 'TaskCounterOffer', ['500', '700'], poster);
  await check(poster, negotiationId, told);
  // Whoever creates the task makes both pay their access fee: the other one has to allow that beforehand.
  await worker.act('approve-tok-router', { market, amountTok: '1000' });
  told.say(worker, 'allows the router its access fee of 1000 TOK');
  await accept(worker, negotiationId, poster, told);
  await accept(poster, negotiationId, worker, told);

  const agreement = stateOf(poster, negotiationId).agreement;
  if (agreement === null) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
  const { uri } = await buildTerms(poster, ['500', '700']);
  const { terms, workerSignature } = agreement;
  const made = await poster.act('create-task', { terms, workerSignature, uri });
  const taskId = await findTask(poster, made.settlementDigest);
  await told.show(poster, 'creates the task with both signatures', taskId, 'CLAIMED');
  await poster.act('fund-task', { taskId, amountTok: formatTok(BigInt(terms.totalAmountTokWei)) });
  await told.show(poster, 'puts the whole amount into escrow', taskId, 'CLAIMED', isFunded);
  await poster.act('start-work', { taskId });
  await told.show(poster, 'starts the work', taskId, 'ACTIVE');

  await deliver(worker, taskId, 'letters-1820-1850.csv', told);
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  await told.show(poster, 'accepts the first milestone, which is paid', taskId, 'ACTIVE');
  await deliver(worker, taskId, 'letters-1851-1890.csv', told);
  await poster.act('complete-task', { taskId });
  await told.show(poster, 'completes the task: all is paid, both bonds are free', taskId, 'COMPLETED');

  await verify(worker, negotiationId, agreement.settlementDigest, taskId, told);
}

const isFunded = (task: Answer) => task.fullyFunded;

function stateOf(player: Player, negotiationId: string) {
  const transcript = player.mailbox.agent.findTranscript(negotiationId);
  if (transcript === undefined) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
  return readNegotiation(transcript);
}

/** Nobody signs what a digest does not bind. */
async function check(player: Player, negotiationId: string, told: Told): Promise<void> {
  const { offer } = stateOf(player, negotiationId);
  const { matches, problems } = await player.call('svc_verify_settlement_digest', {
    terms: offer?.terms,
    settlementDigest: offer?.settlementDigest,
  });
  if (!matches) throw new SvcError('TERMS_INVALID', { reason: problems.join(' ') });
  told.say(player, 'recomputes the digest of the offer: it binds what it shows');
}

async function accept(player: Player, negotiationId: string, other: Player, told: Told): Promise<void> {
  const payload = createAcceptance(player.account);
  const message = { type: 'TaskAcceptance', negotiationId, payload };
  await player.mailbox.agent.send(message, player.account.signTypedData);
  await other.mailbox.agent.receive();
  told.say(player, 'accepts: signs the terms (TaskAcceptance)');
}

function findTask(poster: Player, settlementDigest: string): Promise<string> {
  return waitFor('the task that was created', async () => {
    const { tasks } = await poster.call('svc_list_tasks_by_poster', {
      address: poster.address,
      market,
      limit: 5,
    });
    return tasks.find((one: Answer) => one.settlementDigest === settlementDigest)?.id;
  });
}

export async function deliver(worker: Player, taskId: string, file: string, told: Told): Promise<void> {
  const { proofHash } = await worker.call('svc_prepare', {
    action: 'prepare-receipt',
    arguments: { taskId, artifacts: [{ name: file, hash: `0x${'5e'.repeat(32)}` }] },
  });
  await worker.act('submit-proof', { taskId, proofHash, uri: `https://work.example/${file}` });
  await told.show(worker, `delivers ${file} with a work receipt`, taskId, 'DELIVERED');
}

async function verify(
  player: Player,
  negotiationId: string,
  settlementDigest: string,
  taskId: string,
  told: Told,
): Promise<void> {
  const transcript = player.mailbox.agent.findTranscript(negotiationId);
  const texts = transcript?.entries.map(formatWire) ?? [];
  const { findings } = await verifyTranscript(texts, { now: new Date(), verify: verifyPlainAccount });
  const { terms } = stateOf(player, negotiationId).agreement ?? {};
  const digest = await player.call('svc_verify_settlement_digest', { terms, settlementDigest, taskId });
  if (texts.length === 0 || findings.length > 0 || !digest.matches)
    throw new SvcError('TERMS_INVALID', {
      reason: [...findings.map(({ refusal }) => refusal.detail), ...digest.problems].join(' '),
    });
  told.say(player, `verifies ${texts.length} envelopes and the digest: chain and transcript say the same`);
}
