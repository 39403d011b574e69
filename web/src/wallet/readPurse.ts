// What a wallet has, may spend and has put down on one market, and the market's figures: one question to the chain.

import { depositVaultAbi, pricingPolicyAbi, stakingVaultAbi, tokTokenAbi } from '@svc/contracts/abi';
import type { SiteConfig } from '@svc/sdk/client';
import type { Address, Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { getBalance, getGasPrice, multicall } from 'viem/actions';
import { useSiteConfig } from '#data/market.ts';
import { useWallet, type WalletClient } from './useWallet.tsx';

export type Purse = {
  readonly ethWei: bigint;
  readonly gasPriceWei: bigint;
  readonly tokWei: bigint;
  readonly usdc: bigint;
  /** What the payment gateway and the deposit vault may take already. */
  readonly tokAllowanceWei: bigint;
  readonly usdcAllowance: bigint;
  readonly deposit: { readonly balance: bigint; readonly locked: bigint; readonly engagements: number };
  readonly isPaused: boolean;
  readonly stake: { readonly tokWei: bigint; readonly credits: bigint; readonly rewardsWei: bigint };
  readonly figures: {
    readonly accessFeeTokWei: bigint;
    readonly entryUsdc: bigint;
    readonly recommendedUsdc: bigint;
    readonly bondUsdc: bigint;
  };
};

export type Contracts = { readonly [Name in keyof SiteConfig['contracts']]: Address };

/** Asked anew whenever something changes on the market. */
export function usePurse(market: Market) {
  const wallet = useWallet();
  const site = useSiteConfig(market);
  const client = wallet?.client ?? null;
  return useQuery({
    queryKey: ['wallet', market, wallet?.address],
    enabled: client !== null && site.data !== undefined,
    queryFn: () =>
      readPurse(client as WalletClient, wallet?.address as Address, site.data?.contracts as Contracts),
  });
}

export async function readPurse(
  client: WalletClient,
  address: Address,
  contracts: Contracts,
): Promise<Purse> {
  const tok = { address: contracts.tokToken, abi: tokTokenAbi } as const;
  // The part of ERC-20 that is asked for here is the same in USDC.
  const usdc = { address: contracts.usdc, abi: tokTokenAbi } as const;
  const policy = { address: contracts.pricingPolicy, abi: pricingPolicyAbi } as const;
  const [ethWei, gasPriceWei, answers] = await Promise.all([
    getBalance(client, { address }),
    getGasPrice(client),
    multicall(client, {
      allowFailure: false,
      contracts: [
        { ...tok, functionName: 'balanceOf', args: [address] },
        { ...usdc, functionName: 'balanceOf', args: [address] },
        { ...tok, functionName: 'allowance', args: [address, contracts.paymentGateway] },
        { ...usdc, functionName: 'allowance', args: [address, contracts.depositVault] },
        {
          address: contracts.depositVault,
          abi: depositVaultAbi,
          functionName: 'accountOf',
          args: [address],
        },
        {
          address: contracts.stakingVault,
          abi: stakingVaultAbi,
          functionName: 'stakerOf',
          args: [address],
        },
        { ...policy, functionName: 'accessFee' },
        { ...policy, functionName: 'entryUsdc' },
        { ...policy, functionName: 'recommendedUsdc' },
        { ...policy, functionName: 'bondUsdc' },
      ],
    }),
  ]);
  const [tokWei, usdcUnits, tokAllowanceWei, usdcAllowance, account, staker, fee, entry, recommended, bond] =
    answers;
  const [deposit, isPaused] = account;
  return {
    ethWei,
    gasPriceWei,
    tokWei,
    usdc: usdcUnits,
    tokAllowanceWei,
    usdcAllowance,
    deposit,
    isPaused,
    stake: { tokWei: staker.staked, credits: staker.credits, rewardsWei: staker.rewards },
    figures: {
      accessFeeTokWei: fee,
      entryUsdc: entry,
      recommendedUsdc: recommended,
      bondUsdc: bond,
    },
  };
}
