// What the calls of a request do with money, read from their bytes and the chain: through the connected wallet, or without
// one through the API.

import type { SiteConfig } from '@svc/sdk';
import {
  type Allowance,
  type ExplainedCall,
  type ExplainedSignature,
  explainCalls,
  explainSignature,
  parseTaskRecord,
} from '@svc/sdk/actions';
import type { Call, MarketContracts } from '@svc/sdk/chain';
import {
  type Address,
  formatTaskId,
  isSameAddress,
  type Market,
  marketParameters,
  parseUsdc,
} from '@svc/sdk/domain';
import type { CallAccess } from '@svc/sdk/internal/actions/callFacts';
import { hashKey, skipToken, useQuery } from '@tanstack/react-query';
import { client, statusOf } from '../data/client.ts';
import { useSiteConfigs } from '../data/market.ts';
import { contractsOf } from './decodeCall.ts';
import { explainError } from './explainError.ts';
import { useMarketAccess } from './marketAccess.ts';
import { chainId } from './useWallet.tsx';

type Explained<T> = {
  /** Undefined while it is read, and where it cannot be. */
  readonly explained: T | undefined;
  /** Why it cannot be read. Nothing is approved before one or the other is on the page. */
  readonly failure: string | null;
};

export function useExplained(
  calls: readonly Call[],
  from: string,
  isEnabled: boolean,
): Explained<readonly ExplainedCall[]> & {
  /** What they were read of and through whom; null while that changes. */
  readonly source: string | null;
  /** Again, some of them. */
  readonly explain: (some: readonly Call[]) => Promise<readonly ExplainedCall[]>;
} {
  const access = useMarketAccess();
  const sites = useSiteConfigs();
  const explain = async (some: readonly Call[]) => {
    const other = buildPublicAccess(sites ?? []);
    if (access === null) return explainCalls(some, from as Address, other);
    // A wallet on another chain cannot be asked.
    return explainCalls(some, from as Address, access).catch(() =>
      explainCalls(some, from as Address, other),
    );
  };
  const query = useQuery({
    queryKey: ['explained', from, calls, access !== null],
    gcTime: 0,
    retry: false,
    refetchInterval: 10_000,
    // Read without a wallet, it stays while the wallet that was connected since is asked.
    placeholderData: (before, earlier) =>
      earlier !== undefined && hashKey([earlier.queryKey[2]]) === hashKey([calls]) ? before : undefined,
    queryFn: sites === null || !isEnabled || calls.length === 0 ? skipToken : () => explain(calls),
  });
  // Read through another source, the first figures of a wallet are no change of those before.
  const source = query.isPlaceholderData ? null : hashKey([from, calls, access !== null]);
  return { ...readQuery(query), source, explain };
}

function readQuery<T>({ data, error }: { data: T | undefined; error: Error | null }): Explained<T> {
  return { explained: data, failure: data === undefined && error !== null ? explainError(error) : null };
}

/** Needs no wallet: typed data says what it is about. */
export function useExplainedSignature(
  typedData: Readonly<Record<string, unknown>>,
  from: string,
): Explained<ExplainedSignature> {
  const sites = useSiteConfigs();
  const query = useQuery({
    queryKey: ['explained-signature', from, typedData],
    retry: false,
    queryFn:
      sites === null
        ? skipToken
        : () => explainSignature(typedData, from as Address, buildPublicAccess(sites)),
  });
  return readQuery(query);
}

function buildPublicAccess(sites: readonly SiteConfig[]): CallAccess {
  const contracts = contractsOf(sites);
  const readTask = async (market: Market, number: bigint) => {
    try {
      return parseTaskRecord((await client.task(formatTaskId({ market, number }))).task);
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  };
  const readFigures = async (market: Market) => {
    const { limits } = sites.find((site) => site.market === market) ?? {};
    const running = limits && {
      accessFeeTokWei: BigInt(limits.accessFeeTokWei),
      ...(limits.bondUsd !== undefined && { bondUsdc: parseUsdc(String(limits.bondUsd)) }),
      entryUsdc: parseUsdc(String(limits.entryCollateralUsd)),
    };
    return { ...marketParameters[market], ...running } as never;
  };
  return { chainId, contracts, reads: { readTask, readFigures } };
}

/** What earlier calls of a request have allowed, and how much of it is still open on the chain. */
export function useLeftAllowances(sent: readonly Call[], from: Address) {
  const access = useMarketAccess();
  const { data = [] } = useQuery({
    queryKey: ['left-allowances', from, sent, access !== null],
    gcTime: 0,
    retry: false,
    queryFn:
      access === null || sent.length === 0
        ? skipToken
        : async () => {
            const allowances = (await explainCalls(sent, from, access)).flatMap(
              (call) => call.allowance ?? [],
            );
            const left = await Promise.all(allowances.map((one) => readLeft(access, one, from)));
            return allowances.map((one, index) => ({ ...one, left: left[index] ?? 0n }));
          },
  });
  return data.filter(({ left }) => left > 0n);
}

/** Of a spender that is not the market's: all that was allowed. */
async function readLeft(
  { contracts, reads }: Pick<CallAccess, 'contracts' | 'reads'>,
  { spender, token, amount }: Allowance,
  from: Address,
): Promise<bigint> {
  for (const [market, own] of Object.entries(contracts) as [Market, MarketContracts][]) {
    const isGateway = isSameAddress(own.paymentGateway, spender);
    if (!isGateway && !isSameAddress(own.depositVault, spender)) continue;
    const wallet = await reads.readWallet?.(market, from);
    if (wallet === undefined) return amount;
    const { tokRouter, usdcGateway, usdcVault } = wallet.allowances;
    if (token === 'TOK') return tokRouter;
    return isGateway ? usdcGateway : usdcVault;
  }
  return amount;
}
