// Actions on one's own funds: an amount, a button for each, and the same explanation before the wallet as everywhere.

import type { Market } from '@svc/sdk/domain';
import { useMemo, useState } from 'react';
import { Field } from '../../components/Field.tsx';
import { useSiteConfig } from '../../data/market.ts';
import { ActionDialog } from '../../wallet/ActionDialog.tsx';
import type { ActionWords } from '../../wallet/actionWords.ts';
import { buildPlan, type Needs, type Plan } from '../../wallet/plan.ts';
import { type Contracts, usePurse } from '../../wallet/readPurse.ts';
import { explainFailure } from '../../wallet/send.ts';

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
      <Field label={`Amount, ${unit}`}>
        {(props) => (
          <input
            {...props}
            inputMode="decimal"
            value={amount}
            onChange={(event) => setAmount(event.target.value.trim())}
          />
        )}
      </Field>
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
  const { plan, fault } = useMemo((): { plan?: Plan; fault: string | null } => {
    if (purse.data === undefined || site.data === undefined) {
      const error = purse.error ?? site.error;
      return { fault: error === null ? null : explainFailure(error) };
    }
    try {
      const contracts = site.data.contracts as Contracts;
      return { plan: buildPlan(contracts, purse.data, action.plan(contracts, amount)), fault: null };
    } catch (error) {
      return { fault: (error as Error).message };
    }
  }, [purse.data, purse.error, site.data, site.error, action, amount]);
  return (
    <ActionDialog words={action.words} plan={plan} fault={fault} onClose={onClose}>
      {null}
    </ActionDialog>
  );
}
