// The connected wallet's collateral, stake and office as arbitrator, with their actions. A separate chunk: it needs the
// catalog of actions.
import { catalog, type WriteAction } from '@svc/sdk/actions';
import { type Market, protocolConstants } from '@svc/sdk/domain';
import type { WalletState } from '@svc/sdk/internal/chain/readAgents';
import { type ReactNode, useState } from 'react';
import { useNow } from '../../components/Clock.tsx';
import { Button, NumberField } from '../../components/Form.tsx';
import { Dollars, Sum, Tok, TokField, TypedUsd } from '../../components/Money.tsx';
import { Facts, Lines, Sheet, Status } from '../../components/Sheet.tsx';
import { showDuration, showMoment, showRoundTok, showTok, showUsdc } from '../../data/format.ts';
import { useLimits, useSiteConfig } from '../../data/market.ts';
import { type ChosenAction, useActionDialog } from '../../wallet/ActionDialog.tsx';
import { explainError } from '../../wallet/explainError.ts';
import { useFigures, useWalletState } from '../../wallet/marketAccess.ts';
import { OnChain } from '../../wallet/useWallet.tsx';

type Props = { market: Market };

export function Funds({ market }: Props) {
  return (
    <WithWalletState market={market}>
      {(state) => (
        <>
          <div className="half">
            <Balance market={market} state={state} />
            <Deposit market={market} state={state} />
          </div>
          <div className="half">
            <Stake market={market} state={state} />
            <Sheet title="Judge disputes">
              <OwnArbitration market={market} />
            </Sheet>
          </div>
        </>
      )}
    </WithWalletState>
  );
}

type StateProps = Props & { state: WalletState };

function Balance({ market, state: { usdc, tokWei } }: StateProps) {
  const [amount, setAmount] = useState('');
  const hasPool = useSiteConfig(market).data?.contracts.swapRouter !== undefined;
  return (
    <section className="slip" aria-labelledby="balance">
      <div className="stub">
        <h2 className="small soft mid" id="balance">
          To spend
        </h2>
        <Sum wei={tokWei} />
      </div>
      <div className="tear" />
      <div className="terms stack">
        <Lines lines={[['USDC in the wallet', `${showUsdc(usdc)} USDC`]]} />
        {hasPool && (
          <>
            <NumberField label="TOK to get" value={amount} onChange={(text) => setAmount(text.trim())} />
            <TypedUsd amount={amount} />
            <ActionButtons
              market={market}
              buttons={[
                {
                  action: catalog.buyTok,
                  label: 'Get TOK with USDC',
                  isDisabled: amount === '',
                  args: { amountTok: amount },
                },
              ]}
            />
          </>
        )}
      </div>
    </section>
  );
}

function Deposit({ market, state: { deposit } }: StateProps) {
  const { entryCollateralUsd, pauseThresholdUsd } = useLimits(market);
  const { balance, locked, engagements, isPaused } = deposit;
  return (
    <section className="slip" aria-labelledby="deposit">
      <div className="stub">
        <h2 className="small soft mid" id="deposit">
          Deposit, yours
        </h2>
        <span className="sum">{showUsdc(balance)} USDC</span>
        {isPaused && <Status tone="risk">▲ paused</Status>}
      </div>
      <div className="tear" />
      <div className="terms stack">
        <Lines
          lines={[
            [
              `Locked in ${engagements} open ${engagements === 1 ? 'task' : 'tasks'}`,
              `${showUsdc(locked)} USDC`,
            ],
            ['Free', `${showUsdc(balance - locked)} USDC`],
          ]}
        />
        <AmountActions market={market} unit="USDC" actions={[catalog.topUp, catalog.withdrawDeposit]} />
        <p className="small soft">
          {entryCollateralUsd} USDC to take part. Below {pauseThresholdUsd} USDC your tasks pause.
        </p>
      </div>
    </section>
  );
}

function Stake({ market, state: { staking } }: StateProps) {
  const { stake, unstake, claimReward } = catalog;
  const { staked, credits, rewards } = staking;
  return (
    <Sheet title="Stake" note={`earns ${protocolConstants.stakingBps / 100} % of all fees, shared`}>
      <Lines
        lines={[
          ['You staked', <Dollars key="staked" wei={staked} isExact />],
          ['Rewards to take', <Dollars key="rewards" wei={rewards} isExact />],
          [
            'Fee credits',
            <span key="credits" title={showTok(credits)}>
              {showRoundTok(credits, 2)}
            </span>,
          ],
        ]}
      />
      <AmountActions market={market} unit="TOK" actions={[stake, unstake, claimReward]} />
    </Sheet>
  );
}

/** Becoming an arbitrator, and leaving the office. */
function OwnArbitration({ market }: Props) {
  const [bond, setBond] = useState('');
  const [smallest, setSmallest] = useState('');
  const now = useNow();
  const least = useFigures(market).data?.arbitratorMinBondTokWei;
  return (
    <WithWalletState market={market}>
      {({ arbitrator: { bond: held, unbondAt, minHeld, openCases, isEligible } }) => (
        <>
          <Facts
            facts={{
              'Your bond': held === 0n ? 'none' : <Tok wei={held} hasUsd />,
              ...(held > 0n && {
                State: isEligible
                  ? 'you take cases'
                  : unbondAt > 0
                    ? `you take no new cases; the bond is free ${unbondAt > now ? `from ${showMoment(unbondAt)}` : 'now'}`
                    : 'below the least bond: you take no cases',
                'Open cases': openCases,
                'Smallest case': minHeld === 0n ? 'any' : <Tok wei={minHeld} hasUsd />,
              }),
            }}
          />
          <TokField
            label="Add to the bond, TOK"
            note={
              least !== undefined && held >= least
                ? 'Nothing is needed.'
                : 'Left empty: what is missing to the least bond.'
            }
            value={bond}
            onChange={(text) => setBond(text.trim())}
          />
          <TokField
            label="Smallest case you take, TOK"
            note="Left empty: as it is."
            value={smallest}
            onChange={(text) => setSmallest(text.trim())}
          />
          <ActionButtons
            market={market}
            buttons={[
              {
                action: catalog.registerArbitrator,
                label: held === 0n ? 'Become an arbitrator' : 'Change the bond or the smallest case',
                args: {
                  ...(bond !== '' && { amountTok: bond }),
                  ...(smallest !== '' && { minHeldTok: smallest }),
                },
              },
              ...(held > 0n && unbondAt === 0 ? [{ action: catalog.unbondArbitrator, args: {} }] : []),
              ...(held > 0n && unbondAt > 0 && unbondAt <= now
                ? [{ action: catalog.withdrawBond, args: {} }]
                : []),
            ]}
          />
          <p className="small soft">
            You are paid for each case that you decide, and lose up to {protocolConstants.missSlashBps / 100}{' '}
            % of the bond for each one that you miss. After unbonding it takes{' '}
            {showDuration(protocolConstants.unbondDelaySeconds)} until the bond is free.
          </p>
        </>
      )}
    </WithWalletState>
  );
}

type AmountActionsProps = Props & { unit: string; actions: readonly WriteAction[] };

/** A field for the amount, and a button for each action. */
function AmountActions({ market, unit, actions }: AmountActionsProps) {
  const [amount, setAmount] = useState('');
  return (
    <>
      <NumberField label={`Amount, ${unit}`} value={amount} onChange={(value) => setAmount(value.trim())} />
      {unit === 'TOK' && <TypedUsd amount={amount} />}
      <ActionButtons
        market={market}
        buttons={actions.map((action) => {
          const [field] = action.fields ?? [];
          return {
            action,
            isDisabled: field !== undefined && amount === '',
            args: field === undefined ? {} : { [field.name]: amount },
          };
        })}
      />
    </>
  );
}

type ActionButton = ChosenAction & {
  /** The title of the action unless given. */
  label?: string;
  isDisabled?: boolean;
};

/** A button for each action; it opens the dialog of the action. */
function ActionButtons({ market, buttons }: { market: Market; buttons: readonly ActionButton[] }) {
  const [dialog, choose] = useActionDialog(market);
  return (
    <>
      <div className="row">
        {buttons.map(({ label, isDisabled, ...button }) => (
          <Button key={button.action.name} disabled={isDisabled} onClick={() => choose(button)}>
            {label ?? button.action.title}
          </Button>
        ))}
      </div>
      {dialog}
    </>
  );
}

type WithWalletStateProps = { market: Market; children: (state: WalletState) => ReactNode };

/** Renders the connected wallet's balances, or says why they are not available. */
export function WithWalletState({ market, children }: WithWalletStateProps) {
  const { data, error } = useWalletState(market);
  return (
    <OnChain>
      {data !== undefined ? (
        children(data)
      ) : (
        <p className="small soft" role="status">
          {error === null
            ? 'Reading your balances through the wallet…'
            : `Cannot read your balances. ${explainError(error)}`}
        </p>
      )}
    </OnChain>
  );
}
