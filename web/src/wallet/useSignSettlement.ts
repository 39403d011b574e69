// Signs a split of a task that the other party can then send to the contracts.
import { mutualSettle, parseArguments, planAction } from '@svc/sdk/actions';
import { isSameAddress } from '@svc/sdk/domain';
import { signTypedData } from 'viem/actions';
import type { Task } from '#data/market.ts';
import { notReady, useMarketAccess } from './marketAccess.ts';
import type { SettlementOffer } from './settlement.ts';
import { requireClient, useWallet } from './useWallet.tsx';

export const offerDays = 3;

export function useSignSettlement(task: Task): (workerBps: number) => Promise<SettlementOffer> {
  const wallet = useWallet();
  const access = useMarketAccess();
  return async (workerBps) => {
    const client = requireClient(wallet);
    if (access === null) throw new Error(notReady);
    const from = client.account.address;
    const args = { taskId: task.id, from, workerBps, validUntil: `+${offerDays}d`, sign: true };
    const context = { ...access, market: task.market, contracts: access.contracts[task.market], from };
    const draft = await planAction(mutualSettle, parseArguments(mutualSettle, args), context);
    if (!('typedData' in draft)) throw new Error('the catalog built calls instead of typed data');
    const signature = await signTypedData(client, draft.typedData as never);
    const by = isSameAddress(from, task.poster as `0x${string}`) ? 'poster' : 'worker';
    return { task: task.id, workerBps, validUntil: Number(draft.result?.validUntil), by, signature };
  };
}
