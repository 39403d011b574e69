// The queue of requests that wait for a wallet: each in one sentence that is decoded from its bytes, with a link to its page.
import type { CreateRequest, WalletRequest } from '@svc/sdk/schemas';
import { Countdown } from '#components/Clock.tsx';
import { Link } from '#components/navigation.tsx';
import { toWords } from '#data/format.ts';
import { useSiteConfigs } from '#data/market.ts';
import { type AddressBook, buildAddressBook, decodeCall } from './decodeCall.ts';
import { parseTypedData } from './typedFields.ts';

export function RequestList({ requests }: { readonly requests: readonly WalletRequest[] }) {
  const sites = useSiteConfigs();
  if (sites === null) return <p className="body quiet">Reading the requests…</p>;
  return (
    <ul className="ownlist" data-is="needed">
      {requests.map(({ requestId: id, request, expiresAt }) => (
        <li key={id}>
          <Link href={hrefOf(id)} dir="auto">
            {describeRequest(buildAddressBook(sites, request.from), request)}
          </Link>
          <span className="turn">
            Your turn: approve or reject it, <Countdown to={expiresAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function hrefOf(id: string): string {
  return `/approve.html?request=${encodeURIComponent(id)}`;
}

/** The last call is the action; those before it are its allowances. */
function describeRequest(book: AddressBook, request: CreateRequest): string {
  if (request.kind === 'signature') {
    const typedData = parseTypedData(request.typedData);
    return `Sign: ${toWords(typedData?.primaryType ?? 'something that this page cannot read')}`;
  }
  const decoded = request.calls.map((call) => decodeCall(book, call));
  const unread = decoded.filter(({ contract, functionName }) => contract === null || functionName === null);
  if (unread.length > 0) return 'A call that this page cannot read';
  const last = decoded.at(-1);
  return last?.sentence ?? `${last?.functionName} on ${last?.contract}`;
}
