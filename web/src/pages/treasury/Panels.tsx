// The panels of the treasury page: the Union vault of a market, and the connected wallet's collateral.
import { type Market, marketParameters, protocolConstants } from '@svc/sdk/domain';
import { lazy, type ReactNode, Suspense } from 'react';
import { RoundTok, Tok } from '#components/Money.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { showRoundTok, showTok } from '#data/format.ts';
import { useLimits, useUnion } from '#data/market.ts';
import { useWallet, WrongChain } from '#wallet/useWallet.tsx';

const loadFunds = () => import('./WalletFunds.tsx');
const OwnCollateral = lazy(async () => ({ default: (await loadFunds()).OwnCollateral }));
const OwnStake = lazy(async () => ({ default: (await loadFunds()).OwnStake }));

const OwnArbitration = lazy(async () => ({ default: (await import('./OwnArbitration.tsx')).OwnArbitration }));

type Props = { readonly market: Market };

export function UnionPanel({ market }: Props) {
  const union = useUnion(market);
  return (
    <section className="sheet">
      <header>
        <h2>Union vault</h2>
        <span className="small faint">stakers share {protocolConstants.stakingBps / 100} % of all fees</span>
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
              <dd>
                <RoundTok wei={vault.rewardReserveTok} />
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
        <WithWallet fallback={<p className="small quiet">Connect a wallet to stake, unstake and claim.</p>}>
          <OwnStake market={market} />
        </WithWallet>
      </div>
    </section>
  );
}

export function CollateralPanel({ market }: Props) {
  return (
    <section className="sheet">
      <header>
        <h2>Your collateral</h2>
      </header>
      <div className="body stack">
        <WithWallet fallback={<Thresholds market={market} />}>
          <OwnCollateral market={market} />
        </WithWallet>
      </div>
    </section>
  );
}

export function ArbitrationPanel({ market }: Props) {
  const least = marketParameters[market].arbitratorMinBondTokWei;
  return (
    <section className="sheet">
      <header>
        <h2>Arbitration</h2>
        <span className="small faint">
          the least bond is <Tok wei={least} hasUsd />
        </span>
      </header>
      <div className="body stack">
        <WithWallet
          fallback={<p className="small quiet">Connect a wallet to become an arbitrator of this market.</p>}
        >
          <OwnArbitration market={market} />
        </WithWallet>
      </div>
    </section>
  );
}

/** For a visitor without a wallet. */
function Thresholds({ market }: Props) {
  const { entryCollateralUsd, recommendedCollateralUsd, pauseThresholdUsd } = useLimits(market);
  return (
    <>
      <dl className="pairs">
        <dt>To enter a task</dt>
        <dd>{entryCollateralUsd} USDC</dd>
        <dt>Recommended</dt>
        <dd>{recommendedCollateralUsd} USDC</dd>
        <dt>Paused with open tasks below</dt>
        <dd>{pauseThresholdUsd} USDC</dd>
      </dl>
      <p className="small quiet">
        It stays yours; a part is locked while a task runs. Connect a wallet to see its collateral, to top it
        up and to withdraw it.
      </p>
    </>
  );
}

function WithWallet({ fallback, children }: { readonly fallback: ReactNode; readonly children: ReactNode }) {
  const wallet = useWallet();
  if (wallet === null) return fallback;
  if (!wallet.isOnChain) return <WrongChain />;
  return <Suspense fallback={<p className="small quiet">Loading your funds…</p>}>{children}</Suspense>;
}
