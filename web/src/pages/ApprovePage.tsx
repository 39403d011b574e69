// The entry of approve.html: one request that a tool made, explained to the wallet's owner, who approves or rejects it.
import { isSameAddress } from '@svc/sdk/domain';
import type { WalletRequest } from '@svc/sdk/schemas';
import { lazy, Suspense, useEffect } from 'react';
import { Countdown } from '#components/Clock.tsx';
import { Hex } from '#components/Hex.tsx';
import { useSearch } from '#components/navigation.tsx';
import { Failure, GatewayOnly, LoadError, QueryView } from '#components/QueryView.tsx';
import { TransactionLink } from '#components/TransactionLink.tsx';
import { UntrustedText } from '#components/UntrustedText.tsx';
import { statusOf } from '#data/client.ts';
import { useWalletRequest } from '#data/gateway.ts';
import { rememberRequest } from '#data/seenRequests.ts';
import { mount } from '#frame/mount.tsx';
import { useWallet, WrongChain } from '#wallet/useWallet.tsx';

/** Separate chunks: they need the catalog of actions and the contracts' ABIs. */
const CallsRequest = lazy(async () => ({
  default: (await import('./approve/CallsRequest.tsx')).CallsRequest,
}));
const SignatureRequest = lazy(async () => ({
  default: (await import('./approve/SignatureRequest.tsx')).SignatureRequest,
}));

function ApprovePage() {
  const id = useSearch().get('request') ?? '';
  return (
    <div className="approval stack">
      <header>
        <h1>A request for your wallet</h1>
        <p className="lead">
          A tool prepared this. Nothing happens unless you approve it here and sign it in your wallet.
        </p>
      </header>
      {id === '' ? (
        <p className="notice">The address of this page must end with ?request= and the id of the request.</p>
      ) : (
        <GatewayOnly what="the request">
          <LoadedRequest id={id} />
        </GatewayOnly>
      )}
    </div>
  );
}

function LoadedRequest({ id }: { readonly id: string }) {
  const request = useWalletRequest(id);
  if (request.isError && request.data === undefined) {
    if (statusOf(request.error) === 404)
      return <p className="notice">There is no such request. It may be on another gateway.</p>;
    return <LoadError error={request.error} what="the request" onRetry={() => void request.refetch()} />;
  }
  return (
    <QueryView query={request} what="the request">
      {(known) => <RequestView known={known} />}
    </QueryView>
  );
}

const statusLabels: Readonly<Record<WalletRequest['status'], readonly [string, string]>> = {
  pending: ['time', '◆ waiting for your decision'],
  submitted: ['time', '▶ sent, waiting for confirmation'],
  settled: ['act', '● done, confirmed on the chain'],
  rejected: ['done', '– rejected, nothing was sent'],
  failed: ['risk', '▲ failed'],
  expired: ['done', '– expired without a decision'],
};

/** For a request of which some calls were sent before the owner or the page stopped. */
const partlySentLabels: typeof statusLabels = {
  ...statusLabels,
  pending: ['time', '◆ partly sent, waiting for you to continue'],
  rejected: ['done', '– partly sent, the rest was rejected'],
  expired: ['risk', '▲ partly sent, then expired'],
};

const signatureLabels: typeof statusLabels = {
  ...statusLabels,
  settled: ['act', '● done, the gateway has your signature'],
};

function labelsOf({ request, transactionHashes }: WalletRequest): typeof statusLabels {
  if (request.kind === 'signature') return signatureLabels;
  return transactionHashes.length > 0 ? partlySentLabels : statusLabels;
}

function RequestView({ known }: { readonly known: WalletRequest }) {
  const wallet = useWallet();
  const { requestId: id, request, status, error, expiresAt } = known;
  useEffect(() => rememberRequest(request.from, id), [request.from, id]);
  const [tone, label] = labelsOf(known)[status];
  const isOwn = wallet !== null && isSameAddress(wallet.address, request.from as `0x${string}`);
  return (
    <>
      <section className="sheet">
        <header>
          <h2>The request</h2>
          <span className="status" data-tone={tone} role="status">
            {label}
          </span>
        </header>
        <div className="body stack">
          <UntrustedText label="What the tool says" text={`${request.action}: ${request.summary}`} />
          <dl className="pairs">
            <dt>Wallet</dt>
            <dd>
              <Hex value={request.from} name="Wallet" />
            </dd>
            {status === 'pending' && (
              <>
                <dt>Expires</dt>
                <dd>
                  <Countdown to={expiresAt} />
                </dd>
              </>
            )}
            {known.transactionHashes.map((hash, index) => (
              <div key={hash} className="contents">
                <dt>Transaction {index + 1}</dt>
                <dd>
                  <TransactionLink hash={hash} />
                </dd>
              </div>
            ))}
          </dl>
          <Failure text={error} />
          {status === 'pending' && wallet === null && (
            <p className="notice">Connect the wallet that this request is for to approve or reject it.</p>
          )}
          {status === 'pending' && wallet !== null && !isOwn && (
            <p className="notice" data-is="time">
              Another wallet is connected. This request is for {request.from}. Switch to it in your wallet.
            </p>
          )}
          {status === 'pending' && isOwn && !wallet.isOnChain && <WrongChain />}
        </div>
      </section>
      <Suspense fallback={<p className="notice">Loading the details…</p>}>
        {request.kind === 'calls' ? (
          <CallsRequest known={known} request={request} isOpen={status === 'pending' && isOwn} />
        ) : (
          <SignatureRequest id={known.requestId} request={request} isOpen={status === 'pending' && isOwn} />
        )}
      </Suspense>
    </>
  );
}

mount(<ApprovePage />);
