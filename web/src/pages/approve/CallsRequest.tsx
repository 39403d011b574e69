// Calls that a tool has asked for: each read from its bytes, tried on the chain, then sent or rejected.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatEther } from 'viem';
import type { Call } from '#chain/calls/encode.ts';
import type { CreateRequest, WalletRequest } from '#schemas/walletRequest.ts';
import { Hex } from '../../components/Hex.tsx';
import { queries } from '../../data/client.ts';
import { toWords } from '../../data/format.ts';
import { sendResult } from '../../data/gateway.ts';
import { useSiteConfig } from '../../data/market.ts';
import { describeCall } from '../../wallet/callSentence.ts';
import { buildAddressBook, decodeCall } from '../../wallet/decodeCall.ts';
import { trySequence } from '../../wallet/trySequence.ts';
import { useSending } from '../../wallet/useSending.ts';
import { useWallet } from '../../wallet/useWallet.ts';
import { Decision } from './Decision.tsx';
import { forgetSent, recallSent, whileAlone } from './sentCalls.ts';

type Request = Extract<CreateRequest, { kind: 'calls' }>;

export function CallsRequest({
  known,
  request,
  isOpen,
}: {
  readonly known: WalletRequest;
  readonly request: Request;
  readonly isOpen: boolean;
}) {
  const id = known.requestId;
  const sending = useSending();
  const [fault, setFault] = useState<string | null>(null);
  const calls = request.calls as unknown as Call[];
  const sentCount = known.transactionHashes.length;
  const approve = async () => {
    setFault(null);
    try {
      await whileAlone(id, async () => {
        const receipts = await sending.start({ calls, steps: [] }, (client) =>
          recallSent(id, request.calls, client),
        );
        if (receipts !== null) await tell(receipts.map(({ transactionHash }) => transactionHash));
      });
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const tell = async (transactionHashes: `0x${string}`[]) => {
    try {
      const told = await sendResult(id, { status: 'submitted', transactionHashes });
      forgetSent(id);
      queries.setQueryData(['request', id], told);
    } catch (error) {
      setFault(
        `It was sent, but the gateway could not be told: ${(error as Error).message} Approve again to tell it; nothing is sent twice.`,
      );
    }
  };
  return (
    <>
      <CallCards request={request} sentCount={sentCount} />
      {isOpen && !sending.isBusy && <Trial calls={calls.slice(sentCount)} sentCount={sentCount} />}
      {isOpen && (
        <Decision
          id={id}
          isBusy={sending.isBusy}
          failure={fault ?? sending.failure}
          busyWords={`Call ${(sending.progress?.step ?? 0) + 1} of ${calls.length}: follow the wallet…`}
          approveWords={approveWords(calls.length, sentCount)}
          rejectWords={sentCount === 0 ? 'Reject' : 'Reject the rest'}
          onApprove={approve}
        />
      )}
    </>
  );
}

function approveWords(count: number, sentCount: number): string {
  if (sentCount >= count) return 'Finish';
  if (sentCount > 0) return `Go on with call ${sentCount + 1} of ${count}`;
  return count === 1 ? 'Approve and sign' : `Approve and sign ${count} calls`;
}

function CallCards({ request, sentCount }: { readonly request: Request; readonly sentCount: number }) {
  const sites = [useSiteConfig('standard').data, useSiteConfig('micro').data];
  const known = sites.filter((site) => site !== undefined);
  const book = buildAddressBook(known, request.from);
  return (
    <ol className="stack">
      {request.calls.map((call, index) => {
        const { contract, functionName, args } = decodeCall(book, call);
        const sentence = functionName === null ? null : describeCall(functionName, args);
        const place = `${functionName ?? 'Unreadable call'} on ${contract ?? 'an unknown contract'}`;
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place in the request
            key={index}
            className="callcard stack"
          >
            <h3>
              {index + 1}. {sentence ?? place}
              {index < sentCount && (
                <span className="standing" data-tone="act">
                  {' '}
                  ● sent
                </span>
              )}
            </h3>
            {sentence !== null && <p className="small quiet">{place}</p>}
            {contract === null && (
              <p className="notice" data-is="risk">
                This calls a contract that is none of this service’s. Reject it unless you know it.
              </p>
            )}
            {contract !== null && functionName === null && (
              <p className="notice" data-is="risk">
                This page cannot read what this call does. Reject it unless you know.
              </p>
            )}
            {BigInt(call.value) > 0n && (
              <p className="notice" data-is="risk">
                It also sends {formatEther(BigInt(call.value))} ETH.
              </p>
            )}
            <dl className="pairs">
              <dt>Contract</dt>
              <dd>
                <Hex value={call.to} name="Contract" />
              </dd>
              {args.map(({ name, value }) => (
                <div key={name} className="contents">
                  <dt>{toWords(name)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ol>
  );
}

function Trial({ calls, sentCount }: { readonly calls: readonly Call[]; readonly sentCount: number }) {
  const client = useWallet()?.client ?? null;
  const { data } = useQuery({
    queryKey: ['trial', calls, client?.account.address],
    enabled: client !== null && calls.length > 0,
    queryFn: () => {
      if (client === null) throw new Error('the wallet is not ready');
      return trySequence(client, calls);
    },
  });
  if (calls.length === 0)
    return <p className="notice">Every call was sent; the gateway is yet to be told.</p>;
  if (data === undefined) return <p className="notice">Trying it out on the chain…</p>;
  if (data.outcome === 'good') {
    return (
      <p className="notice" data-is="act">
        Tried on the chain as it is now: it would succeed.
      </p>
    );
  }
  if (data.outcome === 'unknown')
    return <p className="notice">It could not be tried beforehand; each call is tried before you sign it.</p>;
  return (
    <p className="notice" data-is="risk">
      Tried on the chain as it is now: call {sentCount + data.at + 1} would fail. {data.sentence}
    </p>
  );
}
