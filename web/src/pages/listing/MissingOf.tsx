// What a wallet still lacks to begin a task: collateral, TOK for its fee, and the permission to take the fee. Named with
// its owner, before anybody signs.
import { catalog } from '@svc/sdk/actions';
import { formatUsdc, type Market } from '@svc/sdk/domain';
import { missingCollateral, paysWithCredits } from '@svc/sdk/internal/actions/costs';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '../../components/Form.tsx';
import { showTok } from '../../data/format.ts';
import { queryKeys } from '../../data/queryKeys.ts';
import { type ChosenAction, useActionDialog } from '../../wallet/ActionDialog.tsx';
import { useFigures, useMarketAccess, useStanding, useWalletState } from '../../wallet/marketAccess.ts';

type Props = { market: Market; wallet: string; who: string; isOwn?: boolean };

type Missing = {
  readonly text: string;
  /** What its owner can do about it. */
  readonly way: Fix | null;
};

type Fix = ChosenAction & { readonly label: string };

const sentences = new Intl.ListFormat('en');

/** Nothing where nothing is missing. With `isOwn` each has its button. */
export function MissingOf({ market, wallet, who, isOwn = false }: Props) {
  const missing = useMissing(market, wallet);
  const [dialog, fix] = useActionDialog(market);
  return (
    <>
      {missing.length > 0 && (
        <div className="notice" data-is="time">
          <p>
            {who} {sentences.format(missing.map(({ text }) => text))}.
          </p>
          {isOwn ? (
            <p className="row">
              {missing.map(
                ({ way }) =>
                  way && (
                    <Button key={way.label} onClick={() => fix(way)}>
                      {way.label}
                    </Button>
                  ),
              )}
            </p>
          ) : (
            <p className="small">The task cannot be created until then.</p>
          )}
        </div>
      )}
      {dialog}
    </>
  );
}

/** Why the gateway would refuse what a wallet without a part in the market signs. */
export function EntryNote({ market, what }: { market: Market; what: string }) {
  const { data: figures } = useFigures(market);
  if (useStanding() !== false || figures === undefined) return null;
  return (
    <p className="notice" data-is="time">
      {what} needs the entry collateral of {formatUsdc(figures.entryUsdc)} USDC, which stays yours.
    </p>
  );
}

/** USDC that the connected wallet lacks to begin a task; null until it is known. */
export function useMissingDeposit(market: Market): bigint | null {
  const { data: figures } = useFigures(market);
  const { data: state } = useWalletState(market);
  return state === undefined || figures === undefined ? null : missingCollateral(state, figures);
}

function useMissing(market: Market, wallet: string): readonly Missing[] {
  const access = useMarketAccess();
  const { data: figures } = useFigures(market);
  const { data: state } = useQuery({
    queryKey: [...queryKeys.wallet(market, wallet), 'missing'],
    refetchInterval: 15_000,
    queryFn: access === null ? skipToken : () => access.reads.readWallet(market, wallet as `0x${string}`),
  });
  return useMemo(() => {
    if (figures === undefined || state === undefined) return [];
    const lacksUsdc = missingCollateral(state, figures);
    const amountUsdc = formatUsdc(lacksUsdc);
    const fee = paysWithCredits(state, figures) ? 0n : figures.accessFeeTokWei;
    const lacksTok = state.tokWei < fee;
    const feeOf = `its access fee of ${showTok(fee)} TOK`;
    const all: readonly (Missing | false)[] = [
      lacksUsdc > 0n && {
        text: `needs ${amountUsdc} USDC more collateral`,
        way: { label: `Top up ${amountUsdc} USDC`, action: catalog.topUp, args: { amountUsdc } },
      },
      lacksTok && { text: `has too little TOK for ${feeOf}`, way: null },
      state.allowances.tokRouter < fee && {
        text: `has not approved ${lacksTok ? 'it' : feeOf}`,
        way: {
          label: 'Approve the access fee',
          action: catalog.approveTokRouter,
          args: { amountTokWei: String(fee) },
        },
      },
    ];
    return all.filter((one) => one !== false);
  }, [figures, state]);
}
