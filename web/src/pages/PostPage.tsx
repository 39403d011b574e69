// Posts a task, or changes a listing, in three steps.
import type { Market } from '@svc/sdk/domain';
import { useNow } from '../components/Clock.tsx';
import { useSearch } from '../components/navigation.tsx';
import { GatewayOnly, QueryView } from '../components/QueryView.tsx';
import { useListing } from '../data/listings.ts';
import { startListing } from './listing/listingDraft.ts';
import { PostForm } from './post/PostForm.tsx';

export function PostPage({ market }: { market: Market }) {
  const edit = useSearch().get('edit');
  if (edit === null) return <PostForm market={market} />;
  return (
    <GatewayOnly what="the form" shape="form">
      <EditListing id={edit} />
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
            edited={{ ...startListing(listing, listing.document, now), id, version: listing.version }}
            artifacts={listing.document.task.artifacts}
          />
        )
      }
    </QueryView>
  );
}
