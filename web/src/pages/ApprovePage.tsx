// approve.html: one request that waits for its wallet's owner, in plain words, to be approved or rejected.
import { isSameAddress } from '@svc/sdk/domain';
import type { WalletRequest } from '@svc/sdk/schemas';
import { Answer, Failure } from '../components/Answer.tsx';
import { Countdown } from '../components/Clock.tsx';
import { Foreign } from '../components/Foreign.tsx';
import { GatewayOnly } from '../components/GatewayOnly.tsx';
import { Hex } from '../components/Hex.tsx';
import { useSearch } from '../data/address.ts';
import { statusOf } from '../data/client.ts';
import { useWalletRequest } from '../data/gateway.ts';
import { OtherChain } from '../wallet/OtherChain.tsx';
import { useWallet } from '../wallet/useWallet.ts';
import { CallsRequest } from './approve/CallsRequest.tsx';
import { SignatureRequest } from './approve/SignatureRequest.tsx';

export function ApprovePage() {
  const id = useSearch().get('request') ?? '';
  return (
    <div className="approval stack">
      <header>
        <h1>A request for your wallet</h1>
        <p className="lead">
          A tool has prepared this. Nothing happens unless you approve it here and sign it in your wallet.
        </p>
      </header>
      {id === '' ? (
        <p className="notice">The address of this page must end in ?request= and the request’s id.</p>
      ) : (
        <GatewayOnly what="the request">
          <Asked id={id} />
        </GatewayOnly>
      )}
    </div>
  );
}

function Asked({ id }: { readonly id: string }) {
  const request = useWalletRequest(id);
  if (request.isError && request.data === undefined) {
    if (statusOf(request.error) === 404)
      return <p className="notice">There is no such request. It may have been made on another gateway.</p>;
    return <Failure error={request.error} what="the request" onRetry={() => void request.refetch()} />;
  }
  return (
    <Answer of={request} what="the request">
      {(known) => <Request known={known} />}
    </Answer>
  );
}

const statusWords: Readonly<Record<WalletRequest['status'], readonly [string, string]>> = {
  pending: ['time', '◆ waits for your decision'],
  submitted: ['time', '▶ sent; waiting for the chain'],
  settled: ['act', '● done: the chain proves it'],
  rejected: ['done', '– rejected; nothing was sent'],
  failed: ['risk', '▲ failed'],
  expired: ['done', '– expired; nobody decided in time'],
};

/** Of several calls the first went out, and then its owner or the page stopped. */
const partlySentWords: typeof statusWords = {
  ...statusWords,
  pending: ['time', '◆ partly sent; waits for you to go on'],
  rejected: ['done', '– partly sent, the rest rejected'],
  expired: ['risk', '▲ partly sent; nobody went on in time'],
};

const signatureWords: typeof statusWords = {
  ...statusWords,
  settled: ['act', '● done: your signature is handed over'],
};

function wordsOf({ request, transactionHashes }: WalletRequest): typeof statusWords {
  if (request.kind === 'signature') return signatureWords;
  return transactionHashes.length > 0 ? partlySentWords : statusWords;
}

function Request({ known }: { readonly known: WalletRequest }) {
  const wallet = useWallet();
  const { request, status, error, expiresAt } = known;
  const [tone, word] = wordsOf(known)[status];
  const isOwn = wallet !== null && isSameAddress(wallet.address, request.from as `0x${string}`);
  return (
    <>
      <section className="sheet">
        <header>
          <h2>What is asked for</h2>
          <span className="standing" data-tone={tone} role="status">
            {word}
          </span>
        </header>
        <div className="body stack">
          <Foreign label="What the tool says" text={`${request.action}: ${request.summary}`} />
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
                  <Hex value={hash} name="Transaction" />
                </dd>
              </div>
            ))}
          </dl>
          {error !== null && (
            <p className="notice" data-is="risk" role="alert">
              {error}
            </p>
          )}
          {status === 'pending' && wallet === null && (
            <p className="notice">Connect the wallet that this is for; then you can approve or reject it.</p>
          )}
          {status === 'pending' && wallet !== null && !isOwn && (
            <p className="notice" data-is="time">
              Another wallet is connected. This request is for {request.from}: switch to it in your wallet.
            </p>
          )}
          {status === 'pending' && isOwn && !wallet.isOnChain && <OtherChain />}
        </div>
      </section>
      {request.kind === 'calls' ? (
        <CallsRequest known={known} request={request} isOpen={status === 'pending' && isOwn} />
      ) : (
        <SignatureRequest id={known.requestId} request={request} isOpen={status === 'pending' && isOwn} />
      )}
    </>
  );
}
