// The connected wallet's collateral: what it has, what is locked, top up and withdraw.
import { encodeTopUp, encodeWithdrawDeposit } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { parseUsdc } from '@svc/sdk/domain';
import { showTok, showUsdc } from '#data/format.ts';
import { type Purse, usePurse } from '#wallet/readPurse.ts';
import { AmountActions, WithPurse } from './AmountActions.tsx';

const words = {
  topUp: {
    name: 'Top up',
    effect: 'USDC moves from your wallet into your collateral on this market.',
    risk: 'A bond of it is locked for each task you take part in, and goes to the other side if you let them down.',
    undo: 'Withdraw what is not locked, at any time.',
  },
  withdraw: {
    name: 'Withdraw',
    effect: 'USDC that is not locked moves from your collateral to your wallet.',
    risk: 'Below 25 USDC you cannot enter another task. While you have open tasks, 25 USDC and every bond stay.',
    undo: 'Top up again.',
  },
} as const;

export function OwnFunds({ market }: { readonly market: Market }) {
  const purse = usePurse(market);
  return (
    <section className="sheet">
      <header>
        <h2>Your collateral</h2>
        {purse.data?.isPaused === true && (
          <span className="status" data-tone="risk">
            ▲ paused
          </span>
        )}
      </header>
      <div className="body stack">
        <WithPurse market={market} fallback={<Thresholds />}>
          {(known, address) => <Funds market={market} address={address} purse={known} />}
        </WithPurse>
      </div>
    </section>
  );
}

/** What a visitor without a wallet is told. */
function Thresholds() {
  return (
    <>
      <dl className="pairs">
        <dt>To enter a task</dt>
        <dd>25 USDC</dd>
        <dt>Recommended</dt>
        <dd>45 USDC</dd>
        <dt>Paused with open tasks below</dt>
        <dd>8 USDC</dd>
      </dl>
      <p className="small quiet">
        It stays yours; a part is bound while a task runs. Connect a wallet to see its collateral, to top it
        up and to withdraw it.
      </p>
    </>
  );
}

function Funds({
  market,
  address,
  purse,
}: {
  readonly market: Market;
  readonly address: `0x${string}`;
  readonly purse: Purse;
}) {
  const { deposit } = purse;
  return (
    <>
      <dl className="pairs">
        <dt>Deposited</dt>
        <dd>{showUsdc(deposit.balance)} USDC</dd>
        <dt>Locked in {deposit.engagements} open tasks</dt>
        <dd>{showUsdc(deposit.locked)} USDC</dd>
        <dt>Free</dt>
        <dd>{showUsdc(deposit.balance - deposit.locked)} USDC</dd>
        <dt>In the wallet</dt>
        <dd>
          {showUsdc(purse.usdc)} USDC, {showTok(purse.tokWei)} TOK
        </dd>
      </dl>
      <AmountActions
        market={market}
        unit="USDC"
        actions={[
          {
            words: words.topUp,
            plan: (contracts, amount) => {
              const usdc = parseUsdc(amount);
              return { calls: encodeTopUp(contracts, usdc), usdc, usdcFor: 'Into your collateral' };
            },
          },
          {
            words: words.withdraw,
            plan: (contracts, amount) => {
              const amountUsdc = parseUsdc(amount);
              return {
                calls: encodeWithdrawDeposit(contracts, { amountUsdc, to: address }),
                moves: [{ what: 'To your wallet', amount: `${showUsdc(amountUsdc)} USDC` }],
              };
            },
          },
        ]}
      />
    </>
  );
}
