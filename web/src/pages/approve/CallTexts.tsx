// The texts that a call carries, whole: what would be public for ever under the wallet's name.
import { hashCriteria, parseDocumentUri } from '@svc/sdk/domain';
import { Foreign } from '../../components/Foreign.tsx';
import type { DecodedCall } from '../../wallet/decodeCall.ts';

export function CallTexts({ uri, args }: { readonly uri: string; readonly args: DecodedCall['args'] }) {
  const document = parseDocumentUri(uri);
  const boundTo = args.find(({ name }) => name === 'criteriaHash')?.value;
  if (document === null) {
    return (
      <>
        {uri === '' ? (
          <p className="quiet">It carries no text.</p>
        ) : (
          <Foreign label="Link or text" text={uri} />
        )}
        {boundTo !== undefined && (
          <p className="notice" data-is="risk">
            The acceptance criteria are not in this request, only their hash. Read them before you sign.
          </p>
        )}
      </>
    );
  }
  const { title, description, criteria, tags } = document;
  const isBound = boundTo === undefined || boundTo === hashCriteria(criteria);
  return (
    <>
      <Foreign label="Title" text={title} />
      {description !== '' && <Foreign label="Description" text={description} />}
      {criteria !== '' && <Foreign label="Acceptance criteria" text={criteria} />}
      {tags.length > 0 && <Foreign label="Tags" text={tags.join(', ')} />}
      {!isBound && (
        <p className="notice" data-is="risk">
          These criteria are not the ones that the terms are bound to: their hash differs. Reject it.
        </p>
      )}
    </>
  );
}
