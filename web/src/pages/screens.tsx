// The script of the app: which screen stands at which address. Each is a chunk of its own.
import { type ComponentType, lazy, Suspense, useLayoutEffect } from 'react';
import { usePathname } from '../components/navigation.tsx';
import { Loading } from '../components/QueryView.tsx';
import { firstView, pageList, pageNameOf } from '../data/pageList.ts';
import { nameTab } from '../data/tabTitle.ts';
import { mount } from '../frame/mount.tsx';

const screen = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

const screens: Readonly<Record<keyof typeof pageList, ComponentType>> = {
  index: screen(async () => (await import('./HubPage.tsx')).HubPage),
  market: screen(async () => (await import('./MarketPage.tsx')).MarketPage),
  my: screen(async () => (await import('./MyPage.tsx')).MyPage),
  messages: screen(async () => (await import('./MessagesPage.tsx')).MessagesPage),
  notifications: screen(async () => (await import('./NotificationsPage.tsx')).NotificationsPage),
  leaderboard: screen(async () => (await import('./LeaderboardPage.tsx')).LeaderboardPage),
  agent: screen(async () => (await import('./AgentPage.tsx')).AgentPage),
  'treasury-dashboard': screen(async () => (await import('./StatsPage.tsx')).StatsPage),
  connections: screen(async () => (await import('./ConnectionsPage.tsx')).ConnectionsPage),
  wallet: screen(async () => (await import('./WalletPage.tsx')).WalletPage),
  approve: screen(async () => (await import('./ApprovePage.tsx')).ApprovePage),
};

function CurrentScreen() {
  const name = pageNameOf(usePathname()) ?? 'index';
  const page = pageList[name];
  useLayoutEffect(() => nameTab(page.title), [page]);
  const Screen = screens[name];
  return (
    <Suspense key={name} fallback={<Loading what="this page" shape={firstView(page).shape} />}>
      <Screen />
    </Suspense>
  );
}

mount(<CurrentScreen />);
