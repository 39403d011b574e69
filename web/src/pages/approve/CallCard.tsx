// One call of a request, read from its bytes: what it does, what it costs, what it carries.

import type { CreateRequest } from '@svc/sdk/schemas';
import { formatEther } from 'viem';
import { Hex } from '../../components/Hex.tsx';
import { toWords } from '../../data/format.ts';
import { CostTable } from '../../wallet/CostTable.tsx';
import { costsOf } from '../../wallet/callCosts.ts';
import { describeCall } from '../../wallet/callSentence.ts';
import { type AddressBook, decodeCall } from '../../wallet/decodeCall.ts';
import { CallTexts } from './CallTexts.tsx';

type Call = Extract<CreateRequest, { kind: 'calls' }>['calls'][number];

export function CallCard({
  book,
  call,
  place,
  isSent,
}: {
  readonly book: AddressBook;
  readonly call: Call;
  /** Which of the request's calls it is, from 1. */
  readonly place: number;
  readonly isSent: boolean;
}) {
  const decoded = decodeCall(book, call);
  const { contract, functionName, args, uri } = decoded;
  const sentence = functionName === null ? null : describeCall(functionName, args);
  const target = `${functionName ?? 'Unreadable call'} on ${contract ?? 'an unknown contract'}`;
  const costs = costsOf(decoded);
  return (
    <li className="callcard stack">
      <h3>
        {place}. {sentence ?? target}
        {isSent && (
          <span className="standing" data-tone="act">
            {' '}
            ● sent
          </span>
        )}
      </h3>
      {sentence !== null && <p className="small quiet">{target}</p>}
      {contract === null && (
        <p className="notice" data-is="risk">
          This calls a contract that is none of this service’s. Reject it unless you know it.
        </p>
      )}
      {contract !== null && functionName === null && (
        <p className="notice" data-is="risk">
          This page cannot read what this call does. Reject it unless you know.
        </p>
      )}
      {BigInt(call.value) > 0n && (
        <p className="notice" data-is="risk">
          It also sends {formatEther(BigInt(call.value))} ETH.
        </p>
      )}
      {uri !== null && <CallTexts uri={uri} args={args} />}
      {costs.length > 0 && <CostTable costs={costs} />}
      <dl className="pairs">
        <dt>Contract</dt>
        <dd>
          <Hex value={call.to} name="Contract" />
        </dd>
        {args.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt>{toWords(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
