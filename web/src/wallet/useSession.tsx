// Signing in at the gateway: one signature, no transaction. Messages and uploads then need only the session.
import { openSession } from '@svc/sdk/client';
import type { ReactNode } from 'react';
import { useGatewayNow } from '#components/Clock.tsx';
import { statusOf } from '#data/client.ts';
import { parseSession, saveSession, sessionName } from '#data/gatewaySession.ts';
import { useText } from '#data/savedText.ts';
import { useAttempt } from './useAttempt.ts';
import { chainId, requireClient, useWallet, WrongChain } from './useWallet.tsx';

const sessionSeconds = 12 * 3_600;

export type SignIn = {
  /** Null until the wallet has signed in. */
  readonly token: string | null;
  readonly isBusy: boolean;
  readonly failure: string | null;
  /** Returns the token, or null after a failure. */
  readonly start: () => Promise<string | null>;
  readonly end: () => void;
};

export function useSession(): SignIn {
  const wallet = useWallet();
  const now = useGatewayNow();
  const text = useText(wallet === null ? null : sessionName(wallet.address));
  const opening = useAttempt(async () => {
    const client = requireClient(wallet);
    const options = { chainId, validUntil: now + sessionSeconds };
    const session = await openSession({ baseUrl: location.origin }, client as never, options);
    saveSession(client.account.address, session);
    return session.token;
  });
  return {
    ...opening,
    token: parseSession(text, now)?.token ?? null,
    end: () => {
      if (wallet !== null) saveSession(wallet.address, null);
    },
  };
}

/** Whether the gateway no longer knows the session, so that the wallet must sign in again. */
export function isSessionOver(error: unknown): boolean {
  return statusOf(error) === 401 || statusOf(error) === 403;
}

/** The button with what the signature is for. */
export function SignInButton({
  session,
  children,
}: {
  readonly session: SignIn;
  /** Why the page asks. */
  readonly children: ReactNode;
}) {
  const wallet = useWallet();
  if (wallet === null) return <p className="notice">Connect a wallet first.</p>;
  if (!wallet.isOnChain) return <WrongChain />;
  return (
    <div className="notice">
      <p>{children}</p>
      <p className="small">
        Your wallet signs a sentence for this gateway. It costs nothing, moves no money, and ends after 12
        hours.
      </p>
      {session.failure !== null && (
        <p className="error" role="alert">
          {session.failure}
        </p>
      )}
      <button
        type="button"
        className="button"
        disabled={session.isBusy || wallet.client === null}
        onClick={() => void session.start()}
      >
        {session.isBusy ? 'Confirm in your wallet…' : 'Sign in at this gateway'}
      </button>
    </div>
  );
}
