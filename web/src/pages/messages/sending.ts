// Sends one message from a form: busy while the wallet signs, then done or a sentence that says what went wrong.

import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { useState } from 'react';
import { type Outgoing, useSendMessage } from '#wallet/messaging.ts';
import { explainError } from '#wallet/send.ts';

export type MessageSending = {
  readonly isBusy: boolean;
  readonly failure: string | null;
  /** Returns what was sent, or null after a failure. */
  readonly send: (write: () => Promise<Outgoing> | Outgoing) => Promise<SignedEnvelope | null>;
};

export function useMessageSending(token: string): MessageSending {
  const post = useSendMessage();
  const [state, setState] = useState<Omit<MessageSending, 'send'>>({ isBusy: false, failure: null });
  return {
    ...state,
    send: async (write) => {
      setState({ isBusy: true, failure: null });
      try {
        const message = await write();
        const signed = await post(token, () => message);
        setState({ isBusy: false, failure: null });
        return signed;
      } catch (error) {
        setState({ isBusy: false, failure: explainError(error) });
        return null;
      }
    },
  };
}
