// Joins what the gateway's receipts, payments and claims are made of.
import {
  contractsOf,
  encodeClaimTask,
  readFigures,
  readOpenDigest,
  readTaskNow,
  readWallet,
  simulateCalls,
} from '@svc/sdk/chain';
import type { Address, Hash, Market } from '@svc/sdk/domain';
import { parseUsdc } from '@svc/sdk/domain';
import { createClaimService } from '#gateway/claim.ts';
import { createLocalFacilitator, createRemoteFacilitator } from '#gateway/facilitator.ts';
import { findTransfer, readHeadNumber } from '#gateway/findTransfer.ts';
import { createPaymentService, type Facilitator } from '#gateway/payments.ts';
import { createReceiptService } from '#gateway/receipts.ts';
import { createPaymentStore } from '#store/payments.ts';
import { createReceiptStore } from '#store/receipts.ts';
import type { ReadSide } from './readSide.ts';

/** Who settles payments: this process with a key of its own, somebody else, or nobody. */
export type FacilitatorChoice =
  | { readonly kind: 'local'; readonly key: Hash }
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'off' };

export type MoneyOptions = {
  readonly rpcUrls: readonly string[];
  /** Signs receipts. */
  readonly gatewayKey: Hash;
  readonly facilitator: FacilitatorChoice;
  readonly payTo: Address | undefined;
  readonly claimPriceUsdc: string;
};

export function createGatewayMoney(readSide: ReadSide, options: MoneyOptions) {
  const { deployment, database, identity, rpc, now } = readSide;
  const { chainId } = deployment;
  const facilitator = createFacilitator(options, chainId);
  const keepFigures = (market: Market) =>
    keepFor(figuresMaxAgeMs, () => readFigures(rpc, contractsOf(deployment, market)));
  const figures = { standard: keepFigures('standard'), micro: keepFigures('micro') };
  const price = facilitator && {
    amount: parseUsdc(options.claimPriceUsdc),
    asset: deployment.usdc,
    payTo: options.payTo ?? deployment.roles.treasury,
    chainId,
  };
  return {
    price,
    payments:
      facilitator &&
      createPaymentService({
        store: createPaymentStore(database, identity),
        facilitator,
        findTransfer: (wanted) => findTransfer(rpc, wanted),
        headNumber: () => readHeadNumber(rpc),
        now,
      }),
    receipts: createReceiptService({
      key: options.gatewayKey,
      chainId,
      now,
      ...createReceiptStore(database, identity),
    }),
    claims: createClaimService({
      chainId,
      readTask: ({ market, number }) => readTaskNow(rpc, deployment, market, number),
      readWallet: (market, wallet) => readWallet(rpc, contractsOf(deployment, market), wallet),
      readFigures: (market) => figures[market](),
      readOpenDigest: ({ market, number }, worker) =>
        readOpenDigest(rpc, contractsOf(deployment, market), number, worker),
      encodeClaim: ({ market, number }, expectedDigest) =>
        encodeClaimTask(contractsOf(deployment, market), { number, expectedDigest }).calls,
      findRevert: async (from, calls) => {
        const simulation = await simulateCalls(rpc, from, calls);
        return simulation.status === 'reverted' ? simulation.revert.sentence : null;
      },
      now,
    }),
  };
}

/** Every claim asks, hardly anybody changes them, and the trial of the call has the last word: a block's time will do. */
const figuresMaxAgeMs = 2_000;

/** One answer for all who ask within a moment; a failure is nobody's answer but of those who waited for it. */
function keepFor<T>(maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    if (kept !== null && performance.now() - askedAt < maxAgeMs) return kept;
    askedAt = performance.now();
    const asked = read();
    kept = asked;
    asked.catch(() => {
      if (kept === asked) kept = null;
    });
    return asked;
  };
}

function createFacilitator({ facilitator, rpcUrls }: MoneyOptions, chainId: number): Facilitator | null {
  if (facilitator.kind === 'off') return null;
  if (facilitator.kind === 'remote') return createRemoteFacilitator(facilitator.url);
  return createLocalFacilitator({ rpcUrls, chainId, key: facilitator.key });
}
