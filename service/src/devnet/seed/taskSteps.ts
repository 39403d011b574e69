// The steps of a task as actions of the catalog, and the terms and documents that they name.

import { createActionReads, createClientAsker, type MarketAccess, type WriteAction } from '@svc/sdk/actions';
import type { Call, Deployment } from '@svc/sdk/chain';
import { signDocument } from '@svc/sdk/client';
import { type Artifact, buildInlineDocument, buildTaskDocument } from '@svc/sdk/documents';
import { type Address, formatTaskId, parseTok, type Task, type TaskKey } from '@svc/sdk/domain';
import type { CallsDraft, SignatureDraft } from '@svc/sdk/internal/actions/action';
import { requireAction } from '@svc/sdk/internal/actions/catalog';
import { buildContext, parseArguments } from '@svc/sdk/internal/actions/prepareAction';
import { requireTask } from '@svc/sdk/internal/actions/reads';
import { contractsOfBoth } from '@svc/sdk/internal/chain/contracts';
import { buildAgreementTypedData } from '@svc/sdk/internal/rules/terms';
import { buildOffer, type TermsDocument } from '@svc/sdk/negotiation';
import { type Hex, keccak256, type PublicClient, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Account, type AccountName, accountOf, accounts } from '../accounts.ts';
import type { DevTransaction } from '../transactions.ts';
import { buildArtifact, listFiles } from './seedFiles.ts';
import { day, parseAgo, type TaskStep, type TaskStory } from './story.ts';

type StepContext = {
  readonly deployment: Deployment;
  readonly publicClient: PublicClient;
  readonly story: TaskStory;
  /** The number of the task on its registry; unused by `post` and `create`. */
  readonly taskId: bigint;
  /** Unix seconds of the block that will hold the step. */
  readonly at: number;
};

export async function buildTaskStep(context: StepContext, step: TaskStep): Promise<DevTransaction> {
  const { deployment, publicClient, story, at } = context;
  const key = { market: story.market, number: context.taskId };
  const access = createAccess(publicClient, deployment);
  const poster = accountOf(story.poster).address;
  if (step[0] === 'post')
    return buildAction(access, 'post-task', { ...toPostArguments(context, step[1]), from: poster }, at);
  if (step[0] === 'create') {
    const worker = accountOf(step[1]);
    const terms = buildTerms(context, worker.address);
    const { document } = buildWords(story);
    const workerSignature = await signTerms(terms, worker);
    const args = { terms: { terms, document }, workerSignature, fundNowTok: String(step[2]), from: poster };
    return buildAction(access, 'create-task', args, at);
  }
  const task = await requireTask(access.reads, key);
  const known = { ...access, reads: { ...access.reads, readTask: async () => task } };
  const taskId = formatTaskId(key);
  if (step[0] === 'settle') {
    const split = { taskId, workerBps: String(step[1]), validUntil: String(at + day) };
    const worker = accounts.find(({ address }) => address === task.worker) as Account;
    const signing = { ...split, sign: true, from: worker.address };
    const { typedData } = (await buildDraft(known, 'mutual-settle', signing, at)) as SignatureDraft;
    const workerSignature = await signDocument(privateKeyToAccount(worker.privateKey), typedData);
    return buildAction(known, 'mutual-settle', { ...split, workerSignature, from: poster }, at);
  }
  const [action, args, from] = toAction(story, task, step);
  return buildAction(known, action, { ...args, taskId, from }, at);
}

/** What actions read of this chain; it has no posting quota. */
function createAccess(publicClient: PublicClient, deployment: Deployment): MarketAccess {
  const contracts = contractsOfBoth(deployment);
  const reads = createActionReads(createClientAsker(publicClient), contracts);
  return { chainId: deployment.chainId, contracts, reads, readQuota: async () => null };
}

type ActionArguments = { readonly from: Address; readonly [name: string]: unknown };

/** The transaction of an action of the catalog in a block of that time. Approvals are left to the story. */
async function buildAction(
  access: MarketAccess,
  name: string,
  args: ActionArguments,
  at: number,
): Promise<DevTransaction> {
  const { encoded } = (await buildDraft(access, name, args, at)) as CallsDraft;
  const { to, data } = encoded.calls[0] as Call;
  return { from: args.from, to, data };
}

async function buildDraft(
  access: MarketAccess,
  name: string,
  args: ActionArguments,
  at: number,
): Promise<CallsDraft | SignatureDraft> {
  const action = requireAction(name) as WriteAction;
  const parsed = parseArguments(action, args);
  const reads = { ...access.reads, readNow: async () => at };
  const task = parsed.taskId === undefined ? null : await requireTask(reads, parsed.taskId as TaskKey);
  const context = { ...buildContext(parsed, { ...access, reads }), from: args.from, task };
  return action.build(parsed as never, context as never);
}

type SimpleStep = Exclude<TaskStep, readonly ['post' | 'create' | 'settle', ...unknown[]]>;

function toAction(
  story: TaskStory,
  task: Task,
  step: SimpleStep,
): readonly [action: string, args: object, from: Address] {
  const addressOf = (name: AccountName) => accountOf(name).address;
  const sides = { poster: addressOf(story.poster), worker: task.worker as Address };
  const { poster, worker } = sides;
  const artifacts = buildArtifacts(story, step);
  switch (step[0]) {
    case 'claim':
      return ['claim-task', {}, addressOf(step[1])];
    case 'fund':
      return ['fund-task', { amountTok: String(step[1]) }, poster];
    case 'start':
      return ['start-work', {}, sides[step[1] ?? 'poster']];
    case 'deliver':
      return ['submit-proof', { note: step[1], artifacts }, worker];
    case 'accept':
      return ['accept-milestone', {}, poster];
    case 'complete':
      return ['complete-task', {}, poster];
    case 'leave':
      return ['leave-task', {}, worker];
    case 'notice':
      return ['give-dismiss-notice', {}, poster];
    case 'dismiss':
      return ['dismiss-worker', {}, poster];
    case 'extend':
      return ['extend-deadline', { deadline: String(task.deadline + parseAgo(step[1])) }, poster];
    case 'cancel':
      return ['cancel-task', {}, poster];
    case 'dispute':
      return ['open-dispute', { evidenceText: step[1], artifacts }, poster];
    case 'answer': {
      const [, how, evidenceText] = step;
      // A sponsor pays, and leaves the words to the worker.
      if (how !== 'bond' && how !== 'noBond') return ['answer-dispute', {}, addressOf(how)];
      return ['answer-dispute', { withoutBond: how === 'noBond', evidenceText, artifacts }, worker];
    }
    case 'evidence':
      return ['submit-evidence', { evidenceText: step[2], artifacts }, sides[step[1]]];
    case 'propose':
      return ['propose-arbitrator', { arbitrator: addressOf(step[2]) }, sides[step[1]]];
    case 'rule':
      return ['resolve-dispute', { workerBps: String(step[2]), reasonText: step[3] }, addressOf(step[1])];
    case 'concede':
      return ['concede', {}, sides[step[1]]];
    // Anyone may call a timed exit.
    case 'escalate':
      return ['escalate', {}, addressOf('operator')];
    case 'timeOut':
    case 'timeOutDispute':
      return ['resolve-timed-out', {}, addressOf('operator')];
  }
}

function toPostArguments({ story, at }: StepContext, fundNow: number) {
  const { market, title, description, criteria, tags, parts, due, review } = story;
  return {
    market,
    title,
    description,
    criteria,
    tags: [...tags],
    milestones: amountsOf(story).map((amount, index) => ({
      amountTokWei: String(amount),
      description: parts?.[index] ?? '',
    })),
    deadline: String(at + parseAgo(due)),
    reviewPeriod: String(parseAgo(review)),
    fundNowTok: String(fundNow),
  };
}

/** The terms of a task that is created at `at`, as its parties agree on them. */
export function buildTerms(
  { deployment, story, at }: Pick<StepContext, 'deployment' | 'story' | 'at'>,
  worker: Address,
): TermsDocument {
  const { market } = story;
  const place = { chainId: deployment.chainId, registry: deployment.markets[market].taskRegistry };
  const given = {
    market,
    poster: accountOf(story.poster).address,
    worker,
    milestones: amountsOf(story).map((amount) => ({ amountTokWei: String(amount) })),
    criteriaHash: buildWords(story).hash,
    deadline: String(at + parseAgo(story.due)),
    reviewPeriod: String(parseAgo(story.review)),
    scope: story.scope,
    negotiationId: negotiationIdOf(story),
    acceptBy: String(at + day),
  };
  return buildOffer(given, place, { now: at }).terms;
}

function amountsOf({ pays }: TaskStory): bigint[] {
  return pays.map((amount) => parseTok(String(amount)));
}

export function signTerms(document: TermsDocument, { privateKey }: Account): Promise<Hex> {
  return signDocument(privateKeyToAccount(privateKey), buildAgreementTypedData(document));
}

/** A UUID that only this story has. */
export function negotiationIdOf({ key }: TaskStory): string {
  const digits = keccak256(stringToBytes(`${key}/negotiation`)).slice(2);
  // Version 8 is for ids of one's own making.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** The document of a delivery. */
export function buildDelivery(
  story: TaskStory,
  number: bigint,
  milestone: number,
  step: Extract<TaskStep, readonly ['deliver', ...unknown[]]>,
) {
  return buildInlineDocument('svc-delivery-v1', {
    taskId: formatTaskId({ market: story.market, number }),
    milestone,
    note: step[1],
    artifacts: buildArtifacts(story, step),
  });
}

function buildArtifacts(story: TaskStory, step: TaskStep): Artifact[] {
  return listFiles(step).map((name) => buildArtifact(story, name));
}

/** The document of a task. Of a private one, a number that only this story has keeps its hash from being guessed. */
export function buildWords(story: TaskStory) {
  const { key, title, description, criteria, tags, pays, parts } = story;
  const milestones = pays.length === 1 ? [] : pays.map((_, index) => parts?.[index] ?? '');
  const blind = story.scope === 'private' ? keccak256(stringToBytes(`${key}/blind`)) : undefined;
  return buildTaskDocument({ title, description, criteria, milestones, tags, blind });
}
