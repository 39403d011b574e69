// Calls that a tool has asked for: each read from its bytes, tried on the chain, then sent or rejected.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatEther } from 'viem';
import type { Call } from '#chain/calls/encode.ts';
import type { CreateRequest } from '#schemas/walletRequest.ts';
import { Hex } from '../../components/Hex.tsx';
import { queries } from '../../data/client.ts';
import { sendResult } from '../../data/gateway.ts';
import { useSiteConfig } from '../../data/market.ts';
import { buildAddressBook, decodeCall } from '../../wallet/decodeCall.ts';
import { trySequence } from '../../wallet/trySequence.ts';
import { useSending } from '../../wallet/useSending.ts';
import { useWallet } from '../../wallet/useWallet.ts';
import { Decision } from './Decision.tsx';

type Request = Extract<CreateRequest, { kind: 'calls' }>;

export function CallsRequest({
  id,
  request,
  isOpen,
}: {
  readonly id: string;
  readonly request: Request;
  readonly isOpen: boolean;
}) {
  const sending = useSending();
  const [fault, setFault] = useState<string | null>(null);
  const approve = async () => {
    setFault(null);
    const receipts = await sending.start({ calls: request.calls as unknown as Call[], steps: [] });
    if (receipts === null) return;
    try {
      const transactionHashes = receipts.map(({ transactionHash }) => transactionHash);
      queries.setQueryData(['request', id], await sendResult(id, { status: 'submitted', transactionHashes }));
    } catch (error) {
      setFault(`It was sent, but the gateway could not be told: ${(error as Error).message}`);
    }
  };
  const sent = sending.progress === null ? 0 : sending.progress.step;
  return (
    <>
      <CallCards request={request} />
      {isOpen && <Trial request={request} />}
      {isOpen && (
        <Decision
          id={id}
          isBusy={sending.isBusy}
          failure={fault ?? sending.failure}
          busyWords={`Call ${sent + 1} of ${request.calls.length}: follow the wallet…`}
          approveWords={
            request.calls.length === 1 ? 'Approve and sign' : `Approve and sign ${request.calls.length} calls`
          }
          onApprove={approve}
        />
      )}
    </>
  );
}

function CallCards({ request }: { readonly request: Request }) {
  const sites = [useSiteConfig('standard').data, useSiteConfig('micro').data];
  const book = buildAddressBook(sites.filter((site) => site !== undefined));
  return (
    <ol className="stack">
      {request.calls.map((call, index) => {
        const { contract, functionName, args } = decodeCall(book, call);
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place in the request
            key={index}
            className="callcard stack"
          >
            <h3>
              {index + 1}. {functionName ?? 'Unreadable call'} on {contract ?? 'an unknown contract'}
            </h3>
            {contract === null && (
              <p className="notice" data-is="risk">
                This calls a contract that is none of this service’s. Reject it unless you know it.
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
                  <dt>{name}</dt>
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

function Trial({ request }: { readonly request: Request }) {
  const client = useWallet()?.client ?? null;
  const { data } = useQuery({
    queryKey: ['trial', request, client?.account.address],
    enabled: client !== null,
    queryFn: () => {
      if (client === null) throw new Error('the wallet is not ready');
      return trySequence(client, request.calls as unknown as Call[]);
    },
  });
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
      Tried on the chain as it is now: call {data.at + 1} would fail. {data.sentence}
    </p>
  );
}
