// How an attempt to send ended. Reasons are kept and shown, so they name no address.

export type Outcome =
  | { readonly kind: 'sent' }
  /** This receiver did not take it; it may later. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** This receiver is gone for good. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** The mail server did not answer: it may have accepted the letter, and the receiver need not be to blame. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** Nothing can be sent this way at the moment; no receiver is to blame. */
  | { readonly kind: 'down'; readonly reason: string };

type MailError = {
  readonly responseCode?: number;
  readonly command?: string;
  readonly timeoutType?: string;
};

/** The answer of a mail server may repeat the address, so only its code is kept. */
export function describeFailure(error: unknown): Outcome {
  const { responseCode, command, timeoutType } = error as MailError;
  if (timeoutType === 'SOCKET_TIMEOUT')
    return { kind: 'silent', reason: 'the mail server did not answer in time' };
  if (responseCode === undefined) return { kind: 'down', reason: 'the mail server cannot be reached' };
  const reason = `the mail server answered ${responseCode}`;
  // A server that refuses the sender or the login refuses everybody.
  if (command !== 'RCPT TO' && command !== 'DATA') return { kind: 'down', reason };
  return { kind: command === 'RCPT TO' && responseCode >= 500 ? 'gone' : 'failed', reason };
}

/** `answer` is a status, or the reason why there is none. */
export function describeAnswer(answer: number | string, isGone: (status: number) => boolean): Outcome {
  if (typeof answer === 'string') return { kind: 'failed', reason: answer };
  if (answer >= 200 && answer < 300) return { kind: 'sent' };
  return { kind: isGone(answer) ? 'gone' : 'failed', reason: `it answered ${answer}` };
}
