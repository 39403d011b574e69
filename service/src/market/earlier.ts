// Replies in the earlier shape, v1 (docs/specification.md section 9; docs/decisions/earlier-shape.md).
import { SvcError, type Task, tokDecimals, toUsd, usdcDecimals } from '@svc/sdk/domain';
import { priceDecimals } from '@svc/sdk/internal/domain/amount';
import type { StoredTask } from '../store/taskRow.ts';
import type { SiteConfig } from './siteConfig.ts';

/** Null where no price was ever published. */
export type Price = {
  readonly priceE8: bigint;
  /** Set where the oracle does not take the price any more. */
  readonly updatedAt?: number;
} | null;

export function buildEarlierOpenList(tasks: readonly StoredTask[], price: Price) {
  return {
    count: tasks.length,
    tasks: tasks.map(({ task }) => {
      const { createdAt, updatedAt } = task;
      return { ...buildHead(task, price), createdAt, updatedAt };
    }),
    ...markAge(price),
  };
}

export function buildEarlierPosterList(tasks: readonly StoredTask[], price: Price) {
  return {
    count: tasks.length,
    tasks: tasks.map(({ task }) => ({ ...buildHead(task, price), ...pickParties(task) })),
    ...markAge(price),
  };
}

export function buildEarlierTask({ task }: StoredTask, price: Price) {
  const { createdAt, updatedAt, poster } = task;
  return {
    task: { ...buildHead(task, price), createdAt, updatedAt, poster, ...pickParties(task) },
    ...markAge(price),
  };
}

export function buildEarlierSiteConfig(config: SiteConfig) {
  const { chainId, chainName, rpcUrl, contracts, postingPlans } = config;
  return {
    chainId,
    chainName,
    rpcUrl,
    contracts: {
      usdc: contracts.usdc,
      tokToken: contracts.tokToken,
      TaskRegistry: contracts.taskRegistry,
      AgentDepositVault: contracts.depositVault,
    },
    postingPlans,
    protocolVersion: 'v1',
  } as const;
}

function buildHead({ number, state, funded, totalAmount }: Task, price: Price) {
  return {
    id: String(number),
    state,
    escrowAmount: String(toUsdcUnits(funded, price)),
    budgetUsdc: toUsd(toUsdcUnits(totalAmount, price)),
  };
}

/** A reply at an old price says from when the price is; at a good one it has the fields of the earlier shape only. */
function markAge(price: Price) {
  return price?.updatedAt === undefined ? {} : { priceUpdatedAt: price.updatedAt };
}

function pickParties({ worker, settlementDigest }: Task) {
  return { ...(worker && { worker }), ...(settlementDigest && { settlementDigest }) };
}

const scale = 10n ** BigInt(tokDecimals + priceDecimals - usdcDecimals);

/** Rounded down, as UsdOracle.tokToUsd does. A wrong amount would be worse than none. */
function toUsdcUnits(tokWei: bigint, price: Price): bigint {
  if (price === null) throw new SvcError('PRICE_MISSING', {});
  return (tokWei * price.priceE8) / scale;
}
