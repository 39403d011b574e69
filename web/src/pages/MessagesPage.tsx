// Conversations between posters and workers, and the negotiation of tasks.

import { PageHead } from '../components/MarketHeader.tsx';
import { GatewayOnly, Loading, lazyPart } from '../components/QueryView.tsx';
import { views } from '../data/pageList.ts';
import { SignedIn } from '../wallet/useSession.tsx';
import { OnChain } from '../wallet/useWallet.tsx';

/** A separate chunk: it checks signatures and builds terms. */
const Mailbox = lazyPart(
  async () => (await import('./messages/Mailbox.tsx')).Mailbox,
  <Loading what="your messages" shape="lines" />,
);

export function MessagesPage() {
  return (
    <>
      <PageHead title={views.messages.heading} lead={views.messages.lead}>
        <p className="small quiet">
          The operator of this gateway can read messages. For secrets use XMTP, or a gateway of your own.
        </p>
      </PageHead>
      <GatewayOnly what="your messages">
        <SignedIn
          connect="Connect a wallet to read your messages and to write to others."
          signIn="Sign in once, and this gateway gives you the messages of your wallet."
        >
          {(own, { end }) => (
            <OnChain>
              <Mailbox key={own} own={own} onSignOut={end} />
            </OnChain>
          )}
        </SignedIn>
      </GatewayOnly>
    </>
  );
}
