// The entry of notifications.html: where the wallet is told what concerns it, and the pages that links of e-mails open.
import { lazyPart } from '#components/lazyPart.tsx';
import { PageHead } from '#components/MarketHeader.tsx';
import { GatewayOnly, Skeleton } from '#components/QueryView.tsx';
import { views } from '#data/pageList.ts';
import { mount } from '#frame/mount.tsx';
import { SignInButton, useSession } from '#wallet/useSession.tsx';
import { ChooseWallet, useWallet } from '#wallet/useWallet.tsx';

/** Separate chunks: most readers of a link never see the settings. */
const Settings = lazyPart(
  async () => (await import('./notifications/Settings.tsx')).Settings,
  <Skeleton text="Loading your notifications…" />,
);
const LinkPanel = lazyPart(
  async () => (await import('./notifications/LinkPanel.tsx')).LinkPanel,
  <Skeleton text="Loading…" />,
);

/** Behind the #, so that no server on the way sees it. */
function readLink() {
  const [, purpose, token] = /^#(confirm|unsubscribe)=([\w.-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return null;
  return { purpose: purpose as 'confirm' | 'unsubscribe', token };
}

function NotificationsPage() {
  const link = readLink();
  return (
    <>
      <PageHead title={views.notifications.heading} lead={views.notifications.lead} />
      <GatewayOnly what="your notifications">
        {link === null ? <OwnNotifications /> : <LinkPanel {...link} />}
      </GatewayOnly>
    </>
  );
}

function OwnNotifications() {
  const wallet = useWallet();
  const session = useSession();
  if (wallet === null)
    return (
      <div className="notice">
        <p>Connect a wallet to choose where it is told that it is your turn.</p>
        <ChooseWallet isMain />
      </div>
    );
  if (session.token === null)
    return (
      <SignInButton session={session}>
        Sign in once, so that only you decide where your wallet is reached.
      </SignInButton>
    );
  return <Settings key={wallet.address} token={session.token} onSignOut={session.end} />;
}

mount(<NotificationsPage />);
