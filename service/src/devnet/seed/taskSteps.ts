// Transactions of the steps of a task: what each reads from the chain, hashes and signs.
import { disputeCourtAbi, taskRegistryAbi } from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import { buildInlineDocument, buildTaskDocument } from '@svc/sdk/documents';
import { type Address, buildTermsTypedData, formatTaskId, isSameAddress, parseTok } from '@svc/sdk/domain';
import { nameEvidence } from '@svc/sdk/internal/documents/buildDocument';
import { indexOf, scopes } from '@svc/sdk/internal/domain/state';
import { buildTermsDocument, toContractTerms } from '@svc/sdk/negotiation';
import type { Artifact, TermsDocument } from '@svc/sdk/schemas';
import { type Hex, keccak256, type PublicClient, stringToBytes } from 'viem';
import { privateKeyToAccount, serializeSignature, sign } from 'viem/accounts';
import { type Account, accountOf, accounts } from '../accounts.ts';
import { buildTransaction, type DevTransaction } from '../transactions.ts';
import { buildArtifact, listFiles } from './seedFiles.ts';
import { day, parseAgo, type Side, type TaskStep, type TaskStory } from './story.ts';

export type StepContext = {
  readonly deployment: Deployment;
  readonly publicClient: PublicClient;
  readonly story: TaskStory;
  /** The number of the task on its registry; unused by `post` and `create`. */
  readonly taskId: bigint;
  /** Unix seconds of the block that will hold the step. */
  readonly at: number;
};

export async function buildTaskStep(context: StepContext, step: TaskStep): Promise<DevTransaction> {
  const { taskId, story } = context;
  const registry = registryOf(context);
  const contracts = context.deployment.markets[story.market];
  const court = { address: contracts.disputeCourt, abi: disputeCourtAbi };
  const poster = accountOf(story.poster).address;
  // Anyone may call a timed exit.
  const anyone = accountOf('operator').address;
  switch (step[0]) {
    case 'post':
      return buildTransaction(poster, registry, 'postTask', [buildPost(context, step[1])]);
    case 'create': {
      const args = await buildCreate(context, accountOf(step[1]), step[2]);
      return buildTransaction(poster, registry, 'createTask', args);
    }
    case 'claim': {
      const worker = accountOf(step[1]).address;
      const args = [taskId, worker] as const;
      const digest = await context.publicClient.readContract({
        ...registry,
        functionName: 'openDigest',
        args,
      });
      return buildTransaction(worker, registry, 'claimTask', [taskId, digest]);
    }
    case 'fund':
      return buildTransaction(poster, registry, 'fundTask', [taskId, tok(step[1])]);
    case 'start': {
      const { worker, settlementDigest } = await readTask(context);
      const from = step[1] === 'worker' ? worker : poster;
      return buildTransaction(from, registry, 'startWork', [taskId, settlementDigest]);
    }
    case 'deliver': {
      const { worker, milestone } = await readTask(context);
      const { hash, uri } = buildDelivery(story, taskId, milestone, step);
      // The words of a private task stay between its parties.
      const place = story.scope === 'private' ? '' : uri;
      return buildTransaction(worker, registry, 'submitProof', [taskId, milestone, hash, place]);
    }
    case 'accept': {
      const { milestone, updatedAt } = await readTask(context);
      return buildTransaction(poster, registry, 'acceptMilestone', [taskId, milestone, updatedAt]);
    }
    case 'complete':
      return buildTransaction(poster, registry, 'completeTask', [taskId, await readDigest(context)]);
    case 'leave': {
      const { worker, state } = await readTask(context);
      return buildTransaction(worker, registry, 'leaveTask', [taskId, state]);
    }
    case 'notice':
      return buildTransaction(poster, registry, 'giveDismissNotice', [taskId, await readDigest(context)]);
    case 'dismiss':
      return buildTransaction(poster, registry, 'dismissWorker', [taskId, await readDigest(context)]);
    case 'extend': {
      const deadline = (await readTask(context)).deadline + BigInt(parseAgo(step[1]));
      return buildTransaction(poster, registry, 'extendDeadline', [taskId, deadline]);
    }
    case 'cancel':
      return buildTransaction(poster, registry, 'cancelTask', [taskId]);
    case 'timeOut':
      return buildTransaction(anyone, registry, 'resolveTimedOut', [taskId]);
    case 'dispute': {
      const { updatedAt } = await readTask(context);
      const args = [taskId, updatedAt, ...writeEvidence(context, step, step[1])] as const;
      return buildTransaction(poster, registry, 'openDispute', args);
    }
    case 'answer': {
      const [, how, evidence] = step;
      const isSponsored = how !== 'bond' && how !== 'noBond';
      const from = isSponsored ? accountOf(how).address : await readParty(context, 'worker');
      return buildTransaction(from, court, 'answerDispute', [
        taskId,
        how !== 'noBond',
        ...writeEvidence(context, step, evidence),
      ]);
    }
    case 'evidence': {
      const args = [taskId, ...writeEvidence(context, step, step[2])] as const;
      return buildTransaction(await readParty(context, step[1]), court, 'submitEvidence', args);
    }
    case 'propose': {
      const args = [taskId, accountOf(step[2]).address] as const;
      return buildTransaction(await readParty(context, step[1]), court, 'proposeArbitrator', args);
    }
    case 'rule': {
      const args = [taskId, step[2], ...writeReasons(context, step[2], step[3])] as const;
      return buildTransaction(accountOf(step[1]).address, court, 'resolveDispute', args);
    }
    case 'concede': {
      const phase = await context.publicClient.readContract({
        ...court,
        functionName: 'phaseOf',
        args: [taskId],
      });
      return buildTransaction(await readParty(context, step[1]), court, 'concede', [taskId, phase]);
    }
    case 'escalate':
      return buildTransaction(anyone, court, 'escalate', [taskId]);
    case 'timeOutDispute':
      return buildTransaction(anyone, court, 'resolveTimedOut', [taskId]);
    case 'settle':
      return buildTransaction(poster, court, 'mutualSettle', await buildSettlement(context, step[1]));
  }
}

function buildPost(context: StepContext, fundNow: number) {
  const { story } = context;
  const offer = buildOffer(context);
  return {
    ...offer,
    deadline: BigInt(offer.deadline),
    milestones: listMilestones(story),
    uri: buildUri(story),
    fundNow: tok(fundNow),
  };
}

type Offer = Pick<StepContext, 'deployment' | 'story' | 'at'>;

/** The terms of a task that is created at `at`, as its parties agree on them. */
export function buildTerms({ deployment, story, at }: Offer, worker: Address): TermsDocument {
  return buildTermsDocument({
    ...buildOffer({ story, at }),
    market: story.market,
    place: { chainId: deployment.chainId, registry: deployment.markets[story.market].taskRegistry },
    poster: accountOf(story.poster).address,
    worker,
    milestones: listMilestones(story).map((amount) => ({ amount })),
    scope: story.scope ?? 'open',
    negotiationId: negotiationIdOf(story),
    acceptBy: at + day,
  });
}

/** A UUID that only this story has. */
export function negotiationIdOf({ key }: TaskStory): string {
  const digits = keccak256(stringToBytes(`${key}/negotiation`)).slice(2);
  // Version 8 is for ids of one's own making.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** The arguments of `createTask`, sent by the poster with the worker's signature. */
async function buildCreate(context: StepContext, worker: Account, fundNow: number) {
  const { terms, place } = toContractTerms(buildTerms(context, worker.address));
  const signer = privateKeyToAccount(worker.privateKey);
  const workerSig = await signer.signTypedData(buildTermsTypedData(terms, place));
  const encoded = { ...terms, scope: indexOf(scopes, terms.scope) };
  const { story } = context;
  return [encoded, listMilestones(story), '0x', workerSig, buildUri(story), tok(fundNow)] as const;
}

/** The arguments of `mutualSettle`, sent by the poster with the worker's signature. */
async function buildSettlement(context: StepContext, workerBps: number) {
  const { publicClient, taskId, at } = context;
  const validUntil = BigInt(at + day);
  const args = [taskId, workerBps, validUntil] as const;
  const [{ worker }, hash] = await Promise.all([
    readTask(context),
    publicClient.readContract({ ...registryOf(context), functionName: 'hashSettlement', args }),
  ]);
  const { privateKey } = accounts.find(({ address }) => isSameAddress(address, worker)) as Account;
  const workerSig = serializeSignature(await sign({ hash, privateKey }));
  return [taskId, workerBps, validUntil, '0x', workerSig] as const;
}

function buildOffer({ story, at }: Pick<StepContext, 'story' | 'at'>) {
  return {
    totalAmount: tok(story.pays.reduce((sum, amount) => sum + amount)),
    criteriaHash: buildWords(story).hash,
    deadline: at + parseAgo(story.due),
    reviewPeriod: parseAgo(story.review),
  };
}

function registryOf({ deployment, story }: StepContext) {
  return { address: deployment.markets[story.market].taskRegistry, abi: taskRegistryAbi } as const;
}

async function readParty(context: StepContext, side: Side): Promise<Address> {
  return side === 'poster' ? accountOf(context.story.poster).address : (await readTask(context)).worker;
}

function readTask(context: StepContext) {
  const { publicClient, taskId } = context;
  return publicClient.readContract({ ...registryOf(context), functionName: 'getTask', args: [taskId] });
}

async function readDigest(context: StepContext): Promise<Hex> {
  return (await readTask(context)).settlementDigest;
}

/** Evidence as the contracts take it: the hash of its document, and the document itself. */
function writeEvidence(
  context: StepContext,
  step: TaskStep,
  description: string,
): readonly [hash: Hex, uri: string] {
  const fields = {
    taskId: nameTask(context),
    name: nameEvidence(description),
    description,
    artifacts: buildArtifacts(context.story, step),
  };
  const { hash, uri } = buildInlineDocument('svc-evidence-v1', fields);
  // The words of a private task stay between its parties.
  return [hash, context.story.scope === 'private' ? '' : uri];
}

function writeReasons(
  context: StepContext,
  workerBps: number,
  reasons: string,
): readonly [hash: Hex, uri: string] {
  const taskId = nameTask(context);
  const { hash, uri } = buildInlineDocument('svc-ruling-v1', { taskId, workerBps, reasons });
  return [hash, context.story.scope === 'private' ? '' : uri];
}

function nameTask({ taskId, story }: StepContext) {
  return formatTaskId({ market: story.market, number: taskId });
}

/** A number that only this story has. */
function hashName({ key }: TaskStory, name: string): Hex {
  return keccak256(stringToBytes(`${key}/${name}`));
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

/** The contracts take a single milestone as an empty list. */
function listMilestones({ pays }: TaskStory): bigint[] {
  return pays.length === 1 ? [] : pays.map(tok);
}

/** The document of a task. */
export function buildWords(story: TaskStory) {
  const { title, description, criteria, tags, pays, parts } = story;
  const milestones = pays.length === 1 ? [] : pays.map((_, index) => parts?.[index] ?? '');
  const blind = story.scope === 'private' ? hashName(story, 'blind') : undefined;
  return buildTaskDocument({ title, description, criteria, milestones, tags, blind });
}

function buildUri(story: TaskStory): string {
  return story.scope === 'private' ? '' : buildWords(story).uri;
}

function tok(amount: number): bigint {
  return parseTok(String(amount));
}
