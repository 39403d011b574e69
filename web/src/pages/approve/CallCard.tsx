// One call of a request, decoded from its bytes: what it does, what it costs, and the texts that it carries.

import { readTaskWords } from '@svc/sdk/documents';
import { decodeText, hashDocument, milestoneNumber, readInlineUri } from '@svc/sdk/domain';
import type { CreateRequest } from '@svc/sdk/schemas';
import { formatEther } from 'viem';
import { Hex } from '#components/Hex.tsx';
import { TokText } from '#components/Money.tsx';
import { UntrustedText } from '#components/UntrustedText.tsx';
import { toWords } from '#data/format.ts';
import { CostTable } from '#wallet/CostTable.tsx';
import { type AddressBook, type DecodedCall, decodeCall } from '#wallet/decodeCall.ts';
import { ShownArgument } from '#wallet/ShownArgument.tsx';

type Call = Extract<CreateRequest, { kind: 'calls' }>['calls'][number];

export function CallCard({
  book,
  call,
  position,
  isSent,
}: {
  readonly book: AddressBook;
  readonly call: Call;
  /** In the request, from 1. */
  readonly position: number;
  readonly isSent: boolean;
}) {
  const { contract, functionName, sentence, args, uri, costs } = decodeCall(book, call);
  const target = `${functionName ?? 'Unreadable call'} on ${contract ?? 'an unknown contract'}`;
  return (
    <li className="callcard stack">
      <h3>
        {position}. {sentence === null ? target : <TokText text={sentence} />}
        {isSent && (
          <>
            {' '}
            <span className="status" data-tone="act">
              ● sent
            </span>
          </>
        )}
      </h3>
      {sentence !== null && <p className="small quiet">{target}</p>}
      {contract === null && (
        <p className="notice" data-is="risk">
          This contract does not belong to this service. Reject the request unless you know the contract.
        </p>
      )}
      {contract !== null && functionName === null && (
        <p className="notice" data-is="risk">
          This page cannot read what this call does. Reject the request unless you know it.
        </p>
      )}
      {BigInt(call.value) > 0n && (
        <p className="notice" data-is="risk">
          This call also sends {formatEther(BigInt(call.value))} ETH.
        </p>
      )}
      {uri !== null && <CallTexts uri={uri} args={args} />}
      {costs.length > 0 && <CostTable costs={costs} />}
      <dl className="pairs">
        <dt>Contract</dt>
        <dd>
          <Hex value={call.to} name="Contract" />
        </dd>
        {args.map((argument) => (
          <div key={argument.name} className="contents">
            <dt>{toWords(argument.name)}</dt>
            <dd>
              <ShownArgument argument={argument} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** A link, or the words of an inline document instead of its bytes. */
function CallDocument({ uri, hash }: { readonly uri: string; readonly hash: string | undefined }) {
  if (uri === '') return <p className="quiet">This call carries no text.</p>;
  const bytes = readInlineUri(uri)?.bytes;
  const text = bytes === undefined ? null : decodeText(bytes);
  if (bytes === undefined || text === null) return <UntrustedText label="Link or text" text={uri} />;
  return (
    <>
      <UntrustedText label="Document, public for ever" text={text} />
      {hash !== undefined && hash !== hashDocument(bytes) && (
        <p className="notice" data-is="risk">
          The hash of this document differs from the one in the call. Reject the request.
        </p>
      )}
    </>
  );
}

/** The hash that the call puts beside its uri. */
function findHash(args: DecodedCall['args']): string | undefined {
  return args.find(({ name }) => ['proofHash', 'evidenceHash', 'reasonHash'].includes(name))?.hex;
}

/** The texts in full: they become public under the wallet's name. */
function CallTexts({ uri, args }: { readonly uri: string; readonly args: DecodedCall['args'] }) {
  const expectedHash = args.find(({ name }) => name === 'criteriaHash')?.hex;
  const document = readTaskWords(uri, expectedHash ?? '');
  if (document === null) {
    return (
      <>
        <CallDocument uri={uri} hash={findHash(args)} />
        {expectedHash !== undefined && (
          <p className="notice" data-is="risk">
            This request holds only the hash of the acceptance criteria. Read the criteria before you sign.
          </p>
        )}
      </>
    );
  }
  const { title, description, criteria, milestones, tags, bound } = document;
  const isMatching = expectedHash === undefined || bound !== 'none';
  return (
    <>
      <UntrustedText label="Title" text={title} />
      {description !== '' && <UntrustedText label="Description" text={description} />}
      {criteria !== '' && <UntrustedText label="Acceptance criteria" text={criteria} />}
      {milestones.map(
        (text, index) =>
          text !== '' && (
            // biome-ignore lint/suspicious/noArrayIndexKey: milestones have no id
            <UntrustedText key={index} label={`Milestone ${milestoneNumber(index)}`} text={text} />
          ),
      )}
      {tags.length > 0 && <UntrustedText label="Tags" text={tags.join(', ')} />}
      {!isMatching && (
        <p className="notice" data-is="risk">
          The hash of these texts differs from the one in the terms. Reject the request.
        </p>
      )}
    </>
  );
}
