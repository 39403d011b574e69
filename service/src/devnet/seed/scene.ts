// One moment of one task, and what has to be read or signed before somebody can act in it.

import { disputeCourtAbi, taskRegistryAbi } from '@svc/contracts/abi';
import {
  type Address,
  buildDocumentUri,
  buildTermsTypedData,
  hashCriteria,
  hashMilestones,
  indexOf,
  isSameAddress,
  parseTok,
  scopes,
  type TaskTerms,
} from '@svc/sdk/domain';
import { type Hex, keccak256, stringToBytes } from 'viem';
import { privateKeyToAccount, serializeSignature, sign } from 'viem/accounts';
import { type Account, accountOf, accounts } from '../accounts.ts';
import { day, parseAgo, type Side, type Tale } from '../story/script.ts';
import { texts } from '../story/texts/library.ts';
import type { Stage } from './stage.ts';

export type Scene = {
  readonly stage: Pick<Stage, 'deployment' | 'publicClient'>;
  readonly tale: Tale;
  /** The task's number on its registry; 0 until it is posted. */
  readonly taskId: bigint;
  readonly at: number;
};

export function tok(amount: number): bigint {
  return parseTok(String(amount));
}

export function registryOf({ stage, tale }: Scene) {
  return { address: stage.deployment.markets[tale.terms.market].taskRegistry, abi: taskRegistryAbi } as const;
}

export function courtOf({ stage, tale }: Scene) {
  return { address: stage.deployment.markets[tale.terms.market].disputeCourt, abi: disputeCourtAbi } as const;
}

export function posterOf({ tale }: Scene): Address {
  return accountOf(tale.terms.poster).address;
}

export async function partyOf(scene: Scene, side: Side): Promise<Address> {
  return side === 'poster' ? posterOf(scene) : (await readTask(scene)).worker;
}

export function readTask(scene: Scene) {
  const { stage, taskId } = scene;
  return stage.publicClient.readContract({ ...registryOf(scene), functionName: 'getTask', args: [taskId] });
}

export function readOpenDigest(scene: Scene, worker: Address): Promise<Hex> {
  const { stage, taskId } = scene;
  const args = [taskId, worker] as const;
  return stage.publicClient.readContract({ ...registryOf(scene), functionName: 'openDigest', args });
}

/** Stands for a file whose hash goes onto the chain. */
export function hashFile({ tale }: Scene, file: string): Hex {
  return keccak256(stringToBytes(`${tale.text}/${file}`));
}

export function buildPost(scene: Scene, fundNow: number) {
  const { totalAmount, criteriaHash, deadline, reviewPeriod } = buildOffer(scene);
  const milestones = milestonesOf(scene);
  return {
    totalAmount,
    deadline,
    reviewPeriod,
    criteriaHash,
    milestones,
    uri: uriOf(scene),
    fundNow: tok(fundNow),
  };
}

/** The arguments of `createTask`, sent by the poster with the worker's signature. */
export async function buildCreate(scene: Scene, worker: Account, fundNow: number) {
  const { deployment } = scene.stage;
  const milestones = milestonesOf(scene);
  const terms: TaskTerms = {
    ...buildOffer(scene),
    poster: posterOf(scene),
    worker: worker.address,
    milestonesHash: hashMilestones(milestones),
    scope: scene.tale.terms.scope ?? 'open',
    salt: hashFile(scene, 'negotiation'),
    acceptBy: BigInt(scene.at + day),
  };
  const place = { chainId: deployment.chainId, registry: registryOf(scene).address };
  const workerSig = await privateKeyToAccount(worker.privateKey).signTypedData(
    buildTermsTypedData(terms, place),
  );
  const encoded = { ...terms, scope: indexOf(scopes, terms.scope) };
  return [encoded, milestones, '0x', workerSig, uriOf(scene), tok(fundNow)] as const;
}

/** The arguments of `mutualSettle`, sent by the poster with the worker's signature. */
export async function buildSettlement(scene: Scene, workerBps: number) {
  const { stage, taskId, at } = scene;
  const validUntil = BigInt(at + day);
  const args = [taskId, workerBps, validUntil] as const;
  const [{ worker }, hash] = await Promise.all([
    readTask(scene),
    stage.publicClient.readContract({ ...registryOf(scene), functionName: 'hashSettlement', args }),
  ]);
  const { privateKey } = accounts.find(({ address }) => isSameAddress(address, worker)) as Account;
  const workerSig = serializeSignature(await sign({ hash, privateKey }));
  return [taskId, workerBps, validUntil, '0x', workerSig] as const;
}

function buildOffer({ tale: { text, terms }, at }: Scene) {
  return {
    totalAmount: tok(terms.pays.reduce((sum, amount) => sum + amount)),
    criteriaHash: hashCriteria(texts[text].criteria),
    deadline: BigInt(at + parseAgo(terms.due)),
    reviewPeriod: parseAgo(terms.review),
  };
}

/** One single milestone is written as no list at all. */
function milestonesOf({ tale: { terms } }: Scene): bigint[] {
  return terms.pays.length === 1 ? [] : terms.pays.map(tok);
}

function uriOf({ tale }: Scene): string {
  return tale.terms.scope === 'private' ? '' : buildDocumentUri(texts[tale.text]);
}
