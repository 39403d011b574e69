// The frame of every page: navigation, theme, wallet, and how fresh the data is.

import type { Address } from '@svc/sdk/domain';
import { describeTheme, navigation, nextTheme, themeIcons } from '@svc/sdk/internal/schemas/pageFrame';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useConnection } from 'wagmi';
import { Button } from '../components/Form.tsx';
import { CountMark } from '../components/navigation.tsx';
import { lazyPart } from '../components/QueryView.tsx';
import { client, useIsGateway, usePagesInfo } from '../data/client.ts';
import { showDuration } from '../data/format.ts';
import { sessionName } from '../data/gatewaySession.ts';
import { useLiveUpdates } from '../data/liveUpdates.ts';
import { showCapped, useNeeded } from '../data/ownTasks.ts';
import { batchName, useText } from '../data/savedText.ts';
import { readTheme, saveTheme } from '../data/theme.ts';
import { WalletButton } from '../wallet/WalletButton.tsx';

export function Shell({ children }: { readonly children: ReactNode }) {
  useLiveUpdates();
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="masthead">
        <div className="frame">
          <a className="brand" href="/">
            <img src="/icon.svg" alt="" width="24" height="24" />
            svc
          </a>
          <nav aria-label="Pages">
            {navigation.map(([href, name]) => (
              <a key={href} href={href} aria-current={location.pathname === href ? 'page' : undefined}>
                {name}
                {href === '/messages.html' && <Unread />}
                {href === '/my.html' && <Needed />}
              </a>
            ))}
          </nav>
          <div className="tools">
            <ThemeButton />
            <WalletButton />
          </div>
        </div>
      </header>
      <main id="content" className="frame" tabIndex={-1}>
        <UnfinishedBatch />
        {children}
      </main>
      <footer className="footer">
        <div className="frame">
          <LiveIndicator />
          <a className="quiet" href="/docs/api">
            API
          </a>
          <a className="quiet" href="/openapi.yaml">
            OpenAPI
          </a>
          <ReportLink />
          <span>All data comes from the chain. Your keys stay in your wallet.</span>
        </div>
      </footer>
    </>
  );
}

function Needed() {
  const { address } = useConnection();
  return address === undefined ? null : <NeededCount address={address} />;
}

function NeededCount({ address }: { address: Address }) {
  const count = useNeeded(address);
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
  return (
    <a className="quiet" href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>
      Report abuse
    </a>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme);
  const change = () => {
    const chosen = nextTheme[theme];
    setTheme(chosen);
    saveTheme(chosen);
  };
  const label = describeTheme(theme);
  return (
    <Button is="plain" onClick={change} title={label} aria-label={label}>
      <span aria-hidden="true">{themeIcons[theme]}</span>
    </Button>
  );
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
