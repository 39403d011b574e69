// market.html: the board of one market, one of its tasks, or the form that posts one, as the address says.
import { isMarket } from '#domain/market.ts';
import { useSearch } from '../data/address.ts';
import { Board } from './Board.tsx';
import { PostPage } from './PostPage.tsx';
import { TaskPage } from './TaskPage.tsx';

export function MarketPage() {
  const search = useSearch();
  const task = search.get('task');
  if (task !== null) return <TaskPage key={task} id={task} />;
  const asked = search.get('market');
  const market = isMarket(asked) ? asked : 'standard';
  return search.has('post') ? <PostPage market={market} /> : <Board market={market} />;
}
