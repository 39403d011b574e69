// The entry of messages.html: conversations between posters and workers, and the negotiation of tasks.

import { lazy, Suspense } from 'react';
import { GatewayOnly } from '#components/QueryView.tsx';
import { Skeleton } from '#components/Skeleton.tsx';
import { views } from '#data/pageList.ts';
import { mount } from '#frame/mount.tsx';
import { SignInButton, useSession } from '#wallet/useSession.tsx';
import { ChooseWallet, useWallet } from '#wallet/useWallet.tsx';

/** A separate chunk: it checks signatures and builds terms. */
const Mailbox = lazy(async () => ({ default: (await import('./messages/Mailbox.tsx')).Mailbox }));

function MessagesPage() {
  return (
    <>
      <header className="pagehead">
        <div>
          <h1>{views.messages.heading}</h1>
          <p className="lead">{views.messages.lead}</p>
          <p className="small quiet">
            The operator of this gateway can read messages. For secrets use XMTP, or a gateway of your own.
          </p>
        </div>
      </header>
      <GatewayOnly what="your messages">
        <OwnMessages />
      </GatewayOnly>
    </>
  );
}

function OwnMessages() {
  const wallet = useWallet();
  const session = useSession();
  if (wallet === null)
    return (
      <div className="notice">
        <p>Connect a wallet to read your messages and to write to others.</p>
        <ChooseWallet isMain />
      </div>
    );
  if (session.token === null)
    return (
      <SignInButton session={session}>
        Sign in once, and this gateway gives you the messages of your wallet.
      </SignInButton>
    );
  return (
    <Suspense fallback={<Skeleton text="Loading your messages…" />}>
      <Mailbox key={wallet.address} own={wallet.address} token={session.token} onSignOut={session.end} />
    </Suspense>
  );
}

mount(<MessagesPage />);
