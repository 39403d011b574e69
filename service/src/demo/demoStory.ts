// The stories of the demo that end in a payment: an open task with a file, and a private one that two agents negotiate.
import { formatTok, marketParameters, SvcError } from '@svc/sdk/domain';
import type { DemoAgent, Reply } from './demoAgent.ts';

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

/** The agents of one story, and what they play it with. */
export type Scene = {
  readonly poster: DemoAgent;
  readonly worker: DemoAgent;
  readonly arbitrator: DemoAgent;
  readonly narrator: Narrator;
  /** Moves the clock of the chain. */
  readonly pass: (seconds: number) => Promise<void>;
};

export const market = 'micro';
const fee = formatTok(marketParameters[market].accessFeeTokWei);

type Work = {
  readonly title: string;
  readonly criteria: string;
  readonly amount: string;
  /** Whether the worker first looks for it among the open tasks. */
  readonly isFound?: boolean;
};
type File = { readonly name: string; readonly text: string };

/** A delivery with a file, which the poster reads before it pays. */
export async function playAccepted(scene: Scene): Promise<void> {
  const { poster, narrator } = scene;
  const taskId = await playToWork(scene, {
    title: 'List the stops of a tram line',
    criteria: 'Every stop, in the order of the line, one in each row.',
    amount: '600',
    isFound: true,
  });
  const file = { name: 'stops.csv', text: 'number,stop\n1,Harbour\n2,Old Market\n3,Observatory\n' };
  await deliver(scene, taskId, file);
  const { task } = await poster.call('svc_get_task', { taskId });
  const [delivery] = task.deliveries;
  await readFile(poster, taskId, delivery.untrustedText.document.artifacts[0], file.text);
  narrator.say(
    poster,
    `reads ${file.name} with a tool: the hash is that of the delivery, the rows are there`,
  );
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  await narrator.show(poster, 'accepts it, and the worker is paid', taskId, 'COMPLETED');
}

/** An agreement over messages, a private task, and an encrypted file. */
export async function playNegotiated({ poster, worker, narrator }: Scene): Promise<void> {
  const { root } = await send(poster, {
    type: 'TaskProposal',
    to: worker.address,
    offer: {
      market,
      title: 'Index a box of letters',
      criteria: 'One row for each letter: date, sender, place, and a summary of a sentence.',
      totalAmountTok: '900',
      deadline: '+3d',
      reviewPeriod: '6h',
    },
  });
  narrator.say(poster, 'proposes 900 TOK for a private task (TaskProposal)');
  const first = await readOffer(worker, root);
  const counter = { type: 'TaskCounterOffer', root, offer: { totalAmountTok: '1200' } };
  const { settlementDigest } = await send(worker, counter);
  narrator.say(worker, `reads the offer of ${amountOf(first)} TOK, and wants 1200 (TaskCounterOffer)`);
  await send(worker, { type: 'TaskAcceptance', root, settlementDigest });
  narrator.say(worker, 'signs these terms (TaskAcceptance)');
  // Creating the task charges the access fee of both parties, so the worker must approve it first.
  await worker.act('approve-tok-router', { market, amountTok: fee });
  narrator.say(worker, `allows the router its access fee of ${fee} TOK`);

  const agreed = await readOffer(poster, root);
  const { taskId } = await poster.act('create-task', {
    root,
    settlementDigest,
    fundNowTok: amountOf(agreed),
  });
  const created = `reads that ${amountOf(agreed)} TOK are signed for, creates the task and puts them into escrow`;
  await narrator.show(poster, created, taskId, 'CLAIMED', ({ fullyFunded }) => fullyFunded);
  const { conversations } = await worker.call('svc_inbox', { address: worker.address, root, limit: 0 });
  if (conversations[0].taskId !== taskId)
    throw new SvcError('TERMS_INVALID', { reason: 'It has no task yet.' });
  const digest = await worker.call('svc_verify_settlement_digest', { root, taskId });
  if (!digest.matches) throw new SvcError('TERMS_INVALID', { reason: digest.problems.join(' ') });
  narrator.say(worker, 'recomputes the digest: chain and conversation say the same');
  await poster.act('start-work', { taskId });
  await narrator.show(poster, 'starts the work', taskId, 'ACTIVE');

  const file = { name: 'letters.csv', text: 'date,sender\n1820-04-02,Anna\n1821-11-30,Karl\n' };
  await attach(worker, taskId, file, true);
  const note = `${file.name}, two letters.`;
  await worker.act('submit-proof', { taskId, note, artifacts: [file.name] });
  const what = `encrypts ${file.name} and delivers its hash; words and key go to the poster as a message`;
  await narrator.show(worker, what, taskId, 'DELIVERED');
  const { work } = await poster.call('svc_inbox', { address: poster.address, root, taskId, limit: 0 });
  const received = work.find(({ kind }: Reply) => kind === 'delivery');
  await readFile(poster, taskId, received.files[0], file.text);
  narrator.say(poster, `finds the delivery in its messages (${received.documentState}) and opens the file`);
  await poster.act('accept-milestone', { taskId, milestone: '0' });
  await narrator.show(poster, 'accepts it, and the worker is paid', taskId, 'COMPLETED');
}

function send(agent: DemoAgent, message: Readonly<Record<string, unknown>>): Promise<Reply> {
  return agent.call('svc_send_message', { from: agent.address, ...message });
}

async function readOffer(agent: DemoAgent, root: string): Promise<Reply> {
  const { conversations } = await agent.call('svc_inbox', { address: agent.address, root, limit: 0 });
  return conversations[0].untrusted.offer;
}

function amountOf({ terms }: Reply): string {
  return formatTok(BigInt(terms.totalAmountTokWei));
}

/** An open task that is posted with its money, claimed and started. */
export async function playToWork(
  scene: Scene,
  { title, criteria, amount, isFound = false }: Work,
): Promise<string> {
  const { poster, narrator } = scene;
  const { taskId } = await poster.act('post-task', {
    market,
    title,
    description: 'The files are in the usual place.',
    criteria,
    totalAmountTok: amount,
    fundNowTok: amount,
    deadline: '+2d',
    reviewPeriod: '6h',
  });
  await narrator.show(poster, `posts «${title}» and funds it at once`, taskId, 'POSTED');
  await claim(scene, taskId, isFound);
  await poster.act('start-work', { taskId });
  await narrator.show(poster, 'starts the work', taskId, 'ACTIVE');
  return taskId;
}

async function claim({ worker, narrator }: Scene, taskId: string, isFound: boolean): Promise<void> {
  if (isFound) await find(worker, narrator, taskId);
  await worker.act('claim-task', { taskId });
  await narrator.show(worker, 'claims it', taskId, 'CLAIMED');
}

async function find(worker: DemoAgent, narrator: Scene['narrator'], taskId: string): Promise<void> {
  const { tasks } = await worker.call('svc_list_open_tasks', { market, limit: 5 });
  const isListed = tasks.some(({ id }: Reply) => id === taskId);
  const { task } = await worker.call('svc_get_task', { taskId });
  const { criteria } = task.untrustedText;
  narrator.say(worker, `${isListed ? 'finds it in the list of open tasks' : 'reads it'}. «${criteria}»`);
  await worker.act('approve-tok-router', { market, amountTok: fee });
  narrator.say(worker, `allows the router its access fee of ${fee} TOK`);
}

export async function deliver({ worker, narrator }: Scene, taskId: string, file: File): Promise<void> {
  await attach(worker, taskId, file, false);
  await worker.act('submit-proof', { taskId, note: `${file.name}, as agreed.`, artifacts: [file.name] });
  await narrator.show(worker, `uploads ${file.name} and delivers it with a note`, taskId, 'DELIVERED');
}

/** Uploads a file for the task; sealed for a private one. */
export async function attach(
  agent: DemoAgent,
  taskId: string,
  { name, text }: File,
  seal: boolean,
): Promise<Reply> {
  agent.writeFile(name, text);
  return agent.call('svc_attach_file', { path: name, taskId, from: agent.address, seal });
}

/** Reads a file of a document, and fails unless it is the one that was delivered. */
export async function readFile(
  agent: DemoAgent,
  taskId: string,
  { name }: Reply,
  expected: string,
): Promise<void> {
  const { verified, untrustedText } = await agent.call('svc_read_file', { taskId, name });
  if (!verified || untrustedText?.text !== expected) throw new SvcError('HASH_MISMATCH', {});
}
