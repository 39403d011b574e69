// The gateway's receipts, payments and claims, over an open market.

import { createActionReads } from '@svc/sdk/actions';
import type { Rpc } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { contractsOfBoth } from '@svc/sdk/internal/chain/contracts';
import { readFigures } from '@svc/sdk/internal/chain/readMarket';
import { mapMarkets } from '@svc/sdk/internal/domain/market';
import { formatEther, type Hex } from 'viem';
import { createClaimService } from '../claims/prepareClaim.ts';
import { createReceiptService } from '../claims/receipts.ts';
import { type ClaimPriceOptions, priceClaim } from '../payments/claimPrice.ts';
import { createFacilitator, type FacilitatorChoice } from '../payments/facilitator.ts';
import { createPaymentService, type PaymentService } from '../payments/takePayments.ts';
import { keepFor } from '../store/keepFor.ts';
import { createPaymentLedger, openStates } from '../store/paymentLedger.ts';
import { createPaymentNames } from '../store/paymentNames.ts';
import { createPaymentStore } from '../store/payments.ts';
import { createReceiptStore } from '../store/receipts.ts';
import { observeOutcomes } from './observe.ts';
import type { OpenMarket } from './openMarket.ts';

/** Blocks come every two seconds. */
const maxAgeMs = 2_000;

export type PaymentOptions = ClaimPriceOptions & {
  /** Settles payments. */
  readonly rpc: Rpc;
  /** Signs receipts. */
  readonly gatewayKey: Hex;
  /** Receipts of this key count as well. */
  readonly gatewayOtherKey?: Hex | undefined;
  readonly facilitator: FacilitatorChoice;
  /** Blocks until a payment counts. */
  readonly confirmations: number;
};

export function createPaidServices(market: OpenMarket, options: PaymentOptions) {
  const { deployment, database, rpc, now } = market;
  const { chainId } = deployment;
  const facilitator = createFacilitator(options.facilitator, options.rpc, chainId);
  // Without payments as well, so that a dashboard shows none rather than nothing.
  const outcomes = observeOutcomes(market.metrics, 'payments');
  let facilitatorWei: bigint | null = null;
  market.metrics.gauge('facilitator_ether', () =>
    facilitatorWei === null ? null : Number(formatEther(facilitatorWei)),
  );
  const contracts = contractsOfBoth(deployment);
  // Every claim needs them and they rarely change; the simulation of the call decides in the end.
  const figures = mapMarkets((of) => keepFor(maxAgeMs, () => readFigures(rpc, contracts[of])));
  const reads = { ...createActionReads(rpc, contracts), readFigures: (of: Market) => figures[of]() };
  const access = { chainId, contracts, reads, readQuota: async () => null };
  const ledger = createPaymentLedger(database);
  const store = createPaymentStore(database);
  const { confirmations } = options;
  const payments =
    facilitator &&
    createPaymentService({
      store,
      names: createPaymentNames(database),
      ledger,
      facilitator,
      rpc,
      now,
      confirmations,
    });
  let open: Awaited<ReturnType<typeof ledger.countOpen>> = [];
  market.metrics.gauge('payments_open', () =>
    openStates.map((state) => ({
      labels: { state },
      value: open.find((one) => one.state === state)?.payments ?? 0,
    })),
  );
  let lost: number | null = null;
  market.metrics.gauge('payments_lost', () => lost);
  return {
    price: facilitator && priceClaim(deployment, options),
    payments: payments && countPayments(payments, outcomes),
    receipts: createReceiptService({
      key: options.gatewayKey,
      otherKey: options.gatewayOtherKey,
      chainId,
      now,
      ...createReceiptStore(database),
    }),
    claims: createClaimService(access, now),
    /** Looks up the end of payments that nobody saw or that a fork took away, and counts those that wait or are lost. */
    watchPayments: async (): Promise<void> => {
      await payments?.reconcile(market.past(), deployment.usdc);
      open = await ledger.countOpen(now(), now() - 600);
      lost = (await payments?.recover(deployment.usdc)) ?? 0;
    },
    /** For the gauge: an account without Ether settles nothing. */
    watchBalance: async (): Promise<void> => {
      facilitatorWei = (await facilitator?.readBalance?.()) ?? null;
    },
  };
}

/** A payment is done when its money came; one that cannot be held has failed before. */
function countPayments(
  { hold, ...service }: PaymentService,
  { end, fail }: ReturnType<typeof observeOutcomes>,
): PaymentService {
  return {
    ...service,
    hold: async (...args) => {
      const held = await hold(...args).catch(fail);
      return { ...held, settle: () => end(held.settle()) };
    },
  };
}
