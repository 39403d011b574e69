// A transaction: linked to the explorer of the chain, on the embedded chain to our own page, elsewhere copied only.
import { usePagesInfo } from '#data/client.ts';
import { useSiteConfig } from '#data/market.ts';
import { Hex } from './Hex.tsx';

export function TransactionLink({ hash }: { readonly hash: string }) {
  const explorer = useSiteConfig('standard').data?.explorerUrl ?? null;
  const isEmbedded = usePagesInfo().data?.embeddedRpcUrl != null;
  const href =
    explorer !== null ? `${explorer}/tx/${hash}` : isEmbedded ? `/tx.html?hash=${hash}` : undefined;
  return <Hex value={hash} name="Transaction" {...(href !== undefined && { href })} />;
}
