// What an operator does with payments: list those without an answer, compare them with the chain, refund. Works on the rows,
// beside the gateways.

import { isAddress, SvcError } from '@svc/sdk/domain';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { type Hex, isHash } from 'viem';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createRemoteFacilitator } from '../payments/facilitator.ts';
import { createReconciling } from '../payments/reconcile.ts';
import { refundPayment } from '../payments/refund.ts';
import { createSettlement } from '../payments/settlement.ts';
import { claimDatabase } from '../store/deploymentRow.ts';
import { createPaymentLedger, type LedgerEntry } from '../store/paymentLedger.ts';
import { createPaymentStore, type PaymentState } from '../store/payments.ts';
import { openDeployment } from './connect.ts';
import { openOperatorDatabase } from './openDatabase.ts';

export type PaymentEntry = LedgerEntry;

export const paymentStates = [
  'settling',
  'settled',
  'answered',
  'moved',
  'void',
  'refunding',
  'refunded',
] as const satisfies readonly PaymentState[];

export async function openPaymentOperator(config: Config) {
  const { deployment, rpc } = await openDeployment(config);
  const { chainId, usdc } = deployment;
  const database = await openOperatorDatabase(config);
  await claimDatabase(database, deployment);
  const ledger = createPaymentLedger(database);
  const { facilitator: where } = config;
  const isElsewhere = where !== undefined && where !== 'local' && where !== 'off';
  const settlement = createSettlement({
    store: createPaymentStore(database),
    facilitator: {
      isSender: isElsewhere ? createRemoteFacilitator(where, chainId).isSender : null,
      settle: () => Promise.reject(new Error('an operator settles nothing')),
    },
    rpc,
  });
  /** The gateways hold payments by the later of their clock and the chain's. */
  const readNow = async () => Math.max((await rpc.ask(latestBlock())).time, Math.floor(Date.now() / 1_000));

  return {
    list: async (states: readonly PaymentState[] | undefined, limit: number) =>
      ledger.listOpen(await readNow(), { limit, ...(states && { states }) }),
    reconcile: async () => {
      const atOnce = Number.POSITIVE_INFINITY;
      return createReconciling({ ledger, settlement, atOnce }).reconcile(await readNow(), usdc);
    },
    refund: async (payer: string, nonce: string): Promise<Hex> => {
      if (!isAddress(payer) || !isHash(nonce))
        throw new SvcError('USAGE', {
          reason: 'refund needs the payer’s address and the nonce of the payment.',
        });
      if (config.privateKey === undefined) throw new OperatorError('KEY_MISSING', {});
      const key = config.privateKey.reveal() as Hex;
      return refundPayment({ ledger, rpc, deployment, key }, { payer, nonce }, await readNow());
    },
    close: async (): Promise<void> => {
      rpc.close();
      await database.close();
    },
  };
}
