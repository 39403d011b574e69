// Actions that only read: the chain as it is, the onboarding checklist, and hashes of texts.
import * as z from 'zod';
import type { Address } from '../domain/address.ts';
import { formatTok, formatUsdc, maxOf } from '../domain/amount.ts';
import { noFacts } from '../domain/task.ts';
import { hashCriteria } from '../domain/terms.ts';
import { addressArgument, artifactsArgument, marketArgument, textArgument } from '../rules/values.ts';
import { buildWorkDocument, milestonesArgument, wordFields } from '../rules/work.ts';
import { type ActionContext, defineDocument, definePure } from './action.ts';
import { buildCommand, exampleWallets, sameMarketArgument, taskArgument } from './arguments.ts';
import { paysWithCredits } from './costs.ts';
import { requireTask } from './reads.ts';
import { buildTaskRecord } from './taskRecord.ts';

export const read = defineDocument({
  name: 'read',
  title: 'Read the chain',
  summary: 'read a task, a wallet or the market from the chain',
  input: z.strictObject({
    market: sameMarketArgument.describe('standard or micro'),
    taskId: taskArgument.optional(),
    address: addressArgument.optional(),
  }),
  example: { taskId: 'v2:standard:12' },
  build: async ({ taskId, address }, { market, contracts, reads }) => {
    const [task, wallet, figures] = await Promise.all([
      taskId === undefined ? null : requireTask(reads, taskId),
      address === undefined ? null : reads.readWallet(market, address),
      reads.readFigures(market),
    ]);
    return {
      ...(task !== null && { task: buildTaskRecord(task, noFacts) }),
      ...(wallet !== null && { address, wallet }),
      figures,
      contracts,
    };
  },
});

export const hashCriteriaAction = definePure({
  name: 'hash-criteria',
  title: 'Hash a text',
  summary: 'the criteriaHash of a text, or with a title that of the whole task document',
  input: z.strictObject({
    ...wordFields,
    criteria: textArgument,
    milestones: milestonesArgument,
    artifacts: artifactsArgument,
  }),
  example: { criteria: 'Every page is there, and no sentence is left out.' },
  build: (texts) => {
    const document = buildWorkDocument(texts, texts.milestones);
    return { criteriaHash: document?.hash ?? hashCriteria(texts.criteria) };
  },
});

export const onboarding = defineDocument({
  name: 'onboarding',
  title: 'Is my wallet ready?',
  summary: 'what a wallet still needs before it can post or claim, and how to get it',
  input: z.strictObject({ market: marketArgument, address: addressArgument }),
  example: { address: exampleWallets.newcomer },
  build: async ({ address }, context) => buildOnboarding(context, address),
});

type Check = {
  readonly id: string;
  readonly ok: boolean;
  /** Whether posting and claiming fail without it; the others are advice. */
  readonly required: boolean;
  readonly have: string;
  readonly need: string;
  /** What helps: words, or an action of the catalog. */
  readonly remedy: string | { readonly action: string; readonly arguments: Readonly<Record<string, string>> };
};

export type ReportedCheck = ReturnType<typeof reportCheck>;

/** `fix` is what to do, as a command where there is one; `prepare` is the action that does it, for svc_prepare. */
function reportCheck({ remedy, ...check }: Check) {
  if (check.ok) return { ...check, fix: null, prepare: null };
  if (typeof remedy === 'string') return { ...check, fix: remedy, prepare: null };
  return { ...check, fix: buildCommand(remedy.action, remedy.arguments), prepare: remedy };
}

async function buildOnboarding(
  { chainId, market, contracts, reads, readQuota }: ActionContext,
  address: Address,
) {
  const [wallet, figures, quota] = await Promise.all([
    reads.readWallet(market, address),
    reads.readFigures(market),
    readQuota(market, address).catch(() => null),
  ]);
  const { deposit, staking, allowances } = wallet;
  const fee = figures.accessFeeTokWei;
  const paysByCredits = paysWithCredits(wallet, figures);
  const entry = maxOf(figures.entryUsdc, deposit.locked + figures.bondUsdc);
  const goal = maxOf(figures.recommendedUsdc, entry);
  const canReach = (target: bigint) => deposit.balance + wallet.usdc >= target;
  const prepare = (action: string, args: Readonly<Record<string, string>>) => ({
    action,
    arguments: { market, ...args, from: address },
  });
  const topUpTo = (target: bigint) => prepare('top-up', { amountUsdc: formatUsdc(target - deposit.balance) });
  const checks: Check[] = [
    {
      id: 'gas',
      ok: wallet.etherWei > 0n,
      required: false,
      have: wallet.etherWei > 0n ? 'some ETH' : 'no ETH',
      need: 'some ETH, unless somebody else pays the gas',
      remedy: `send ETH of chain ${chainId} to ${address}`,
    },
    {
      id: 'collateral',
      ok: deposit.canEngage,
      required: true,
      have: `${formatUsdc(deposit.balance)} USDC deposited, ${formatUsdc(deposit.locked)} of it locked`,
      need: `${formatUsdc(entry)} USDC to post or claim`,
      remedy: topUpTo(!canReach(goal) && canReach(entry) ? entry : goal),
    },
    {
      id: 'recommended-collateral',
      ok: deposit.balance >= figures.recommendedUsdc,
      required: false,
      have: `${formatUsdc(deposit.balance)} USDC deposited`,
      need: `${formatUsdc(figures.recommendedUsdc)} USDC; below ${formatUsdc(figures.pauseUsdc)} tasks pause`,
      remedy: topUpTo(figures.recommendedUsdc),
    },
    {
      id: 'usdc-for-collateral',
      ok: canReach(entry),
      required: true,
      have: `${formatUsdc(wallet.usdc)} USDC in the wallet`,
      need: `${formatUsdc(maxOf(entry - deposit.balance, 0n))} USDC more in the deposit`,
      remedy: `send USDC to ${address}`,
    },
    {
      id: 'access-fee',
      ok: paysByCredits || wallet.tokWei >= fee,
      required: true,
      have: `${formatTok(wallet.tokWei)} TOK, ${formatTok(staking.credits)} Action Credits`,
      need: `${formatTok(fee)} TOK, or as many Action Credits, for each post or claim`,
      remedy:
        contracts.swapRouter === undefined
          ? `get TOK, token ${contracts.tokToken}`
          : prepare('buy-tok', { amountTok: formatTok(fee - wallet.tokWei) }),
    },
    {
      id: 'fee-allowance',
      ok: paysByCredits || allowances.tokRouter >= fee,
      required: false,
      have: `${formatTok(allowances.tokRouter)} TOK approved`,
      need: `${formatTok(fee)} TOK; prepare adds an exact approval`,
      remedy: prepare('approve-tok-router', { amountTok: formatTok(fee) }),
    },
    {
      id: 'entries-open',
      ok: !figures.entriesPaused,
      required: true,
      have: figures.entriesPaused ? 'new posts and claims are stopped' : 'open',
      need: 'open',
      remedy: 'wait until the owner opens the market again',
    },
    ...(quota === null
      ? []
      : [
          {
            id: 'posting-quota',
            ok: quota.canPost,
            required: false,
            have: `${Math.max(quota.limit - quota.used, 0)} of ${quota.limit} posts left today, plan ${quota.tier}`,
            need: 'one post left; the chain takes more all the same',
            remedy: prepare('buy-plan', { tier: 'basic' }),
          },
        ]),
  ];
  const ready = checks.every(({ ok, required }) => ok || !required);
  return { address, ready, checks: checks.map(reportCheck) };
}
