// Compares a file of the reader with the hash on chain and with the files of a document. The file stays in the browser.
import { hashDocument } from '@svc/sdk/domain';
import type { Artifact } from '@svc/sdk/schemas';
import { type ReactNode, useRef, useState } from 'react';
import { sha256 } from 'viem';
import { Field } from './Field.tsx';
import { Hex } from './Hex.tsx';

type Result = { readonly isMatch: boolean; readonly sentence: string };

/** The hash of a document and other rows that few readers need, folded. `name` is such as "Hash of the delivery". */
export function TechnicalDetails({
  hash,
  name,
  artifacts,
  children,
}: {
  readonly hash: string;
  readonly name: string;
  readonly artifacts: readonly Artifact[];
  readonly children?: ReactNode;
}) {
  return (
    <details className="technical small">
      <summary>Technical details, and check a file of mine</summary>
      <dl className="pairs">
        <dt>Hash on chain</dt>
        <dd>
          <Hex value={hash} name={name} />
        </dd>
        {children}
      </dl>
      <HashCheck hash={hash} artifacts={artifacts} />
    </details>
  );
}

function HashCheck({ hash, artifacts }: { readonly hash: string; readonly artifacts: readonly Artifact[] }) {
  const newest = useRef<File | undefined>(undefined);
  const [result, setResult] = useState<Result | null>(null);
  const check = async (file: File | undefined) => {
    newest.current = file;
    setResult(null);
    if (file === undefined) return;
    const outcome = await file.arrayBuffer().then(
      (buffer) => compare(new Uint8Array(buffer), hash, artifacts),
      (): Result => ({ isMatch: false, sentence: 'The file cannot be read. Choose it again.' }),
    );
    // Another file was chosen meanwhile.
    if (newest.current === file) setResult(outcome);
  };
  return (
    <div className="hashcheck">
      <Field
        label="Check a file of mine against this hash"
        note="The file stays in this browser; nothing is sent."
      >
        {(props) => (
          <input {...props} type="file" onChange={(event) => void check(event.target.files?.[0])} />
        )}
      </Field>
      {result !== null && (
        <p className="notice" data-is={result.isMatch ? 'act' : 'risk'} role="status">
          {result.sentence}
        </p>
      )}
    </div>
  );
}

function compare(bytes: Uint8Array, hash: string, artifacts: readonly Artifact[]): Result {
  if (hashDocument(bytes) === hash.toLowerCase())
    return { isMatch: true, sentence: 'Match: the hash on chain is the hash of exactly this file.' };
  const digest = sha256(bytes).slice(2);
  const same = artifacts.find((artifact) => artifact.sha256 === digest);
  if (same !== undefined)
    return { isMatch: true, sentence: `Match: this is “${same.name}”, byte for byte as it was delivered.` };
  return { isMatch: false, sentence: 'No match: this is not the file whose hash is on chain.' };
}
