// One call of a request, decoded from its bytes: what it does, what it costs, and the texts that it carries.

import type { ExplainedCall } from '@svc/sdk/actions';
import type { CreateRequest } from '@svc/sdk/client';
import { hashDocument, milestoneNumber } from '@svc/sdk/domain';
import { readTaskWords } from '@svc/sdk/internal/documents/viewDocument';
import { decodeText, readInlineUri } from '@svc/sdk/internal/domain/document';
import { formatEther } from 'viem';
import { Hex } from '../../components/Hex.tsx';
import { Notices, TokText } from '../../components/Money.tsx';
import { Facts, Status, TechnicalFacts } from '../../components/Sheet.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { type AddressBook, type DecodedCall, decodeCall } from '../../wallet/decodeCall.ts';
import { listArguments } from '../../wallet/ShownArgument.tsx';
import { CallMoney } from './CallMoney.tsx';

type Call = Extract<CreateRequest, { kind: 'calls' }>['calls'][number];

type CallCardProps = {
  book: AddressBook;
  call: Call;
  owner: `0x${string}`;
  position: number;
  isSent: boolean;
  /** Of a call that waits for the owner. */
  explained: ExplainedCall | undefined;
};

/** Arguments that everybody who signs must know: by when, and after how long silence pays. */
const dateNames = new Set(['deadline', 'newDeadline', 'reviewPeriod', 'acceptBy', 'validUntil']);

/** `position` is the place in the request, from 1. */
export function CallCard({ book, call, owner, position, isSent, explained }: CallCardProps) {
  const { contract, functionName, sentence, args, uri } = decodeCall(book, call);
  const dates = args.filter(({ name }) => dateNames.has(name));
  const target = `${functionName ?? 'Unreadable call'} on ${contract ?? 'an unknown contract'}`;
  return (
    <li className="sheet body callcard stack">
      <h3>
        {position}. {sentence === null ? target : <TokText text={sentence} />}
        {isSent && (
          <>
            {' '}
            <Status tone="act">● sent</Status>
          </>
        )}
      </h3>
      {BigInt(call.value) > 0n && explained === undefined && (
        <Notices is="risk" texts={[`This call also sends ${formatEther(BigInt(call.value))} ETH.`]} />
      )}
      {explained !== undefined && <CallMoney explained={explained} owner={owner} />}
      {dates.length > 0 && <Facts facts={listArguments(dates)} />}
      {uri !== null && <CallTexts uri={uri} args={args} />}
      <TechnicalFacts
        facts={[
          ...Object.entries({ Call: target, Contract: <Hex value={call.to} name="Contract" /> }),
          ...listArguments(args.filter((argument) => !dates.includes(argument))),
        ]}
      />
    </li>
  );
}

const otherHash = 'The hash of this document differs from the one in the call. Reject the request.';
const otherTerms = 'The hash of these texts differs from the one in the terms. Reject the request.';
const onlyHash =
  'This request holds only the hash of the acceptance criteria. Read the criteria before you sign.';

/** A link, or the words of an inline document instead of its bytes. */
function CallDocument({ uri, hash }: { uri: string; hash: string | undefined }) {
  if (uri === '') return <p className="quiet">This call carries no text.</p>;
  const bytes = readInlineUri(uri)?.bytes;
  const text = bytes === undefined ? null : decodeText(bytes);
  if (bytes === undefined || text === null) return <UntrustedText label="Link or text" text={uri} />;
  return (
    <>
      <UntrustedText label="Document, public for ever" text={text} />
      {hash !== undefined && hash !== hashDocument(bytes) && <Notices is="risk" texts={[otherHash]} />}
    </>
  );
}

/** The hash that the call puts beside its uri. */
function findHash(args: DecodedCall['args']): string | undefined {
  return args.find(({ name }) => ['proofHash', 'evidenceHash', 'reasonHash'].includes(name))?.hex;
}

/** The texts in full: they become public under the wallet's name. */
function CallTexts({ uri, args }: { uri: string; args: DecodedCall['args'] }) {
  const expectedHash = args.find(({ name }) => name === 'criteriaHash')?.hex;
  const document = readTaskWords(uri, expectedHash ?? '');
  if (document === null) {
    return (
      <>
        <CallDocument uri={uri} hash={findHash(args)} />
        {expectedHash !== undefined && <Notices is="risk" texts={[onlyHash]} />}
      </>
    );
  }
  const { title, description, criteria, milestones, tags, bound } = document;
  const isMatching = expectedHash === undefined || bound !== 'none';
  const texts: readonly (readonly [label: string, text: string])[] = [
    ['Description', description],
    ['Acceptance criteria', criteria],
    ...milestones.map((text, index) => [`Milestone ${milestoneNumber(index)}`, text] as const),
    ['Tags', tags.join(', ')],
  ];
  return (
    <>
      <UntrustedText label="Title" text={title} />
      {texts.map(([label, text]) => text !== '' && <UntrustedText key={label} label={label} text={text} />)}
      {!isMatching && <Notices is="risk" texts={[otherTerms]} />}
    </>
  );
}
