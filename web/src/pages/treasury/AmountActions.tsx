// Actions on the connected wallet's funds: a field for the amount, a button for each action, and its dialog.

import type { WriteAction } from '@svc/sdk/actions';
import type { Market } from '@svc/sdk/domain';
import type { WalletState } from '@svc/sdk/internal/chain/readAgents';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '#components/Button.tsx';
import { NumberField } from '#components/Field.tsx';
import { TypedUsd } from '#components/Money.tsx';
import { ActionDialog } from '#wallet/ActionDialog.tsx';
import { useWalletState } from '#wallet/marketAccess.ts';
import { explainError } from '#wallet/send.ts';

type Props = { market: Market; unit: string; actions: readonly WriteAction[] };

export function AmountActions({ market, unit, actions }: Props) {
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

type ActionButton = {
  action: WriteAction;
  /** The title of the action unless given. */
  label?: string;
  args?: Readonly<Record<string, string>>;
  isDisabled?: boolean;
};

/** A button for each action; it opens the dialog of the action. */
export function ActionButtons({ market, buttons }: { market: Market; buttons: readonly ActionButton[] }) {
  const [chosen, setChosen] = useState<Pick<ActionButton, 'action' | 'args'> | null>(null);
  const args = useMemo(() => ({ market, ...chosen?.args }), [market, chosen]);
  return (
    <>
      <div className="row">
        {buttons.map(({ label, isDisabled, ...button }) => (
          <Button key={button.action.name} disabled={isDisabled} onClick={() => setChosen(button)}>
            {label ?? button.action.title}
          </Button>
        ))}
      </div>
      {chosen !== null && (
        <ActionDialog action={chosen.action} market={market} args={args} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

type WithWalletStateProps = { market: Market; children: (state: WalletState) => ReactNode };

/** Renders the connected wallet's balances, or says why they are not available. */
export function WithWalletState({ market, children }: WithWalletStateProps) {
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
