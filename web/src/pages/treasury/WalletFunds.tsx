// The connected wallet's collateral and stake, with their actions. A separate chunk: it needs the catalog of actions.
import { catalog } from '@svc/sdk/actions';
import type { Market } from '@svc/sdk/domain';
import { RoundTok, Tok } from '#components/Money.tsx';
import { showRoundTok, showTok, showUsdc } from '#data/format.ts';
import { AmountActions, WithWalletState } from './AmountActions.tsx';

type Props = { readonly market: Market };

export function OwnCollateral({ market }: Props) {
  return (
    <WithWalletState market={market}>
      {({ deposit, usdc, tokWei }) => (
        <>
          {deposit.isPaused && (
            <p>
              <span className="status" data-tone="risk">
                ▲ paused
              </span>
            </p>
          )}
          <dl className="pairs">
            <dt>Deposited</dt>
            <dd>{showUsdc(deposit.balance)} USDC</dd>
            <dt>Locked in {deposit.engagements} open tasks</dt>
            <dd>{showUsdc(deposit.locked)} USDC</dd>
            <dt>Free</dt>
            <dd>{showUsdc(deposit.balance - deposit.locked)} USDC</dd>
            <dt>In the wallet</dt>
            <dd>
              {showUsdc(usdc)} USDC, <RoundTok wei={tokWei} />
            </dd>
          </dl>
          <AmountActions market={market} unit="USDC" actions={[catalog.topUp, catalog.withdrawDeposit]} />
        </>
      )}
    </WithWalletState>
  );
}

export function OwnStake({ market }: Props) {
  return (
    <WithWalletState market={market}>
      {({ staking: { staked, credits, rewards } }) => (
        <>
          <dl className="pairs">
            <dt>Your stake</dt>
            <dd>
              <Tok wei={staked} hasUsd />
            </dd>
            <dt>Your credits</dt>
            <dd title={showTok(credits)}>{showRoundTok(credits, 2)} credits</dd>
            <dt>Your rewards</dt>
            <dd>
              <RoundTok wei={rewards} />
            </dd>
          </dl>
          <AmountActions
            market={market}
            unit="TOK"
            actions={[catalog.stake, catalog.unstake, catalog.claimReward]}
          />
        </>
      )}
    </WithWalletState>
  );
}
