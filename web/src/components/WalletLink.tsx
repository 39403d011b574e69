// A wallet, linked to what it has posted and works on.
import type { Market } from '@svc/sdk/domain';
import { Hex } from './Hex.tsx';

export function WalletLink({
  market,
  address,
  name = 'Wallet',
}: {
  readonly market: Market;
  readonly address: string;
  readonly name?: string;
}) {
  return (
    <Hex value={address} name={name} href={`/market.html?market=${market}&view=own&wallet=${address}`} />
  );
}
