// Actions on the connected wallet's funds: a field for the amount, a button for each action, and its dialog.

import type { Address, Market } from '@svc/sdk/domain';
import { type ReactNode, useMemo, useState } from 'react';
import { NumberField } from '#components/Field.tsx';
import { useSiteConfig } from '#data/market.ts';
import { ActionDialog } from '#wallet/ActionDialog.tsx';
import type { ActionWords } from '#wallet/actionWords.ts';
import { buildPlan, type Needs, type Plan } from '#wallet/plan.ts';
import { type Contracts, type Purse, usePurse } from '#wallet/readPurse.ts';
import { explainError } from '#wallet/send.ts';
import { useWallet, WrongChain } from '#wallet/useWallet.tsx';

export type AmountAction = {
  readonly words: ActionWords;
  /** True unless given. */
  readonly hasAmount?: boolean;
  /** Throws in words where the amount is none. */
  readonly plan: (contracts: Contracts, amount: string) => Needs;
};

export function AmountActions({
  market,
  unit,
  actions,
}: {
  readonly market: Market;
  readonly unit: string;
  readonly actions: readonly AmountAction[];
}) {
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState<AmountAction | null>(null);
  return (
    <>
      <NumberField label={`Amount, ${unit}`} value={amount} onChange={(value) => setAmount(value.trim())} />
      <div className="row">
        {actions.map((action) => (
          <button
            key={action.words.name}
            type="button"
            className="button"
            disabled={action.hasAmount !== false && amount === ''}
            onClick={() => setChosen(action)}
          >
            {action.words.name}
          </button>
        ))}
      </div>
      {chosen !== null && (
        <Chosen market={market} action={chosen} amount={amount} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

function Chosen({
  market,
  action,
  amount,
  onClose,
}: {
  readonly market: Market;
  readonly action: AmountAction;
  readonly amount: string;
  readonly onClose: () => void;
}) {
  const purse = usePurse(market);
  const site = useSiteConfig(market);
  const { plan, error } = useMemo((): { plan?: Plan; error: string | null } => {
    if (purse.data === undefined || site.data === undefined) {
      const readError = purse.error ?? site.error;
      return { error: readError === null ? null : explainError(readError) };
    }
    try {
      const contracts = site.data.contracts as Contracts;
      return { plan: buildPlan(contracts, purse.data, action.plan(contracts, amount)), error: null };
    } catch (reason) {
      return { error: (reason as Error).message };
    }
  }, [purse.data, purse.error, site.data, site.error, action, amount]);
  return <ActionDialog words={action.words} plan={plan} error={error} onClose={onClose} />;
}

/** Renders the connected wallet's balances, or says why they are not available. */
export function WithPurse({
  market,
  fallback,
  children,
}: {
  readonly market: Market;
  /** For a visitor who has no wallet. */
  readonly fallback: ReactNode;
  readonly children: (purse: Purse, address: Address) => ReactNode;
}) {
  const wallet = useWallet();
  const purse = usePurse(market);
  if (wallet === null) return fallback;
  if (!wallet.isOnChain) return <WrongChain />;
  if (purse.data !== undefined) return children(purse.data, wallet.address);
  return (
    <p className="small quiet" role="status">
      {purse.isError
        ? `Cannot read your balances. ${explainError(purse.error)}`
        : 'Reading your balances through the wallet…'}
    </p>
  );
}
