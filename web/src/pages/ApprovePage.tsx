// One request that a tool made, explained to the wallet's owner, who approves or rejects it.

import type { WalletRequest } from '@svc/sdk/client';
import { isSameAddress } from '@svc/sdk/domain';
import { useEffect } from 'react';
import { Countdown } from '../components/Clock.tsx';
import { Failure } from '../components/Form.tsx';
import { Hex, TransactionLink } from '../components/Hex.tsx';
import { useSearch } from '../components/navigation.tsx';
import { GatewayOnly, Loading, lazyPart, QueryView } from '../components/QueryView.tsx';
import { Facts, Sheet, Status, type Tone } from '../components/Sheet.tsx';
import { UntrustedText } from '../components/UntrustedText.tsx';
import { statusOf } from '../data/client.ts';
import { views } from '../data/pageList.ts';
import {
  rememberRequest,
  takeApprovalToken,
  usePendingRequests,
  useWalletRequest,
} from '../data/walletRequests.ts';
import { ConnectFirst, useWallet, WrongChain } from '../wallet/useWallet.tsx';
import { Decision } from './approve/Decision.tsx';

/** Separate chunks: they need the catalog of actions and the contracts' ABIs. */
const loading = <Loading what="the details" />;
const CallsRequest = lazyPart(async () => (await import('./approve/CallsRequest.tsx')).CallsRequest, loading);
const SignatureRequest = lazyPart(
  async () => (await import('./approve/SignatureRequest.tsx')).SignatureRequest,
  loading,
);
const RequestList = lazyPart(
  async () => (await import('../wallet/RequestList.tsx')).RequestList,
  <Loading what="the requests" />,
);

export function ApprovePage() {
  const id = useSearch().get('request') ?? '';
  const request = useWalletRequest(id);
  const isMissing = request.isError && request.data === undefined && statusOf(request.error) === 404;
  const words = id === '' ? views.requests : views.request;
  return (
    <div className="approval stack">
      <header>
        <h1>{isMissing ? 'There is no such request' : words.heading}</h1>
        <p className="lead">
          {isMissing ? 'It has ended, or it is on another gateway. Ask the tool for a new link.' : words.lead}
        </p>
      </header>
      <GatewayOnly what="the request">
        {id === '' || isMissing ? (
          <Queue />
        ) : (
          <QueryView key={id} query={request} what="the request">
            {(known) => <RequestView known={known} />}
          </QueryView>
        )}
      </GatewayOnly>
    </div>
  );
}

/** All requests whose links were opened in this browser, without one that is on the page already. */
function Queue({ without = '' }: { without?: string }) {
  const wallet = useWallet();
  const pending = usePendingRequests(wallet?.address ?? '').filter(({ requestId }) => requestId !== without);
  if (without !== '' && pending.length === 0) return null;
  if (wallet === null) return <ConnectFirst>Connect your wallet to see its requests.</ConnectFirst>;
  if (pending.length === 0)
    return (
      <p className="notice">
        Nothing waits for this wallet. Open the approval link that a tool gave you: it is listed here until
        you decide.
      </p>
    );
  return (
    <Sheet
      title={without === '' ? 'Waiting for you' : 'Next'}
      note={pending.length}
      aria-label="Waiting for you"
      isBare
    >
      <RequestList requests={pending} />
    </Sheet>
  );
}

type Label = readonly [tone: Tone, text: string];

const statusLabels: Readonly<Record<WalletRequest['status'], Label>> = {
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

function labelOf({ status, request, transactionHashes }: WalletRequest): Label {
  if (status === 'pending' && request.decidedBy === 'wallet')
    return ['time', '▶ with the wallet of your tools'];
  if (request.kind === 'signature') return signatureLabels[status];
  if (status === 'rejected' && transactionHashes.length === request.calls.length)
    return ['done', '– rejected; the chain does not show the reported transaction'];
  return (transactionHashes.length > 0 ? partlySentLabels : statusLabels)[status];
}

function RequestView({ known }: { known: WalletRequest }) {
  const wallet = useWallet();
  const { requestId: id, request, status, error, expiresAt } = known;
  useEffect(() => rememberRequest(request.from, id), [request.from, id]);
  const [tone, label] = labelOf(known);
  const isOwn = request.decidedBy !== 'wallet' && isWalletOf(request, wallet);
  const isOpen = status === 'pending' && isOwn;
  return (
    <>
      <Sheet
        title="The request"
        note={
          <Status tone={tone} role="status">
            {label}
          </Status>
        }
      >
        <UntrustedText label="What the tool says" text={`${request.action}: ${request.summary}`} />
        <Facts
          facts={{
            Wallet: <Hex value={request.from} name="Wallet" />,
            Expires: status === 'pending' && <Countdown to={expiresAt} />,
            ...Object.fromEntries(
              known.transactionHashes.map((hash, index) => [
                `Transaction ${index + 1}`,
                <TransactionLink key={hash} hash={hash} />,
              ]),
            ),
          }}
        />
        <Failure text={error} />
        {status === 'pending' && <NextStep request={request} />}
      </Sheet>
      {request.kind === 'calls' ? (
        <CallsRequest known={known} request={request} isOpen={isOpen} />
      ) : (
        <SignatureRequest id={id} request={request} isOpen={isOpen} />
      )}
      {status === 'submitted' && isOwn && (
        <>
          <p className="notice">
            Anybody with the link can report a transaction. If your wallet sent none, reject the request: that
            works until the chain shows one.
          </p>
          <Decision id={id} owner={request.from} approving={null} />
        </>
      )}
      {!isOpen && <Queue without={id} />}
    </>
  );
}

function isWalletOf({ from }: WalletRequest['request'], wallet: ReturnType<typeof useWallet>): boolean {
  return wallet !== null && isSameAddress(wallet.address, from as `0x${string}`);
}

/** What the reader has to do before the buttons appear. */
function NextStep({ request }: { request: WalletRequest['request'] }) {
  const wallet = useWallet();
  if (request.decidedBy === 'wallet')
    return (
      <p className="notice">
        The wallet of your tools signs this. This page shows what becomes of it; there is nothing to approve
        here.
      </p>
    );
  if (wallet === null)
    return (
      <ConnectFirst>
        Nothing happens unless you approve it. Connect the wallet that this request is for to approve or
        reject it.
      </ConnectFirst>
    );
  if (!isWalletOf(request, wallet))
    return (
      <p className="notice" data-is="time">
        Another wallet is connected. This request is for {request.from}. Switch to it in your wallet.
      </p>
    );
  return wallet.isOnChain ? null : <WrongChain />;
}

takeApprovalToken();
// The same address with the secret loads no new document.
addEventListener('hashchange', () => {
  if (takeApprovalToken()) location.reload();
});
