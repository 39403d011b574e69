// Actions on the connected wallet's funds: a field for the amount, a button for each action, and its dialog.

import type { WriteAction } from '@svc/sdk/actions';
import type { WalletState } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { type ReactNode, useMemo, useState } from 'react';
import { NumberField } from '#components/Field.tsx';
import { TypedUsd } from '#components/Money.tsx';
import { ActionDialog } from '#wallet/ActionDialog.tsx';
import { useWalletState } from '#wallet/marketAccess.ts';
import { explainError } from '#wallet/send.ts';

export function AmountActions({
  market,
  unit,
  actions,
}: {
  readonly market: Market;
  readonly unit: string;
  readonly actions: readonly WriteAction[];
}) {
  const [amount, setAmount] = useState('');
  const [chosen, setChosen] = useState<WriteAction | null>(null);
  const args = useMemo(() => {
    const [field] = chosen?.fields ?? [];
    return { market, ...(field !== undefined && { [field.name]: amount }) };
  }, [chosen, market, amount]);
  return (
    <>
      <NumberField label={`Amount, ${unit}`} value={amount} onChange={(value) => setAmount(value.trim())} />
      {unit === 'TOK' && <TypedUsd amount={amount} />}
      <div className="row">
        {actions.map((action) => (
          <button
            key={action.name}
            type="button"
            className="button"
            disabled={action.fields !== undefined && amount === ''}
            onClick={() => setChosen(action)}
          >
            {action.title}
          </button>
        ))}
      </div>
      {chosen !== null && (
        <ActionDialog action={chosen} market={market} args={args} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

/** Renders the connected wallet's balances, or says why they are not available. */
export function WithWalletState({
  market,
  children,
}: {
  readonly market: Market;
  readonly children: (state: WalletState) => ReactNode;
}) {
  const { data, error } = useWalletState(market);
  if (data !== undefined) return children(data);
  return (
    <p className="small quiet" role="status">
      {error === null
        ? 'Reading your balances through the wallet…'
        : `Cannot read your balances. ${explainError(error)}`}
    </p>
  );
}
