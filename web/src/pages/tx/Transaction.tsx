// One transaction of the embedded chain: what it called, who sent it and what came of it.
import { useQuery } from '@tanstack/react-query';
import { createClient, formatEther, type Hex as HexText, http, type TransactionReceipt } from 'viem';
import { getBlock, getTransaction, getTransactionReceipt } from 'viem/actions';
import { Ago } from '../../components/Clock.tsx';
import { Hex, WalletLink } from '../../components/Hex.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { Facts, Sheet, Status } from '../../components/Sheet.tsx';
import { chain as marketChain } from '../../data/chain.ts';
import { useSiteConfigs } from '../../data/market.ts';
import { buildAddressBook, decodeCall } from '../../wallet/decodeCall.ts';
import { listArguments } from '../../wallet/ShownArgument.tsx';

export function Transaction({ hash, rpcUrl }: { hash: HexText; rpcUrl: string }) {
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
