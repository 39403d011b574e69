// What went wrong with a wallet, a contract or a request, in a sentence. It knows the errors of all contracts.
import { findRevert } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';
import {
  ChainMismatchError,
  HttpRequestError,
  InternalRpcError,
  TimeoutError,
  WaitForTransactionReceiptTimeoutError,
} from 'viem';
import { showMoments } from '../data/format.ts';
import { isSessionOver } from '../data/gatewaySession.ts';

/** Said of one signature: after earlier ones it is not true. */
export const nothingSent = 'Nothing was signed or sent.';

/** What went wrong and what to do, in a sentence. */
export function explainError(error: unknown): string {
  const revert = findRevert(error);
  if (revert !== undefined) return showMoments(revert.sentence);
  if (!(error instanceof Error)) return 'Something went wrong. Try again.';
  if (error instanceof SvcError && error.code === 'ARGUMENTS_INVALID') return explainMistake(error);
  if (isSessionOver(error)) return 'This gateway does not know your session any more. Sign in again.';
  if (error instanceof WaitForTransactionReceiptTimeoutError)
    return 'The transaction is sent but not mined yet. Try again to keep waiting.';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const known = explainCause(cause);
    if (known !== null) return known;
  }
  const short = (error as { shortMessage?: unknown }).shortMessage;
  const text = typeof short === 'string' ? short : (error.message.split('\n')[0] ?? error.message);
  return showMoments(text);
}

/** As the browsers call a request that got no reply. */
const lostRequest = /^(Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)/;
/** As wallets refuse a signature for another chain than theirs. */
const otherChain = /chainId.*(must match the active chainId|should be same as current chainId)/i;

/** What a wallet, its node or the server means, which say it each in their own words. */
function explainCause(cause: Error): string | null {
  if ((cause as { code?: unknown }).code === 4001) return `You declined in the wallet. ${nothingSent}`;
  if (cause instanceof ChainMismatchError || otherChain.test(cause.message))
    return `The wallet is on another chain. Switch it to the one of this market, then try again. ${nothingSent}`;
  if (cause instanceof HttpRequestError || cause instanceof TimeoutError)
    return 'The wallet cannot reach the chain now. Try again in a moment.';
  if ((cause instanceof SvcError && cause.code === 'API_UNREACHABLE') || lostRequest.test(cause.message))
    return 'The server does not answer. Check your connection, then try again.';
  if (cause instanceof InternalRpcError && cause.details) return `The wallet answers: ${cause.details}`;
  return null;
}

/** The first mistake of a form, without the name of the argument. */
function explainMistake({ details }: SvcError): string {
  const [first = ''] = String(details.mistakes).trim().split('\n');
  const text = showMoments(first.replace(/^\w+: /, '').replace(/\.?$/, '.'));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
