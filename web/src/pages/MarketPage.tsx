// The board of one market, one of its tasks, or the form that posts one.

import type { Market } from '@svc/sdk/domain';
import { LinkSwitch, marketNames, useMarket } from '../components/MarketHeader.tsx';
import { useSearch } from '../components/navigation.tsx';
import { Loading, lazyPart } from '../components/QueryView.tsx';
import { views } from '../data/pageList.ts';
import { Board } from './Board.tsx';
import { TaskPage } from './TaskPage.tsx';

/** A separate chunk: the form needs the contracts' ABIs. */
const PostPage = lazyPart(
  async () => (await import('./PostPage.tsx')).PostPage,
  <Loading what="the form" shape="form" />,
);

/** A separate chunk: listings come from the gateway, with its schemas. */
const ListingPage = lazyPart(
  async () => (await import('./listing/ListingPage.tsx')).ListingPage,
  <Loading what="the listing" shape="task" />,
);

export function MarketPage() {
  const search = useSearch();
  const task = search.get('task');
  const market = useMarket();
  const listing = search.get('listing');
  if (task !== null) return <TaskPage key={task} id={task} />;
  if (listing !== null) return <ListingPage key={listing} id={listing} />;
  if (!search.has('post')) return <Board market={market} />;
  return (
    <>
      <PostHead market={market} isEdit={search.has('edit')} />
      <PostPage market={market} />
    </>
  );
}

function PostHead({ market, isEdit }: { market: Market; isEdit: boolean }) {
  return (
    <header className="taskhead row between">
      <div className="row">
        <h1>{isEdit ? 'Edit your listing' : views.post.heading}</h1>
        {!isEdit && <LinkSwitch label="Market" name="market" labels={marketNames} current={market} />}
      </div>
      <p className="small soft">{views.post.lead}</p>
    </header>
  );
}
