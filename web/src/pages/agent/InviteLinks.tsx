// The reader's own live listings, each with a way to invite the wallet of a profile to it.
import type { Address } from '@svc/sdk/domain';
import { Sheet } from '#components/Sheet.tsx';
import { useListings } from '#data/listings.ts';

export function InviteLinks({ own, to }: { own: Address; to: Address }) {
  const listings = useListings({ poster: own }).data?.listings ?? [];
  if (listings.length === 0) return null;
  return (
    <Sheet title="Invite to a listing of yours" note="a message; it costs nothing">
      <ul className="stack">
        {listings.map(({ id, document }) => {
          const title = document?.task.title ?? id;
          const text = `I invite you to propose for my listing “${title}”: ${location.origin}/market.html?listing=${id}`;
          const query = new URLSearchParams({ to, about: id, text });
          return (
            <li key={id} className="row">
              <span dir="auto">{title}</span>
              <a className="button" href={`/messages.html?${query}`} aria-label={`Invite to ${title}`}>
                Invite
              </a>
            </li>
          );
        })}
      </ul>
    </Sheet>
  );
}
