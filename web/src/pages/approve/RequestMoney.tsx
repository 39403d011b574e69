// The money of a request as a whole: what its simulation changes, what unknown contracts would move, and what is done already.
import type { ExplainedCall } from '@svc/sdk/actions';
import type { Call } from '@svc/sdk/chain';
import { describeAllowance } from '@svc/sdk/internal/actions/explainCalls';
import { skipToken, useQuery } from '@tanstack/react-query';
import { formatEther } from 'viem';
import { Usd } from '../../components/Money.tsx';
import { showTok, showUsdc } from '../../data/format.ts';
import { type AddressBook, decodeCall } from '../../wallet/decodeCall.ts';
import { type SimulationResult, useMarketAccess } from '../../wallet/marketAccess.ts';
import { useLeftAllowances } from '../../wallet/useExplained.ts';

type Owner = `0x${string}`;

/** In place of amounts that are not on the page. */
export function MoneyState({ isRead, failure }: { isRead: boolean; failure: string | null }) {
  if (!isRead) return <p className="notice">Reading what this moves…</p>;
  if (failure === null) return null;
  return (
    <p className="notice" data-is="risk">
      What this moves could not be read: {failure} Approve only what you know for certain.
    </p>
  );
}

type Change = NonNullable<Extract<SimulationResult, { status: 'success' }>['change']>;

type BalanceChangeProps = {
  change: Change;
  explained: readonly ExplainedCall[] | undefined;
  isDangerous: boolean;
};

/** Of the wallet itself; collateral, stakes and escrow are in the tables above. Says nothing that could calm where there is a danger. */
export function BalanceChange({ change: { tokWei, usdc }, explained = [], isDangerous }: BalanceChangeProps) {
  if (tokWei === 0n && usdc === 0n)
    return isDangerous ? (
      <p className="plantotal">
        The TOK and USDC of your wallet do not move yet. That does not make what is marked in red safe.
      </p>
    ) : (
      <p className="plantotal">
        {explained.some(({ movements }) => movements.length > 0)
          ? 'Your wallet itself pays nothing: the amounts above are held by the contracts already.'
          : 'These calls leave the TOK and USDC of your wallet where they are.'}
      </p>
    );
  return (
    <p className="plantotal">
      <b>
        In total, your wallet {tokWei < 0n || (tokWei === 0n && usdc < 0n) ? 'pays' : 'gets'}{' '}
        {tokWei !== 0n && (
          <>
            {showTok(tokWei < 0n ? -tokWei : tokWei)} TOK
            <Usd wei={tokWei < 0n ? -tokWei : tokWei} />
          </>
        )}
        {tokWei !== 0n &&
          usdc !== 0n &&
          (tokWei < 0n === usdc < 0n ? ' and ' : usdc < 0n ? ', and pays ' : ', and gets ')}
        {usdc !== 0n && `${showUsdc(usdc < 0n ? -usdc : usdc)} USDC`}.
      </b>
    </p>
  );
}

type ForeignProps = { calls: readonly Call[]; owner: Owner; explained: readonly ExplainedCall[] | undefined };

/** What contracts that we do not know would move, as the wallet's node reports it. */
export function ForeignTransfers({ calls, owner, explained = [] }: ForeignProps) {
  const access = useMarketAccess();
  const isForeign = explained.some(({ contract }) => contract === null);
  const { data } = useQuery({
    queryKey: ['transfers', owner, calls],
    gcTime: 0,
    retry: false,
    queryFn: access !== null && isForeign ? () => access.reads.simulateTransfers(owner, calls) : skipToken,
  });
  if (!isForeign) return null;
  if (data == null || data.length === 0)
    return (
      <p className="notice" data-is="risk">
        {data === undefined
          ? 'Asking the node what the unknown contract would move…'
          : data === null
            ? 'The node of your wallet cannot say what the unknown contract would move.'
            : 'The node reports no transfer of tokens now. The contract can still take what it is allowed to take later.'}
      </p>
    );
  return (
    <ul className="notice" data-is="risk">
      {data.map(({ token, from, to, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: transfers have no id
        <li key={index}>
          {token === null ? `${formatEther(amount)} ETH` : `${amount} units of the token ${token}`} from{' '}
          {from} to {to}
        </li>
      ))}
    </ul>
  );
}

type DoneProps = { book: AddressBook | null; calls: readonly Call[]; owner: Owner };

/** Calls that were sent before: they stay done if the rest is rejected, and so do their allowances. */
export function DoneAlready({ book, calls, owner }: DoneProps) {
  const left = useLeftAllowances(calls, owner);
  if (book === null) return null;
  return (
    <div className="notice" data-is="time">
      <p>
        <b>Done already, and stays done if you reject the rest:</b>
      </p>
      <ul>
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id
          <li key={index}>{decodeCall(book, call).sentence ?? 'A call that this page cannot read'}</li>
        ))}
      </ul>
      {left.map((one) => (
        <p key={`${one.token} ${one.spender}`}>
          An allowance remains: {describeAllowance({ ...one, amount: one.left }).replace(/^Allows /, '')}.
        </p>
      ))}
    </div>
  );
}
