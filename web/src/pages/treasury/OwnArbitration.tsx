// Becoming an arbitrator and leaving the office with the connected wallet. A separate chunk: it needs the catalog.
import { catalog, type WriteAction } from '@svc/sdk/actions';
import { type Market, marketParameters, protocolConstants } from '@svc/sdk/domain';
import { useMemo, useState } from 'react';
import { useNow } from '#components/Clock.tsx';
import { NumberField } from '#components/Field.tsx';
import { Tok, TypedUsd } from '#components/Money.tsx';
import { showDuration, showMoment } from '#data/time.ts';
import { ActionDialog } from '#wallet/ActionDialog.tsx';
import { WithWalletState } from './AmountActions.tsx';

type Props = { readonly market: Market };

export function OwnArbitration({ market }: Props) {
  const [chosen, setChosen] = useState<WriteAction | null>(null);
  const [bond, setBond] = useState('');
  const [smallest, setSmallest] = useState('');
  const now = useNow();
  const args = useMemo(
    () => ({
      market,
      ...(chosen === catalog.registerArbitrator && bond !== '' && { amountTok: bond }),
      ...(chosen === catalog.registerArbitrator && smallest !== '' && { minHeldTok: smallest }),
    }),
    [chosen, market, bond, smallest],
  );
  const least = marketParameters[market].arbitratorMinBondTokWei;
  return (
    <WithWalletState market={market}>
      {({ arbitrator: { bond: held, unbondAt, minHeld, openCases, isEligible } }) => (
        <>
          <dl className="pairs">
            <dt>Your bond</dt>
            <dd>{held === 0n ? 'none' : <Tok wei={held} hasUsd />}</dd>
            {held > 0n && (
              <>
                <dt>State</dt>
                <dd>
                  {isEligible
                    ? 'you take cases'
                    : unbondAt > 0
                      ? `you take no new cases; the bond is free ${unbondAt > now ? `from ${showMoment(unbondAt)}` : 'now'}`
                      : 'below the least bond: you take no cases'}
                </dd>
                <dt>Open cases</dt>
                <dd>{openCases}</dd>
                <dt>Smallest case</dt>
                <dd>{minHeld === 0n ? 'any' : <Tok wei={minHeld} hasUsd />}</dd>
              </>
            )}
          </dl>
          <TokField
            label="Add to the bond, TOK"
            note={held >= least ? 'Nothing is needed.' : 'Left empty: what is missing to the least bond.'}
            value={bond}
            onChange={setBond}
          />
          <TokField
            label="Smallest case you take, TOK"
            note="Left empty: as it is."
            value={smallest}
            onChange={setSmallest}
          />
          <div className="row">
            <ActionButton action={catalog.registerArbitrator} onChoose={setChosen}>
              {held === 0n ? 'Become an arbitrator' : 'Change the bond or the smallest case'}
            </ActionButton>
            {held > 0n && unbondAt === 0 && (
              <ActionButton action={catalog.unbondArbitrator} onChoose={setChosen} />
            )}
            {held > 0n && unbondAt > 0 && unbondAt <= now && (
              <ActionButton action={catalog.withdrawBond} onChoose={setChosen} />
            )}
          </div>
          <p className="small quiet">
            You are paid for each case that you decide, and lose {protocolConstants.missSlashBps / 100} % of
            the bond for each one that you miss. After unbonding it takes{' '}
            {showDuration(protocolConstants.unbondDelaySeconds)} until the bond is free.
          </p>
          {chosen !== null && (
            <ActionDialog action={chosen} market={market} args={args} onClose={() => setChosen(null)} />
          )}
        </>
      )}
    </WithWalletState>
  );
}

function ActionButton({
  action,
  onChoose,
  children = action.title,
}: {
  readonly action: WriteAction;
  readonly onChoose: (action: WriteAction) => void;
  readonly children?: string;
}) {
  return (
    <button type="button" className="button" onClick={() => onChoose(action)}>
      {children}
    </button>
  );
}

/** An amount in TOK with its value in USD while it is typed. */
function TokField({ note, value, ...props }: Parameters<typeof NumberField>[0]) {
  return (
    <div>
      <NumberField {...props} note={note} value={value} onChange={(text) => props.onChange(text.trim())} />
      <TypedUsd amount={value} />
    </div>
  );
}
