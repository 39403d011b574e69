// Posts a task: first the question who may take it, then the form; or the form with a listing that is to be changed.
import type { Market } from '@svc/sdk/domain';
import { useNow } from '../components/Clock.tsx';
import { useSearch } from '../components/navigation.tsx';
import { GatewayOnly, QueryView } from '../components/QueryView.tsx';
import { useListing } from '../data/listings.ts';
import { startListing } from './listing/listingDraft.ts';
import { PostForm } from './post/PostForm.tsx';
import { WhoMayTake } from './post/WhoMayTake.tsx';

export function PostPage({ market }: { market: Market }) {
  const search = useSearch();
  const who = search.get('who');
  const edit = search.get('edit');
  if (who === 'anyone') return <PostForm market={market} who="anyone" />;
  if (who !== 'proposals') return <WhoMayTake market={market} />;
  return (
    <GatewayOnly what="the form" shape="form">
      {edit === null ? <PostForm market={market} who="proposals" /> : <EditListing id={edit} />}
    </GatewayOnly>
  );
}

/** The form with a listing that is to be changed. */
function EditListing({ id }: { id: string }) {
  const now = useNow();
  return (
    <QueryView query={useListing(id)} what="the listing" shape="form">
      {(listing) =>
        listing.document === null ? (
          <p className="notice">This listing is closed.</p>
        ) : (
          <PostForm
            market={listing.market}
            who="proposals"
            edited={{ ...startListing(listing, listing.document, now), id, version: listing.version }}
            artifacts={listing.document.task.artifacts}
          />
        )
      }
    </QueryView>
  );
}
