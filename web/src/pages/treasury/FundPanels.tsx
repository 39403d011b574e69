// The panels of the treasury page: the Union vault of a market, the connected wallet's collateral, and arbitration.
import { type Market, protocolConstants } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { RoundTok, Tok } from '../../components/Money.tsx';
import { lazyPart, QueryView } from '../../components/QueryView.tsx';
import { Facts, Sheet } from '../../components/Sheet.tsx';
import { showRoundTok, showTok } from '../../data/format.ts';
import { useLeastBond } from '../../data/gateway.ts';
import { useLimits, useUnion } from '../../data/market.ts';
import { ChooseWallet, useWallet } from '../../wallet/useWallet.tsx';

const loadFunds = () => import('./OwnFunds.tsx');
const loading = <p className="small quiet">Loading your funds…</p>;
const OwnCollateral = lazyPart(async () => (await loadFunds()).OwnCollateral, loading);
const OwnStake = lazyPart(async () => (await loadFunds()).OwnStake, loading);
const OwnArbitration = lazyPart(async () => (await loadFunds()).OwnArbitration, loading);

type Props = { market: Market };

export function FundPanels({ market }: Props) {
  const least = useLeastBond(market);
  return (
    <div className="columns panels">
      <Sheet title="Union vault" note={`stakers share ${protocolConstants.stakingBps / 100} % of all fees`}>
        <Vault market={market} />
        <WithWallet fallback={<p className="small quiet">Connect a wallet to stake, unstake and claim.</p>}>
          <OwnStake market={market} />
        </WithWallet>
      </Sheet>
      <Sheet title="Your collateral">
        <WithWallet fallback={<Thresholds market={market} />}>
          <OwnCollateral market={market} />
        </WithWallet>
      </Sheet>
      <Sheet
        title="Arbitration"
        note={
          <span className="small faint">
            the least bond is <Tok wei={least} hasUsd />
          </span>
        }
      >
        <WithWallet
          fallback={<p className="small quiet">Connect a wallet to become an arbitrator of this market.</p>}
        >
          <OwnArbitration market={market} />
        </WithWallet>
      </Sheet>
    </div>
  );
}

function Vault({ market }: Props) {
  const union = useUnion(market);
  const credits = (amount: string, text = showRoundTok(amount, 2)) => (
    <span title={showTok(amount)}>{text}</span>
  );
  return (
    <QueryView query={union} what="the Union vault">
      {(vault) => (
        <Facts
          facts={{
            Staking: vault.stakingActive ? 'open' : 'not open yet',
            'Staked by all': <Tok wei={vault.totalStakedTok} hasUsd />,
            'Reward reserve': <RoundTok wei={vault.rewardReserveTokWei} />,
            'Credits issued': credits(vault.totalCreditsIssued),
            'Credits left to issue': credits(
              vault.creditsRemaining,
              vault.creditIssuanceClosed ? 'closed' : undefined,
            ),
          }}
        />
      )}
    </QueryView>
  );
}

/** For a visitor without a wallet. */
function Thresholds({ market }: Props) {
  const { entryCollateralUsd, recommendedCollateralUsd, pauseThresholdUsd } = useLimits(market);
  return (
    <>
      <Facts
        facts={{
          'To enter a task': `${entryCollateralUsd} USDC`,
          Recommended: `${recommendedCollateralUsd} USDC`,
          'Paused below, with open tasks': `${pauseThresholdUsd} USDC`,
        }}
      />
      <p className="small quiet">
        It stays yours; a part is locked while a task runs. Connect a wallet to see its collateral, to top it
        up and to withdraw it.
      </p>
      <ChooseWallet />
    </>
  );
}

function WithWallet({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useWallet() === null ? fallback : children;
}
