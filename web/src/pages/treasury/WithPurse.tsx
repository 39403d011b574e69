// Shows what is made of the connected wallet's balances, or says why they are not there.

import type { Address, Market } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { OtherChain } from '../../wallet/OtherChain.tsx';
import { type Purse, usePurse } from '../../wallet/readPurse.ts';
import { explainFailure } from '../../wallet/send.ts';
import { useWallet } from '../../wallet/useWallet.ts';

export function WithPurse({
  market,
  without,
  children,
}: {
  readonly market: Market;
  /** For a visitor without a wallet. */
  readonly without: ReactNode;
  readonly children: (purse: Purse, address: Address) => ReactNode;
}) {
  const wallet = useWallet();
  const purse = usePurse(market);
  if (wallet === null) return without;
  if (!wallet.isOnChain) return <OtherChain />;
  if (purse.data !== undefined) return children(purse.data, wallet.address);
  return (
    <p className="small quiet" role="status">
      {purse.isError
        ? `It cannot be read: ${explainFailure(purse.error)}`
        : 'Reading it through your wallet…'}
    </p>
  );
}
