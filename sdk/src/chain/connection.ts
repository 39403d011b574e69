// Meeting a node: whether it is one, and what to say when it cannot be asked. Never an address with a key in it.
import {
  BaseError,
  HttpRequestError,
  hexToNumber,
  isHex,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';

const noChain = 'what answers there is no chain';

/** The first question to any node: what is none is found out here, and not by a riddle later on. */
export async function readChainId(publicClient: PublicClient): Promise<number> {
  const answer: unknown = await publicClient.request({ method: 'eth_chainId' });
  if (!isHex(answer)) throw new SvcError('CHAIN_UNREACHABLE', { reason: noChain });
  return hexToNumber(answer);
}

/** Turns what viem threw into an SvcError; whatever is none of the chain's doing is handed back as it is. */
export function explainChainError(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const find = <Kind extends Error>(kind: abstract new (...args: never[]) => Kind) =>
    error.walk((cause) => cause instanceof kind) as Kind | null;
  const http = find(HttpRequestError);
  if (http !== null) return new SvcError('CHAIN_UNREACHABLE', { reason: explainHttp(http) }, error);
  if (find(TimeoutError) !== null)
    return new SvcError('CHAIN_UNREACHABLE', { reason: 'no answer in time' }, error);
  const refusal = find(RpcRequestError);
  return new SvcError('CHAIN_REFUSED', { reason: toShown(refusal?.details ?? error.shortMessage) }, error);
}

function explainHttp({ status, cause }: HttpRequestError): string {
  if (status !== undefined) return `it answers HTTP ${status}`;
  return cause instanceof SyntaxError ? noChain : 'no connection';
}
