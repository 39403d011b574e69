// The board's view of listings: work for which a poster chooses among proposals.
import { isAddress, type Market } from '@svc/sdk/domain';
import { Countdown } from '#components/Clock.tsx';
import { WalletLink } from '#components/Hex.tsx';
import { marketNames } from '#components/MarketHeader.tsx';
import { Link, useSearch } from '#components/navigation.tsx';
import { GatewayOnly, QueryView } from '#components/QueryView.tsx';
import { type Column, DataTable } from '#components/StatsTable.tsx';
import { type Listing, type ListingWords, proposalWords, useListings } from '#data/listings.ts';
import { Budget } from './Budget.tsx';

export function ListingBoard({ markets }: { markets: readonly Market[] }) {
  return (
    <GatewayOnly what="the listings" shape="rows">
      <Rows market={markets.length === 1 ? markets[0] : undefined} />
    </GatewayOnly>
  );
}

type Shown = Listing & { readonly document: ListingWords };

const columns: readonly Column<Shown>[] = [
  {
    name: 'Work',
    isText: true,
    value: ({ document }) => document.task.title,
    show: ({ id, document }) => (
      <Link href={`/market.html?listing=${id}`} dir="auto">
        {document.task.title}
      </Link>
    ),
  },
  { name: 'Budget', value: () => 0, show: ({ document }) => <Budget budget={document.budget} /> },
  {
    name: 'Due at the latest',
    value: ({ document }) => document.deadline,
    show: ({ document }) => <Countdown to={document.deadline} isCalm />,
  },
  { name: 'Proposals', isText: true, value: ({ proposals }) => proposalWords[proposals] },
  {
    name: 'Poster',
    isText: true,
    value: ({ poster }) => poster,
    show: ({ poster }) => <WalletLink address={poster} name="Poster" />,
  },
];

function Rows({ market }: { market: Market | undefined }) {
  const search = useSearch();
  const [tag, q, poster] = [search.get('tag')?.split(',')[0], search.get('q'), search.get('poster')];
  const query = useListings({
    market,
    tag: tag || undefined,
    q: q?.trim() || undefined,
    poster: poster !== null && isAddress(poster) ? poster : undefined,
  });
  return (
    <QueryView query={query} what="the listings" shape="rows">
      {({ listings }) => {
        const shown = listings.filter((listing): listing is Shown => listing.document !== null);
        if (shown.length === 0)
          return (
            <p className="notice">
              Nobody is looking for proposals here right now.{' '}
              <Link href={`/market.html?market=${market ?? 'standard'}&post=new`}>List your own work</Link>{' '}
              and choose who does it.
            </p>
          );
        return (
          <div className="scroll sheet wanted">
            <DataTable
              caption={
                <caption>
                  Work for which a poster chooses among proposals, newest first. Nothing is paid or signed to
                  propose.
                </caption>
              }
              columns={
                market === undefined
                  ? [...columns, { name: 'Market', isText: true, value: (one) => marketNames[one.market] }]
                  : columns
              }
              rows={shown}
              keyOf={({ id }) => id}
            />
          </div>
        );
      }}
    </QueryView>
  );
}
