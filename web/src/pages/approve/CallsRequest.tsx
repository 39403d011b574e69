// A request of calls: each decoded from its bytes, all tried on the chain, then sent or rejected.

import type { Call } from '@svc/sdk/chain';
import type { CreateRequest, WalletRequest } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { describeMisnamed } from '@svc/sdk/internal/actions/explainCalls';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getGasPrice } from 'viem/actions';
import { Button, Failure } from '../../components/Form.tsx';
import { Notices } from '../../components/Money.tsx';
import { Loading } from '../../components/QueryView.tsx';
import { useSiteConfigs } from '../../data/market.ts';
import { decideRequest } from '../../data/walletRequests.ts';
import { CostTable } from '../../wallet/CostTable.tsx';
import { gasCost } from '../../wallet/costLines.ts';
import { type AddressBook, buildAddressBook, decodeCall } from '../../wallet/decodeCall.ts';
import { type SimulationResult, useSimulation } from '../../wallet/marketAccess.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { useExplained } from '../../wallet/useExplained.ts';
import { type Sending, useSending } from '../../wallet/useSending.ts';
import { useWallet } from '../../wallet/useWallet.tsx';
import { CallCard } from './CallCard.tsx';
import { Decision } from './Decision.tsx';
import { BalanceChange, DoneAlready, ForeignTransfers, MoneyState } from './RequestMoney.tsx';
import { forgetSentCalls, loadSentCalls, withRequestLock } from './sentCalls.ts';
import { useShownMoney } from './useShownMoney.ts';

type Request = Extract<CreateRequest, { kind: 'calls' }>;

type CallsRequestProps = { known: WalletRequest; request: Request; isOpen: boolean };

export function CallsRequest({ known, request, isOpen }: CallsRequestProps) {
  const sending = useSending();
  const sentCount = known.transactionHashes.length;
  const unsent = (request.calls as unknown as Call[]).slice(sentCount);
  const owner = request.from as Address;
  const reading = useExplained(unsent, owner, known.status === 'pending' && !sending.isBusy);
  const sites = useSiteConfigs();
  const book = sites === null ? null : buildAddressBook(sites, request.from);
  const names = reading.explained?.flatMap(({ action }) => action?.name ?? []);
  const misnamed =
    names === undefined || unsent.length === 0 ? null : describeMisnamed(request.action, names);
  return (
    <>
      <Notices is="risk" texts={misnamed === null ? [] : [misnamed]} />
      {book === null ? (
        <Loading what="the contracts of this service" />
      ) : (
        <ol className="stack">
          {request.calls.map((call, index) => (
            <CallCard
              // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id
              key={index}
              book={book}
              call={call}
              owner={owner}
              explained={index < sentCount ? undefined : reading.explained?.[index - sentCount]}
              position={index + 1}
              isSent={index < sentCount}
            />
          ))}
        </ol>
      )}
      {isOpen ? (
        <OpenRequest
          known={known}
          request={request}
          sending={sending}
          reading={reading}
          book={book}
          isMisnamed={misnamed !== null}
        />
      ) : (
        <Gas request={request} simulatedWei={null} />
      )}
    </>
  );
}

type OpenRequestProps = Omit<CallsRequestProps, 'isOpen'> & {
  sending: Sending;
  reading: ReturnType<typeof useExplained>;
  book: AddressBook | null;
  isMisnamed: boolean;
};

/** What its owner decides on: what all calls together do, and the buttons. */
function OpenRequest({ known, request, sending, reading, book, isMisnamed }: OpenRequestProps) {
  const id = known.requestId;
  const owner = request.from as Address;
  const calls = request.calls as unknown as Call[];
  const sentCount = known.transactionHashes.length;
  const unsent = calls.slice(sentCount);
  const approving = useAttempt(() =>
    withRequestLock(id, async () => {
      const receipts = await sending.start(
        { calls, steps: [] },
        {
          loadSent: (client) => loadSentCalls(id, request.calls, client),
          check: (step) => money.check(calls.slice(step)),
        },
      );
      if (receipts !== null) await report(receipts.map(({ transactionHash }) => transactionHash));
    }),
  );
  const report = async (transactionHashes: `0x${string}`[]) => {
    try {
      await decideRequest(id, request.from, { status: 'submitted', transactionHashes });
      forgetSentCalls(id);
    } catch (error) {
      throw new Error(
        `The calls were sent, but the report to the gateway failed: ${(error as Error).message} Approve again to report them; nothing is sent twice.`,
      );
    }
  };
  const { explained, failure } = reading;
  const money = useShownMoney(reading, owner);
  const isExplained = explained !== undefined || failure !== null || unsent.length === 0;
  const { data: simulation } = useSimulation(unsent, !sending.isBusy, true);
  const [hasHeld, setHeld] = useState(false);
  if (simulation?.status === 'success' && !hasHeld) setHeld(true);
  // It would have succeeded when its reader first saw it.
  const lost = hasHeld && unsent.length > 0 && simulation?.status === 'reverted' ? simulation.sentence : null;
  const gasPriceWei = useGasPrice();
  const gasWei =
    simulation?.status === 'success' && gasPriceWei !== undefined ? simulation.gas * gasPriceWei : null;
  const isSimulated = simulation !== undefined || unsent.length === 0;
  const isOnChain = useWallet()?.isOnChain === true;
  const isDangerous = isMisnamed || explained?.some(({ dangers }) => dangers.length > 0) === true;
  const notice = describeSimulation(unsent.length === 0 ? 'sent' : simulation, sentCount, isDangerous);
  const isDoubtful =
    simulation?.status === 'reverted' ||
    book === null ||
    hasStrangeCall(book, request) ||
    explained === undefined ||
    isDangerous;
  const { step = 0, stage } = sending.progress ?? {};
  return (
    <>
      <MoneyState isRead={isExplained} failure={failure} />
      {simulation?.status === 'success' && simulation.change !== null && (
        <BalanceChange change={simulation.change} explained={explained} isDangerous={isDangerous} />
      )}
      <ForeignTransfers calls={unsent} owner={owner} explained={explained} />
      <Gas request={request} simulatedWei={gasWei} />
      {!sending.isBusy &&
        (lost !== null ? (
          <Failure text={<b>What this page showed no longer holds. {lost}</b>}>
            <p>
              {sentCount === 0 ? 'You have signed nothing of it. ' : 'The calls that were sent stay done. '}
              Reject it, and the tool that asked learns why.
            </p>
          </Failure>
        ) : (
          <>
            {money.change !== null && (
              <Failure text={<b>The figures are not those that this page showed first. {money.change}</b>}>
                <Button onClick={money.accept}>I have read the new figures</Button>
              </Failure>
            )}
            {isOnChain && (
              <p className="notice" data-is={notice.tone}>
                {notice.sentence}
              </p>
            )}
          </>
        ))}
      {sentCount > 0 && <DoneAlready book={book} calls={calls.slice(0, sentCount)} owner={owner} />}
      <Decision
        id={id}
        owner={request.from}
        approving={approving}
        isReady={isOnChain && isExplained && isSimulated && lost === null && money.change === null}
        isDoubtful={isDoubtful}
        error={sending.failure}
        busyLabel={`Call ${step + 1} of ${calls.length}: ${stage === 'signing' ? 'confirm in your wallet…' : 'waiting for the chain…'}`}
        approveLabel={approveLabel(calls.length, sentCount)}
        rejectLabel={sentCount === 0 ? 'Reject' : 'Reject the rest'}
      />
    </>
  );
}

function approveLabel(count: number, sentCount: number): string {
  if (sentCount >= count) return 'Finish';
  if (sentCount > 0) return `Continue with call ${sentCount + 1} of ${count}`;
  return count === 1 ? 'Approve and sign' : `Approve and sign ${count} calls`;
}

/** Whether a card warns that a contract or a call is unknown. */
function hasStrangeCall(book: AddressBook, { calls }: Request): boolean {
  return calls.some((call) => {
    const { contract, functionName } = decodeCall(book, call);
    return contract === null || functionName === null;
  });
}

function useGasPrice(): bigint | undefined {
  const client = useWallet()?.client ?? null;
  return useQuery({
    queryKey: ['gas-price', client?.account.address],
    queryFn: client !== null ? () => getGasPrice(client) : skipToken,
  }).data;
}

/** The simulated cost, or without one the tool's estimate. */
function Gas({ request, simulatedWei }: { request: Request; simulatedWei: bigint | null }) {
  const { calls, estimatedGasCostWei: claimed } = request;
  const wei = simulatedWei ?? (claimed === undefined ? null : BigInt(claimed));
  if (wei === null) return null;
  const note = simulatedWei === null ? 'estimated by the tool; your wallet shows the exact cost' : undefined;
  return (
    <section className="sheet body callcard">
      <CostTable costs={[gasCost(wei, calls.length, note)]} />
    </section>
  );
}

type Notice = { tone?: 'act' | 'risk'; sentence: string };

function describeSimulation(
  simulation: SimulationResult | 'sent' | undefined,
  sentCount: number,
  isDangerous: boolean,
): Notice {
  if (simulation === 'sent') return { sentence: 'All calls were sent, but not reported to the gateway yet.' };
  if (simulation === undefined) return { sentence: 'Simulating the calls…' };
  if (simulation.status === 'success' && isDangerous)
    return { sentence: 'Simulated on the current chain: it would not fail. That does not make it safe.' };
  if (simulation.status === 'success')
    return { tone: 'act', sentence: 'Simulated on the current chain: it would succeed.' };
  if (simulation.status === 'unknown')
    return {
      sentence: 'The calls could not be simulated together. Each call is simulated before you sign it.',
    };
  const failing = `call ${sentCount + simulation.at + 1} would fail`;
  return { tone: 'risk', sentence: `Simulated on the current chain: ${failing}. ${simulation.sentence}` };
}
