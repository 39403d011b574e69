// A settlement offer: signed by one party, sent to the other as a message or a link.

import { catalog, parseTaskRecord } from '@svc/sdk/actions';
import { type Address, hashSettlement, isSameAddress } from '@svc/sdk/domain';
import { buildSettlement } from '@svc/sdk/internal/actions/settle';
import { hexSchema } from '@svc/sdk/internal/schemas/primitives';
import { skipToken, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import type { Task } from '../data/market.ts';
import { orNull } from '../data/orNull.ts';
import { type ActionArguments, useMarketAccess, useSignAction } from './marketAccess.ts';
import { chainId } from './useWallet.tsx';

const offerSchema = z.object({
  task: z.string(),
  workerBps: z.int().min(0).max(10_000),
  validUntil: z.int().positive(),
  by: z.enum(['poster', 'worker']),
  signature: hexSchema,
});

export type SettlementOffer = z.infer<typeof offerSchema>;

const marker = '#settle=';

/** A link to the task that opens the offer. It is behind the `#`, so that no server sees the signature. */
export function linkToOffer(offer: SettlementOffer, origin: string): string {
  return `${origin}/market.html?task=${offer.task}${marker}${encodeURIComponent(JSON.stringify(offer))}`;
}

/** The offer that the address of this page carries; empty without one. */
export function findLinkedOffer(hash: string): string {
  return hash.startsWith(marker) ? hash : '';
}

/** From a link or from the offer itself. Null if the text is not an offer. */
export function parseOffer(text: string): SettlementOffer | null {
  const [, linked] = text.split(marker);
  return orNull(() =>
    offerSchema.parse(JSON.parse(linked === undefined ? text : decodeURIComponent(linked))),
  );
}

/** The arguments that accept an offer, or what is wrong with it; null without one. */
export function acceptOffer(taskId: string, text: string): ActionArguments | null {
  const offer = parseOffer(text);
  if (offer === null) return text.trim() === '' ? null : new Error('This is not the link of a signed offer.');
  if (offer.task !== taskId) return new Error(`This offer is for another task, ${offer.task}.`);
  const { workerBps, validUntil, by, signature } = offer;
  return { workerBps, validUntil, [`${by}Signature`]: signature };
}

export const offerDays = 3;

export const endedOffer = 'The task has changed since: this offer no longer works.';

type Signed = Omit<SettlementOffer, 'task' | 'by'> & { readonly by: Address };

/** Whether the contracts still take it: what was signed is a split of the task as it then stood. Undefined until that is known. */
export function useStanding(record: Task, signed: Signed | undefined): boolean | undefined {
  const access = useMarketAccess();
  const task = parseTaskRecord(record);
  const hash =
    signed === undefined || task.worker === null
      ? null
      : hashSettlement(buildSettlement(task, signed.workerBps, signed.validUntil), {
          chainId,
          registry: task.registryAddress,
        });
  return useQuery({
    queryKey: ['standing', hash, signed],
    queryFn:
      access === null || hash === null || signed === undefined
        ? skipToken
        : async () => (await access.reads.readSignature(signed.by, hash, signed.signature)) !== null,
  }).data;
}

/** Signs a split of a task that the other party can then send to the contracts. */
export function useSignSettlement(task: Task): (workerBps: number) => Promise<SettlementOffer> {
  const sign = useSignAction();
  return async (workerBps) => {
    const args = { taskId: task.id, workerBps, validUntil: `+${offerDays}d` };
    const { client, signature, result } = await sign(catalog.mutualSettle, task.market, args);
    const isPoster = isSameAddress(client.account.address, task.poster as `0x${string}`);
    const validUntil = Number(result?.validUntil);
    return { task: task.id, workerBps, validUntil, by: isPoster ? 'poster' : 'worker', signature };
  };
}
