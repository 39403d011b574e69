// market.html: the board of one market, one of its tasks, or the form that posts one, as the address says.

import { isMarket } from '@svc/sdk/domain';
import { lazy, Suspense } from 'react';
import { useSearch } from '../data/address.ts';
import { Board } from './Board.tsx';
import { TaskPage } from './TaskPage.tsx';

/** Loaded when somebody wants to post: it brings every contract's words along. */
const PostPage = lazy(async () => ({ default: (await import('./PostPage.tsx')).PostPage }));

export function MarketPage() {
  const search = useSearch();
  const task = search.get('task');
  if (task !== null) return <TaskPage key={task} id={task} />;
  const asked = search.get('market');
  const market = isMarket(asked) ? asked : 'standard';
  if (!search.has('post')) return <Board market={market} />;
  return (
    <Suspense fallback={<p className="notice">Loading the form…</p>}>
      <PostPage market={market} />
    </Suspense>
  );
}
