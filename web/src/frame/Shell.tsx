// The frame of every page: navigation, theme, wallet, and how fresh the data is.

import type { Address } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useConnection } from 'wagmi';
import { CountMark, usePathname } from '../components/navigation.tsx';
import { lazyPart } from '../components/QueryView.tsx';
import { client, useIsGateway, usePagesInfo, useTokPrice } from '../data/client.ts';
import { nameZone, showDuration } from '../data/format.ts';
import { sessionName } from '../data/gatewaySession.ts';
import { useLiveUpdates } from '../data/liveUpdates.ts';
import { showCapped, useNeeded } from '../data/ownTasks.ts';
import { batchName, useText } from '../data/savedText.ts';
import { switchTheme } from '../data/theme.ts';
import { WalletButton } from '../wallet/WalletButton.tsx';
import { Masthead } from './Masthead.tsx';

export function Shell({ children }: { readonly children: ReactNode }) {
  useLiveUpdates();
  const path = usePathname();
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Masthead
        current={path}
        counts={{ '/messages.html': <Unread />, '/my.html': <Needed path={path} /> }}
        onTheme={switchTheme}
      >
        <WalletButton />
      </Masthead>
      <main id="content" className="page" tabIndex={-1}>
        <UnfinishedBatch />
        {children}
      </main>
      <footer className="footer">
        <div>
          <LiveIndicator />
          <a href="/treasury-dashboard.html">Stats and fees</a>
          <a href="/docs/api">API</a>
          <a href="/docs/security">Whom you trust</a>
          <ReportLink />
          <Units />
        </div>
      </footer>
    </>
  );
}

/** What times and amounts on the page are. */
function Units() {
  const price = useTokPrice();
  return (
    <span>
      Times in {nameZone()}.{price !== null && ` 1 TOK is $${price}.`}
    </span>
  );
}

function Needed({ path }: { path: string }) {
  const { address } = useConnection();
  return address === undefined ? null : <NeededCount address={address} path={path} />;
}

function NeededCount({ address, path }: { address: Address; path: string }) {
  const count = useNeeded(address, path !== '/my.html');
  return count === 0 ? null : <CountMark count={showCapped(count)} words="waiting for you" />;
}

/** A separate chunk, loaded for wallets that have signed in here. */
const UnreadCount = lazyPart(async () => (await import('../wallet/UnreadCount.tsx')).UnreadCount, null);

function Unread() {
  const { address } = useConnection();
  const session = useText(address === undefined ? null : sessionName(address));
  const isGateway = useIsGateway();
  if (session === '' || !isGateway) return null;
  return <UnreadCount />;
}

/** A separate chunk: few wallets batch. */
const PendingBatch = lazyPart(async () => (await import('../wallet/PendingBatch.tsx')).PendingBatch, null);

function UnfinishedBatch() {
  const { address } = useConnection();
  const text = useText(address === undefined ? null : batchName(address));
  // Stays after the end, to say how it ended.
  const wasPending = useRef(false);
  if (text !== '') wasPending.current = true;
  if (address === undefined || !wasPending.current) return null;
  return <PendingBatch owner={address} />;
}

/** Where people report files and texts that should not be here; only if the operator names a contact. */
function ReportLink() {
  const contact = usePagesInfo().data?.abuseContact ?? null;
  if (contact === null) return null;
  return <a href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>Report abuse</a>;
}

/** The block that the page shows, or why it is an old one. */
function LiveIndicator() {
  const { data, isError, isPending } = useQuery({
    queryKey: ['health'],
    refetchInterval: 4_000,
    retry: false,
    // Also without a connection: the failure is what this line reports.
    networkMode: 'always',
    queryFn: ({ signal }) => client.health({ signal }),
  });
  if (isPending) return <span className="live">Connecting…</span>;
  if (!isError && data.status !== 'degraded')
    return <span className="live">Live, block {data.block.toLocaleString('en-US')}</span>;
  return (
    <span className="live" data-is={isError ? 'away' : 'late'} role="status">
      {isError
        ? 'The service does not respond; retrying'
        : `Block ${data.block.toLocaleString('en-US')}, ${showDuration(data.blockAgeSeconds)} old`}
    </span>
  );
}
