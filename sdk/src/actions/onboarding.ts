// What a wallet needs before it can post or claim, checked against the chain, each with the command that mends it.
import type { Address } from '#domain/address.ts';
import { formatTok, formatUsdc } from '#domain/amount.ts';
import type { Market } from '#domain/market.ts';
import { buildCommand } from './commandLine.ts';
import type { PrepareNeeds } from './needs.ts';

export type Check = {
  readonly id: string;
  readonly ok: boolean;
  /** Whether posting and claiming fail without it; the others are advice. */
  readonly required: boolean;
  readonly have: string;
  readonly need: string;
  /** What to do; null where it is ok. */
  readonly fix: string | null;
};

export async function buildOnboarding(needs: PrepareNeeds, market: Market, address: Address) {
  const [wallet, figures, quota] = await Promise.all([
    needs.chain.readWallet(market, address),
    needs.chain.readFigures(market),
    needs.readQuota(market, address).catch(() => null),
  ]);
  const { deposit, staking, allowances } = wallet;
  const fee = figures.accessFeeTokWei;
  const paysByCredits = staking.credits >= fee;
  const entry = max(figures.entryUsdc, deposit.locked + figures.bondUsdc);
  const goal = max(figures.recommendedUsdc, entry);
  const canReach = (target: bigint) => deposit.balance + wallet.usdc >= target;
  const topUpTo = (target: bigint) =>
    buildCommand('top-up', { market, amountUsdc: formatUsdc(target - deposit.balance), from: address });
  const checks: Check[] = [
    {
      id: 'gas',
      ok: wallet.etherWei > 0n,
      required: false,
      have: wallet.etherWei > 0n ? 'ETH' : 'no ETH',
      need: 'some ETH, unless somebody else pays the gas',
      fix: wallet.etherWei > 0n ? null : `send ETH of chain ${needs.chainId} to ${address}`,
    },
    {
      id: 'collateral',
      ok: deposit.canEngage,
      required: true,
      have: `${formatUsdc(deposit.balance)} USDC deposited, ${formatUsdc(deposit.locked)} of it locked`,
      need: `${formatUsdc(entry)} USDC to post or claim`,
      fix: deposit.canEngage ? null : topUpTo(!canReach(goal) && canReach(entry) ? entry : goal),
    },
    {
      id: 'recommended-collateral',
      ok: deposit.balance >= figures.recommendedUsdc,
      required: false,
      have: `${formatUsdc(deposit.balance)} USDC deposited`,
      need: `${formatUsdc(figures.recommendedUsdc)} USDC; below ${formatUsdc(figures.pauseUsdc)} tasks pause`,
      fix: deposit.balance >= figures.recommendedUsdc ? null : topUpTo(figures.recommendedUsdc),
    },
    {
      id: 'usdc-for-collateral',
      ok: canReach(entry),
      required: true,
      have: `${formatUsdc(wallet.usdc)} USDC in the wallet`,
      need: `${formatUsdc(max(entry - deposit.balance, 0n))} USDC more in the deposit`,
      fix: canReach(entry) ? null : `send USDC to ${address}`,
    },
    {
      id: 'access-fee',
      ok: paysByCredits || wallet.tokWei >= fee,
      required: true,
      have: `${formatTok(wallet.tokWei)} TOK, ${formatTok(staking.credits)} Action Credits`,
      need: `${formatTok(fee)} TOK, or as many Action Credits, for each post or claim`,
      fix:
        paysByCredits || wallet.tokWei >= fee ? null : `get TOK, token ${needs.contracts[market].tokToken}`,
    },
    {
      id: 'fee-allowance',
      ok: paysByCredits || allowances.tokRouter >= fee,
      required: false,
      have: `${formatTok(allowances.tokRouter)} TOK approved`,
      need: `${formatTok(fee)} TOK; prepare adds an exact approval by itself`,
      fix:
        paysByCredits || allowances.tokRouter >= fee
          ? null
          : buildCommand('approve-tok-router', { market, amountTok: formatTok(fee), from: address }),
    },
    {
      id: 'entries-open',
      ok: !figures.entriesPaused,
      required: true,
      have: figures.entriesPaused ? 'new posts and claims are stopped' : 'open',
      need: 'open',
      fix: figures.entriesPaused ? 'wait until the owner opens the market again' : null,
    },
    ...(quota === null
      ? []
      : [
          {
            id: 'posting-quota',
            ok: quota.canPost,
            required: false,
            have: `${quota.used} of ${quota.limit} posts today, plan ${quota.tier}`,
            need: 'one post left; the chain takes more all the same',
            fix: quota.canPost ? null : buildCommand('buy-plan', { market, tier: 'basic', from: address }),
          },
        ]),
  ];
  return { address, ready: checks.every(({ ok, required }) => ok || !required), checks };
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
