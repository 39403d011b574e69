// The entry of tx.html: one transaction of the embedded chain, which has no explorer.
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import type { Hex } from 'viem';
import { PageHead } from '../components/MarketHeader.tsx';
import { useSearch } from '../components/navigation.tsx';
import { lazyPart, QueryView } from '../components/QueryView.tsx';
import { usePagesInfo } from '../data/client.ts';
import { useSiteConfig } from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { mount } from '../frame/mount.tsx';

const Transaction = lazyPart(
  async () => (await import('./tx/Transaction.tsx')).Transaction,
  <p className="note">Reading the transaction…</p>,
);

function TransactionPage() {
  const hash = useSearch().get('hash') ?? '';
  const info = usePagesInfo();
  const explorer = useSiteConfig('standard').data?.explorerUrl ?? null;
  return (
    <>
      <PageHead title={views.tx.heading} lead={views.tx.lead} />
      {!hashSchema.safeParse(hash).success ? (
        <p className="notice">
          The address of this page must end with <code>?hash=0x…</code>, the hash of a transaction.
        </p>
      ) : (
        <QueryView query={info} what="the chain">
          {({ embeddedRpcUrl }) =>
            embeddedRpcUrl !== null ? (
              <Transaction hash={hash as Hex} rpcUrl={embeddedRpcUrl} />
            ) : (
              <p className="notice">
                {explorer === null ? (
                  'This market names no explorer for its chain.'
                ) : (
                  <>
                    The explorer of the chain shows it: <a href={`${explorer}/tx/${hash}`}>{explorer}</a>
                  </>
                )}
              </p>
            )
          }
        </QueryView>
      )}
    </>
  );
}

mount(<TransactionPage />);
