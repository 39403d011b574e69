// The first chapter of the demo: a task that two agents negotiate, work on and pay.
import { randomUUID } from 'node:crypto';
import { formatTok, marketParameters, SvcError, verifyPlainAccount } from '@svc/sdk/domain';
import { formatWire, headOf, readNegotiation, verifyTranscript } from '@svc/sdk/negotiation';
import { type DemoAgent, type Reply, waitFor } from './demoAgent.ts';
import { createAcceptance, findTranscript } from './negotiation.ts';

/** Shows the story, step by step. */
export type Narrator = {
  readonly say: (agent: DemoAgent, what: string) => void;
  /** Waits until the site shows the task in this state and `isShown` is true, then shows the step and the balances. */
  readonly show: (
    agent: DemoAgent,
    what: string,
    taskId: string,
    state: string,
    isShown?: (task: Reply) => boolean,
  ) => Promise<void>;
};

const market = 'micro';
const title = 'Index a box of letters';
const criteriaText = 'One row for each letter: date, sender, place, and a summary of a sentence.';

/** Two agents negotiate a task, agree, and complete all its milestones. */
export async function playNegotiated(
  poster: DemoAgent,
  worker: DemoAgent,
  narrator: Narrator,
): Promise<void> {
  const negotiationId = randomUUID();
  const buildTerms = (agent: DemoAgent, amounts: readonly string[]): Promise<Reply> =>
    agent.call('svc_build_task_terms', {
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
  const offer = async (agent: DemoAgent, type: string, amounts: readonly string[], other: DemoAgent) => {
    const { terms, document, settlementDigest } = await buildTerms(agent, amounts);
    const payload = { terms, document, settlementDigest, expiresAt: terms.acceptBy };
    await agent.mailbox.agent.send(
      { type, negotiationId, payload },
      agent.account.signTypedData,
      other.address,
    );
    await other.mailbox.agent.receive();
    const word = type === 'TaskProposal' ? 'proposes' : 'counters with';
    const digest = settlementDigest.slice(0, 10);
    narrator.say(agent, `${word} ${amounts.join(' + ')} TOK for two milestones (${type}, digest ${digest}…)`);
  };

  await offer(poster, 'TaskProposal', ['400', '500'], worker);
  await check(worker, negotiationId, narrator);
  await offer(worker, 'TaskCounterOffer', ['500', '700'], poster);
  await check(poster, negotiationId, narrator);
  // Creating the task charges the access fee of both parties, so the worker must approve it first.
  const fee = formatTok(marketParameters[market].accessFeeTokWei);
  await worker.act('approve-tok-router', { market, amountTok: fee });
  narrator.say(worker, `allows the router its access fee of ${fee} TOK`);
  await accept(worker, negotiationId, poster, narrator);
  await accept(poster, negotiationId, worker, narrator);

  const agreement = stateOf(poster, negotiationId).agreement;
  if (agreement === null) throw new SvcError('NEGOTIATION_NOT_FOUND', { negotiationId });
  const { terms, document, workerSignature } = agreement;
  const made = await poster.act('create-task', { terms: { terms, document }, workerSignature });
  const taskId = await findTask(poster, made.settlementDigest);
  await narrator.show(poster, 'creates the task with both signatures', taskId, 'CLAIMED');
  await poster.act('fund-task', { taskId, amountTok: formatTok(BigInt(terms.totalAmountTokWei)) });
  await narrator.show(poster, 'puts the whole amount into escrow', taskId, 'CLAIMED', isFunded);
  await poster.act('start-work', { taskId });
  await narrator.show(poster, 'starts the work', taskId, 'ACTIVE');

  await deliver(worker, taskId, 'letters-1820-1850.csv', narrator);
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  await narrator.show(poster, 'accepts the first milestone, which is paid', taskId, 'ACTIVE');
  await deliver(worker, taskId, 'letters-1851-1890.csv', narrator);
  await poster.act('complete-task', { taskId });
  await narrator.show(poster, 'completes the task: all is paid, both bonds are free', taskId, 'COMPLETED');

  await verify(worker, negotiationId, agreement.settlementDigest, taskId, narrator);
}

const isFunded = (task: Reply) => task.fullyFunded;

function stateOf({ mailbox }: DemoAgent, negotiationId: string) {
  return readNegotiation(findTranscript(mailbox, negotiationId));
}

/** Verifies that the digest binds the terms before anyone signs. */
async function check(agent: DemoAgent, negotiationId: string, narrator: Narrator): Promise<void> {
  const { offer } = stateOf(agent, negotiationId);
  const { matches, problems } = await agent.call('svc_verify_settlement_digest', {
    terms: offer?.terms,
    settlementDigest: offer?.settlementDigest,
  });
  if (!matches) throw new SvcError('TERMS_INVALID', { reason: problems.join(' ') });
  narrator.say(agent, 'recomputes the digest of the offer: it binds what it shows');
}

async function accept(
  agent: DemoAgent,
  negotiationId: string,
  other: DemoAgent,
  narrator: Narrator,
): Promise<void> {
  const payload = createAcceptance(agent.account);
  const message = { type: 'TaskAcceptance', negotiationId, payload };
  await agent.mailbox.agent.send(message, agent.account.signTypedData);
  await other.mailbox.agent.receive();
  narrator.say(agent, 'accepts: signs the terms (TaskAcceptance)');
}

function findTask(poster: DemoAgent, settlementDigest: string): Promise<string> {
  return waitFor('the task that was created', async () => {
    const { tasks } = await poster.call('svc_list_tasks_by_poster', {
      address: poster.address,
      market,
      limit: 5,
    });
    return tasks.find((one: Reply) => one.settlementDigest === settlementDigest)?.id;
  });
}

export async function deliver(
  worker: DemoAgent,
  taskId: string,
  file: string,
  narrator: Narrator,
): Promise<void> {
  await worker.act('submit-proof', {
    taskId,
    note: `${file}, as agreed.`,
    links: [`https://work.example/${file}`],
    artifacts: [
      { name: file, mediaType: 'application/octet-stream', bytes: 48_211, sha256: '5e'.repeat(32) },
    ],
  });
  await narrator.show(worker, `delivers ${file} with a note and its hash`, taskId, 'DELIVERED');
}

async function verify(
  agent: DemoAgent,
  negotiationId: string,
  settlementDigest: string,
  taskId: string,
  narrator: Narrator,
): Promise<void> {
  const { entries } = findTranscript(agent.mailbox, negotiationId);
  const texts = entries.map(formatWire);
  const { hash: head } = headOf({ entries });
  const { findings } = await verifyTranscript(texts, { now: new Date(), verify: verifyPlainAccount, head });
  const { terms } = stateOf(agent, negotiationId).agreement ?? {};
  const digest = await agent.call('svc_verify_settlement_digest', { terms, settlementDigest, taskId });
  if (texts.length === 0 || findings.length > 0 || !digest.matches)
    throw new SvcError('TERMS_INVALID', {
      reason: [...findings.map(({ refusal }) => refusal.detail), ...digest.problems].join(' '),
    });
  narrator.say(agent, `verifies ${texts.length} envelopes and the digest: chain and transcript say the same`);
}
