// The task that a transaction has made.
import { taskRegistryAbi } from '@svc/contracts/abi';
import { formatTaskId, type Market } from '@svc/sdk/domain';
import { parseEventLogs } from 'viem';
import type { CallReceipt } from './batch.ts';

/** Null where none of them has made one. */
export function findPosted(receipts: readonly CallReceipt[], market: Market): string | null {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
  return posted === undefined ? null : formatTaskId({ market, number: posted.args.taskId });
}
