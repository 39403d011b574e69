// The Union vault of a market: stake, credits, rewards; and what the connected wallet may do there.
import { encodeClaimReward, encodeStake, encodeUnstake } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { parseTok } from '@svc/sdk/domain';
import { Tok } from '#components/Money.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { showRoundTok, showTok } from '#data/format.ts';
import { useUnion } from '#data/market.ts';
import type { Cost } from '#wallet/plan.ts';
import type { Purse } from '#wallet/readPurse.ts';
import { AmountActions, WithPurse } from './AmountActions.tsx';

const words = {
  stake: {
    name: 'Stake TOK',
    effect:
      'Your TOK moves into the Union vault. It earns a share of the fees, and Action Credits that pay access fees.',
    risk: 'The stake is locked for a day from the last time you stake. The least stake is 10,000 TOK.',
    undo: 'Unstake after a day.',
  },
  unstake: {
    name: 'Unstake TOK',
    effect: 'TOK moves from the vault back to your wallet. What is left must be 0 or at least 10,000 TOK.',
    risk: 'You stop earning on what you take out. Credits and rewards you have stay.',
    undo: 'Stake again.',
  },
  claim: {
    name: 'Claim rewards',
    effect: 'The TOK your stake has earned moves to your wallet.',
    risk: 'None but gas.',
    undo: 'It cannot be undone, and need not be.',
  },
} as const;

export function UnionPanel({ market }: { readonly market: Market }) {
  const union = useUnion(market);
  return (
    <section className="sheet">
      <header>
        <h2>Union vault</h2>
        <span className="small faint">stakers share 40 % of all fees</span>
      </header>
      <div className="body stack">
        <QueryView query={union} what="the Union vault">
          {(vault) => (
            <dl className="pairs">
              <dt>Staking</dt>
              <dd>{vault.stakingActive ? 'open' : 'not open yet'}</dd>
              <dt>Staked by all</dt>
              <dd>
                <Tok wei={vault.totalStakedTok} hasUsd />
              </dd>
              <dt>Reward reserve</dt>
              <dd title={`${showTok(vault.rewardReserveTok)} TOK`}>
                {showRoundTok(vault.rewardReserveTok, 2)} TOK
              </dd>
              <dt>Credits issued</dt>
              <dd title={showTok(vault.totalCreditsIssued)}>{showRoundTok(vault.totalCreditsIssued, 2)}</dd>
              <dt>Credits left to issue</dt>
              <dd title={showTok(vault.creditsRemaining)}>
                {vault.creditIssuanceClosed ? 'closed' : showRoundTok(vault.creditsRemaining, 2)}
              </dd>
            </dl>
          )}
        </QueryView>
        <WithPurse
          market={market}
          fallback={<p className="small quiet">Connect a wallet to stake, unstake and claim.</p>}
        >
          {({ stake }) => <Stake market={market} stake={stake} />}
        </WithPurse>
      </div>
    </section>
  );
}

function Stake({ market, stake }: { readonly market: Market; readonly stake: Purse['stake'] }) {
  return (
    <>
      <dl className="pairs">
        <dt>Your stake</dt>
        <dd>
          <Tok wei={stake.tokWei} />
        </dd>
        <dt>Your credits</dt>
        <dd title={showTok(stake.credits)}>{showRoundTok(stake.credits, 2)} credits</dd>
        <dt>Your rewards</dt>
        <dd>
          <span title={`${showTok(stake.rewardsWei)} TOK`}>{showRoundTok(stake.rewardsWei, 2)} TOK</span>
        </dd>
      </dl>
      <AmountActions
        market={market}
        unit="TOK"
        actions={[
          {
            words: words.stake,
            plan: (contracts, amount) => {
              const tokWei = parseTok(amount);
              return { calls: encodeStake(contracts, tokWei), tokWei, tokFor: 'Into the vault' };
            },
          },
          {
            words: words.unstake,
            plan: (contracts, amount) => {
              const tokWei = parseTok(amount);
              return { calls: encodeUnstake(contracts, tokWei), moves: [toWallet(tokWei, 'of your stake')] };
            },
          },
          {
            words: words.claim,
            hasAmount: false,
            plan: (contracts) => ({
              calls: encodeClaimReward(contracts),
              moves: [toWallet(stake.rewardsWei, 'as of now; what it earns until then comes along')],
            }),
          },
        ]}
      />
    </>
  );
}

function toWallet(wei: bigint, note: string): Cost {
  return { what: 'To your wallet', amount: `${showTok(wei)} TOK`, note };
}
