// Signing in at the gateway: one signature, no transaction. Messages and uploads then need only the session.
import type { Address } from '@svc/sdk/domain';
import { type ReactNode, useEffect } from 'react';
import { useGatewayNow } from '../components/Clock.tsx';
import { Button, Failure } from '../components/Form.tsx';
import { GatewayOnly } from '../components/QueryView.tsx';
import { queries } from '../data/client.ts';
import { isSessionOver, parseSession, saveSession, sessionName } from '../data/gatewaySession.ts';
import { useText } from '../data/savedText.ts';
import { useAttempt } from './useAttempt.ts';
import { ConnectFirst, chainId, OnChain, requireClient, useWallet } from './useWallet.tsx';

const sessionSeconds = 12 * 3_600;

export type SignIn = ReturnType<typeof useSession>;

export function useSession() {
  const wallet = useWallet();
  const now = useGatewayNow();
  const text = useText(wallet === null ? null : sessionName(wallet.address));
  const opening = useAttempt(async () => {
    const client = requireClient(wallet);
    const options = { chainId, validUntil: now + sessionSeconds };
    // Only for those who sign in: it builds and signs typed data.
    const { openSession } = await import('@svc/sdk/client');
    const session = await openSession({ baseUrl: location.origin }, client as never, options);
    // What refused the session before must not end this one.
    await queries.resetQueries({ predicate: ({ state }) => isSessionOver(state.error) });
    saveSession(client.account.address, session);
    return session.token;
  });
  return {
    ...opening,
    /** Null until the wallet has signed in. */
    token: parseSession(text, now)?.token ?? null,
    end: () => {
      if (wallet !== null) saveSession(wallet.address, null);
    },
  };
}

/** Forgets a session that the gateway no longer knows, as after a fresh start: then the page asks to sign in again. */
export function useSessionEnd(error: Error | null): void {
  const address = useWallet()?.address;
  useEffect(() => {
    if (address !== undefined && isSessionOver(error)) saveSession(address, null);
  }, [address, error]);
}

/** The button with what the signature is for; `children` say why the page asks. */
export function SignInButton({ session, children }: { session: SignIn; children: ReactNode }) {
  const wallet = useWallet();
  return (
    <GatewayOnly what="the sign-in">
      <OnChain connect={children}>
        <div className="notice">
          <p>{children}</p>
          <p className="small">
            Your wallet signs a sentence for this gateway. It costs nothing, moves no money, and ends after 12
            hours.
          </p>
          <Failure text={session.failure} className="error" />
          <Button disabled={wallet?.client == null} run={session}>
            Sign in at this gateway
          </Button>
        </div>
      </OnChain>
    </GatewayOnly>
  );
}

type SignedInProps = {
  /** Why a wallet is needed, and why it signs in. */
  connect: string;
  signIn: string;
  children: (own: Address, session: SignIn & { token: string }) => ReactNode;
};

/** What only a wallet that has signed in can see; before that, the way there. */
export function SignedIn({ connect, signIn, children }: SignedInProps) {
  const wallet = useWallet();
  const session = useSession();
  const { token } = session;
  if (wallet === null) return <ConnectFirst>{connect}</ConnectFirst>;
  if (token === null) return <SignInButton session={session}>{signIn}</SignInButton>;
  return children(wallet.address, { ...session, token });
}
