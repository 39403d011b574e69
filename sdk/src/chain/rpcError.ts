// What an error of a JSON-RPC node means: the chain has moved, the question was too much, or the node is of no use.
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';

export type RpcErrorAnswer = { readonly code?: number; readonly message?: string; readonly data?: unknown };

/** A revert or a malformed question: the node understood and said no, so asking elsewhere would not help. */
const refusalCodes: ReadonlySet<number> = new Set([3, -32600, -32602]);

/** The words of nodes for a block that they do not have: on another branch, or not there yet. */
const blockMissing =
  /\b(blocks?|header)\b.*\b(not found|unknown|missing|not canonical|cannot be found)\b|unknown block|invalid block tag/i;

/** The words of providers for logs of too many blocks at once; there is no code that they agree on. */
const rangeTooLarge = /range|results|response size|too (many|large|big)|exceed|more than|limited to/i;
const askedTooOften = /\brate\b|per (second|minute|day)|too many requests|quota|capacity|throttl/i;

/** `name` is the endpoint's, free of credentials; the node's own words are repeated only where the chain refuses. */
export function explainRpcError(name: string, method: string, answer: RpcErrorAnswer): Error {
  const { code = 0, message = '', data } = answer;
  if (blockMissing.test(message)) return new SvcError('CHAIN_CHANGED', {});
  const isTooLarge = method === 'eth_getLogs' && rangeTooLarge.test(message) && !askedTooOften.test(message);
  if (refusalCodes.has(code) || isTooLarge) {
    return new SvcError('CHAIN_REFUSED', { reason: toShown(message), data });
  }
  return new Error(`${name} fails with code ${code}`);
}

/** The chain itself has answered: another endpoint would say the same, or the question has to be put anew. */
export function isAnswer(error: unknown): boolean {
  return error instanceof SvcError && (error.code === 'CHAIN_REFUSED' || error.code === 'CHAIN_CHANGED');
}
