// The board's view of listings: work for which a poster chooses among proposals.
import type { Market } from '@svc/sdk/domain';
import { Countdown } from '../../components/Clock.tsx';
import { Button } from '../../components/Form.tsx';
import { WalletLink } from '../../components/Hex.tsx';
import { Link, useSearch } from '../../components/navigation.tsx';
import { GatewayOnly, QueryView } from '../../components/QueryView.tsx';
import { type Column, DataTable } from '../../components/StatsTable.tsx';
import { keepListingFilters, parseFilter } from '../../data/boardRows.ts';
import { type Listing, type ListingWords, proposalWords, useListings } from '../../data/listings.ts';
import { Budget } from './Budget.tsx';

export function ListingBoard({ market }: { market: Market }) {
  return (
    <GatewayOnly what="the listings" shape="rows">
      <Rows market={market} />
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

function Rows({ market }: { market: Market }) {
  const { search, tags, poster } = parseFilter(keepListingFilters(useSearch()));
  const q = search.trim();
  const query = useListings({
    market,
    tag: tags[0],
    q: q === '' ? undefined : q,
    poster: poster ?? undefined,
  });
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return (
    <QueryView query={query} what="the listings" shape="rows">
      {(listings) => {
        const shown = listings.filter((listing): listing is Shown => listing.document !== null);
        const isSearch = q !== '' || tags.length > 0 || poster !== null;
        return (
          <>
            {shown.length > 0 ? (
              <ListingTable rows={shown} />
            ) : (
              <Nothing market={market} isSearch={isSearch} />
            )}
            {hasNextPage && (
              <p>
                <Button isBusy={isFetchingNextPage} busyLabel="Loading…" onClick={() => void fetchNextPage()}>
                  Show more
                </Button>
              </p>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

function ListingTable({ rows }: { rows: readonly Shown[] }) {
  return (
    <div className="scroll sheet wanted">
      <DataTable
        caption={
          <caption>
            Work for which a poster chooses among proposals, newest first. Nothing is paid or signed to
            propose.
          </caption>
        }
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </div>
  );
}

function Nothing({ market, isSearch }: { market: Market; isSearch: boolean }) {
  if (isSearch)
    return (
      <p className="notice">
        No listing matches the search and the filters.{' '}
        <Link href={`/market.html?market=${market}&view=wanted`}>Show all listings</Link>
      </p>
    );
  return (
    <p className="notice">
      Nobody is looking for proposals here right now.{' '}
      <Link href={`/market.html?market=${market}&post=new`}>List your own work</Link> and choose who does it.
    </p>
  );
}
