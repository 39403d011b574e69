// The queue of requests that wait for a wallet: each in one sentence that is decoded from its bytes, with a link to its page.

import type { CreateRequest, WalletRequest } from '@svc/sdk/client';
import { Countdown } from '../components/Clock.tsx';
import { Tok } from '../components/Money.tsx';
import { Link } from '../components/navigation.tsx';
import { Loading } from '../components/QueryView.tsx';
import { toWords } from '../data/format.ts';
import { useSiteConfigs } from '../data/market.ts';
import { type AddressBook, buildAddressBook, decodeCall, readField } from './decodeCall.ts';
import { parseTypedData } from './typedFields.ts';

export function RequestList({ requests }: { readonly requests: readonly WalletRequest[] }) {
  const sites = useSiteConfigs();
  if (sites === null) return <Loading what="the requests" />;
  return (
    <ul className="rows ownlist" data-is="needed">
      {requests.map(({ requestId: id, request, expiresAt }) => {
        const { sentence, wei } = describeRequest(buildAddressBook(sites, request.from), request);
        return (
          <li key={id}>
            <Link href={`/approve.html?request=${encodeURIComponent(id)}`} dir="auto">
              {sentence}
            </Link>
            <span className="turn">Your turn: approve or reject it</span>
            <span className="small quiet">
              {wei !== undefined && (
                <>
                  <Tok wei={wei} hasUsd /> ·{' '}
                </>
              )}
              expires <Countdown to={expiresAt} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** In one sentence, with the TOK that it is about. The last call is the action; those before it are its allowances. */
function describeRequest(
  book: AddressBook,
  request: CreateRequest,
): { sentence: string; wei?: bigint | undefined } {
  if (request.kind === 'signature') {
    const { primaryType = 'something that this page cannot read', fields = [] } =
      parseTypedData(request.typedData) ?? {};
    const amount = fields.find(({ name }) => name === 'totalAmount');
    return {
      sentence: `Sign: ${toWords(primaryType)}`,
      wei: amount && readField(book, amount, amount.value).wei,
    };
  }
  const decoded = request.calls.map((call) => decodeCall(book, call));
  const unread = decoded.filter(({ contract, functionName }) => contract === null || functionName === null);
  if (unread.length > 0) return { sentence: 'A call that this page cannot read' };
  const last = decoded.at(-1);
  return {
    sentence: last?.sentence ?? `${last?.functionName} on ${last?.contract}`,
    wei: last?.args.find(({ wei }) => wei !== undefined)?.wei,
  };
}
