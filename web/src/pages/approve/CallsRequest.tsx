// Calls that a tool has asked for: each read from its bytes, tried on the chain, then sent or rejected.

import type { Call } from '@svc/sdk/chain';
import type { CreateRequest, WalletRequest } from '@svc/sdk/schemas';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getGasPrice } from 'viem/actions';
import { queries } from '../../data/client.ts';
import { sendResult } from '../../data/gateway.ts';
import { CostTable, gasCost } from '../../wallet/CostTable.tsx';
import { buildAddressBook } from '../../wallet/decodeCall.ts';
import { type Trial as TrialOutcome, trySequence } from '../../wallet/trySequence.ts';
import { useSending } from '../../wallet/useSending.ts';
import { useWallet } from '../../wallet/useWallet.ts';
import { CallCard } from './CallCard.tsx';
import { Decision } from './Decision.tsx';
import { forgetSent, recallSent, whileAlone } from './sentCalls.ts';
import { useSites } from './useSites.ts';

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
  const rest = calls.slice(sentCount);
  const { data, isError } = useRequestTrial(rest, isOpen && !sending.isBusy);
  const trial = isError ? ({ outcome: 'unknown' } as const) : data?.trial;
  const isTried = trial !== undefined || rest.length === 0;
  const isOnChain = useWallet()?.isOnChain === true;
  return (
    <>
      <CallCards request={request} sentCount={sentCount} />
      <Gas request={request} tried={data?.gasWei ?? null} />
      {isOpen && isOnChain && !sending.isBusy && (
        <Trial trial={trial} isSent={rest.length === 0} sentCount={sentCount} />
      )}
      {isOpen && (
        <Decision
          id={id}
          isBusy={sending.isBusy}
          isReady={isOnChain && isTried}
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
  const sites = useSites();
  if (sites === null) return <p className="notice">Reading this service’s contracts…</p>;
  const book = buildAddressBook(sites, request.from);
  return (
    <ol className="stack">
      {request.calls.map((call, index) => (
        <CallCard
          // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place in the request
          key={index}
          book={book}
          call={call}
          place={index + 1}
          isSent={index < sentCount}
        />
      ))}
    </ol>
  );
}

/** Of the calls that are not sent yet; `gasWei` is what they would take now. */
function useRequestTrial(calls: readonly Call[], isWanted: boolean) {
  const client = useWallet()?.client ?? null;
  return useQuery({
    queryKey: ['trial', calls, client?.account.address],
    enabled: client !== null && calls.length > 0 && isWanted,
    queryFn: async () => {
      if (client === null) throw new Error('the wallet is not ready');
      const [trial, gasPriceWei] = await Promise.all([trySequence(client, calls), getGasPrice(client)]);
      return { trial, gasWei: trial.outcome === 'good' ? trial.gas * gasPriceWei : null };
    },
  });
}

/** By a trial, or else by whoever has asked. */
function Gas({ request, tried }: { readonly request: Request; readonly tried: bigint | null }) {
  const { calls, estimatedGasCostWei: claimed } = request;
  if (tried === null && claimed === undefined) return null;
  const cost =
    tried !== null
      ? gasCost(tried, calls.length)
      : gasCost(BigInt(claimed ?? 0), calls.length, 'as the tool says; the wallet says exactly');
  return (
    <section className="callcard">
      <CostTable costs={[cost]} />
    </section>
  );
}

function Trial({
  trial,
  isSent,
  sentCount,
}: {
  readonly trial: TrialOutcome | undefined;
  readonly isSent: boolean;
  readonly sentCount: number;
}) {
  if (isSent) return <p className="notice">Every call was sent; the gateway is yet to be told.</p>;
  if (trial === undefined) return <p className="notice">Trying it out on the chain…</p>;
  if (trial.outcome === 'good') {
    return (
      <p className="notice" data-is="act">
        Tried on the chain as it is now: it would succeed.
      </p>
    );
  }
  if (trial.outcome === 'unknown')
    return <p className="notice">It could not be tried beforehand; each call is tried before you sign it.</p>;
  return (
    <p className="notice" data-is="risk">
      Tried on the chain as it is now: call {sentCount + trial.at + 1} would fail. {trial.sentence}
    </p>
  );
}
