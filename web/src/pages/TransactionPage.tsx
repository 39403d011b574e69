// The entry of tx.html: one transaction of the embedded chain, which has no explorer.
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import { useQuery } from '@tanstack/react-query';
import { createClient, formatEther, type Hex as HexText, http, type TransactionReceipt } from 'viem';
import { getBlock, getTransaction, getTransactionReceipt } from 'viem/actions';
import { Ago } from '#components/Clock.tsx';
import { Hex, WalletLink } from '#components/Hex.tsx';
import { PageHead } from '#components/MarketHeader.tsx';
import { useSearch } from '#components/navigation.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { Facts, Sheet, Status } from '#components/Sheet.tsx';
import { chain as marketChain } from '#data/chain.ts';
import { usePagesInfo } from '#data/client.ts';
import { useSiteConfig, useSiteConfigs } from '#data/market.ts';
import { views } from '#data/pageList.ts';
import { mount } from '#frame/mount.tsx';
import { buildAddressBook, decodeCall } from '#wallet/decodeCall.ts';
import { listArguments } from '#wallet/ShownArgument.tsx';

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
              <Transaction hash={hash as HexText} rpcUrl={embeddedRpcUrl} />
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

function Transaction({ hash, rpcUrl }: { hash: HexText; rpcUrl: string }) {
  const sites = useSiteConfigs();
  const query = useQuery({
    queryKey: ['transaction', hash],
    refetchInterval: ({ state }) => (state.data === undefined ? 2_000 : false),
    retry: false,
    queryFn: async () => {
      const chain = createClient({ chain: marketChain, transport: http(rpcUrl) });
      const [sent, receipt] = await Promise.all([
        getTransaction(chain, { hash }),
        getTransactionReceipt(chain, { hash }),
      ]);
      const { timestamp } = await getBlock(chain, { blockNumber: receipt.blockNumber });
      return { sent, receipt, time: Number(timestamp) };
    },
  });
  if (query.isError && query.data === undefined)
    return (
      <p className="notice" role="status">
        The chain does not know this transaction, or has not mined it yet. This page asks again every two
        seconds.
      </p>
    );
  return (
    <QueryView query={query} what="the transaction">
      {({ sent, receipt, time }) => {
        const call = decodeCall(buildAddressBook(sites ?? []), { to: sent.to ?? '0x', data: sent.input });
        const hasSucceeded = receipt.status === 'success';
        return (
          <Sheet
            title={
              <span dir="auto">{call.sentence ?? call.functionName ?? 'A call to another contract'}</span>
            }
            note={
              <Status tone={hasSucceeded ? 'act' : 'risk'}>
                {hasSucceeded ? '● took effect' : '▲ reverted: nothing has changed'}
              </Status>
            }
            isBare
          >
            <Facts
              className="body pairs"
              facts={[
                ...Object.entries({
                  Transaction: <Hex value={hash} name="Transaction" />,
                  Mined: (
                    <>
                      block {receipt.blockNumber.toLocaleString('en-US')}, <Ago time={time} />
                    </>
                  ),
                  From: <WalletLink address={sent.from} />,
                  To: (
                    <>
                      {call.contract !== null && `${call.contract} `}
                      {sent.to === null ? 'a new contract' : <Hex value={sent.to} name="Contract" />}
                    </>
                  ),
                }),
                ...listArguments(call.args),
                ['Gas', `${receipt.gasUsed.toLocaleString('en-US')} units, ${gasInEth(receipt)} ETH`],
              ]}
            />
          </Sheet>
        );
      }}
    </QueryView>
  );
}

function gasInEth({ gasUsed, effectiveGasPrice }: TransactionReceipt): string {
  return Number(formatEther(gasUsed * effectiveGasPrice)).toPrecision(2);
}

mount(<TransactionPage />);
