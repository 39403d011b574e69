// The entry of market.html: the board of one market, one of its tasks, or the form that posts one.

import type { Market } from '@svc/sdk/domain';
import { lazy, Suspense } from 'react';
import { useMarket } from '#components/MarketHeader.tsx';
import { useSearch } from '#components/navigation.tsx';
import { Skeleton } from '#components/Skeleton.tsx';
import { mount } from '#frame/mount.tsx';
import { Board } from './Board.tsx';
import { PostHead } from './post/PostHead.tsx';
import { TaskPage } from './TaskPage.tsx';

/** A separate chunk: the form needs the contracts' ABIs. */
const PostPage = lazy(async () => ({ default: (await import('./PostPage.tsx')).PostPage }));

function MarketPage() {
  const search = useSearch();
  const task = search.get('task');
  const market = useMarket();
  if (task !== null) return <TaskPage key={task} id={task} />;
  if (!search.has('post')) return <Board market={market} />;
  return (
    <Suspense fallback={<PostFrame market={market} />}>
      <PostPage market={market} />
    </Suspense>
  );
}

function PostFrame({ market }: { readonly market: Market }) {
  return (
    <>
      <PostHead market={market} />
      <Skeleton text="Loading the form…" shape="form" />
    </>
  );
}

mount(<MarketPage />);
