// How a wallet learns what concerns it, and the pages that links in e-mails open.

import { GatewayOnly, Loading, lazyPart } from '../components/QueryView.tsx';
import { views } from '../data/pageList.ts';
import { SignedIn } from '../wallet/useSession.tsx';
import { WalletHead } from './WalletPage.tsx';

/** Separate chunks: most readers of a link never see the settings. */
const Settings = lazyPart(
  async () => (await import('./notifications/Settings.tsx')).Settings,
  <Loading what="your notifications" shape="lines" />,
);
const LinkPanel = lazyPart(
  async () => (await import('./notifications/LinkPanel.tsx')).LinkPanel,
  <Loading what="this page" shape="lines" />,
);

/** Behind the #, so that no server on the way sees it. */
function readLink() {
  const [, purpose, token] = /^#(confirm|unsubscribe)=([\w.-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return null;
  return { purpose: purpose as 'confirm' | 'unsubscribe', token };
}

export function NotificationsPage() {
  const link = readLink();
  return (
    <>
      <WalletHead part="notices" />
      <p className="lead">{views.notifications.lead}</p>
      <GatewayOnly what="your notifications">
        {link === null ? (
          <SignedIn
            connect="Connect a wallet to choose where it gets a notice when it is your turn."
            signIn="Sign in once, so that only you decide where your wallet is reached."
          >
            {(own, { token }) => <Settings key={own} token={token} />}
          </SignedIn>
        ) : (
          <LinkPanel {...link} />
        )}
      </GatewayOnly>
    </>
  );
}
