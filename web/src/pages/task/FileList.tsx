// The files of a document: fetched on a click, hashed, and only then shown or saved. Nothing in them is ever run.
import { createFileClient, openSealedFile } from '@svc/sdk/client';
import { cleanFileName } from '@svc/sdk/internal/domain/documentNames';
import type { Artifact } from '@svc/sdk/schemas';
import { useEffect, useState } from 'react';
import { UntrustedUri } from '#components/UntrustedText.tsx';
import { statusOf, usePagesInfo } from '#data/client.ts';
import { type FileContents, readContents, showBytes } from '#data/fileContents.ts';
import type { Task } from '#data/market.ts';
import { saveFile } from '#data/saveFile.ts';
import { usePapers } from '#wallet/messaging.ts';

/** `task` is absent while it is a draft. */
type Props = { task?: Pick<Task, 'id'>; artifacts: readonly Artifact[] };

export function FileList({ task, artifacts }: Props) {
  const { keys } = usePapers(artifacts.some(({ sealed }) => sealed !== undefined)).papers;
  const info = usePagesInfo().data;
  return (
    <>
      <ul className="filelist" aria-label="Files">
        {artifacts.map((artifact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
          <FileCard key={index} artifact={artifact} fileKey={keyFor(artifact, keys)} />
        ))}
      </ul>
      {task !== undefined && info?.isGateway === false && info.gatewayUrl !== null && (
        <p className="small">
          The files are at the gateway:{' '}
          <a href={`${info.gatewayUrl}/market.html?task=${task.id}`}>open this task there</a>.
        </p>
      )}
    </>
  );
}

function keyFor({ sealed }: Artifact, keys: Readonly<Record<string, string>>): string | undefined {
  return sealed === undefined ? undefined : keys[sealed.sha256];
}

type Loaded = { readonly bytes: Uint8Array<ArrayBuffer>; readonly contents: FileContents };
type State = Loaded | 'loading' | { readonly failure: string } | null;

type FileCardProps = {
  artifact: Artifact;
  /** Undefined where the file is not sealed, or its key is not known here. */
  fileKey: string | undefined;
};

function FileCard({ artifact, fileKey }: FileCardProps) {
  const [state, setState] = useState<State>(null);
  const name = cleanFileName(artifact.name);
  const isLocked = artifact.sealed !== undefined && fileKey === undefined;
  const load = async (): Promise<Loaded | null> => {
    if (state !== null && typeof state === 'object' && 'bytes' in state) return state;
    setState('loading');
    try {
      const bytes = await loadFile(artifact, fileKey);
      const loaded = { bytes, contents: readContents(bytes, name) };
      setState(loaded);
      return loaded;
    } catch (error) {
      setState({ failure: explain(error) });
      return null;
    }
  };
  const save = async () => {
    const loaded = await load();
    if (loaded !== null) saveFile(loaded.bytes, name);
  };
  return (
    <li>
      <div className="filehead">
        <bdi className="filename" dir="auto">
          {name}
        </bdi>
        <span className="small faint">
          {showBytes(artifact.bytes)}
          {artifact.sealed !== undefined && ', encrypted'}
        </span>
        <span className="row">
          <button
            type="button"
            className="button"
            disabled={isLocked || state === 'loading'}
            aria-label={`Open ${name}`}
            onClick={() => void load()}
          >
            {state === 'loading' ? 'Loading…' : 'Open'}
          </button>
          <button
            type="button"
            className="button"
            disabled={isLocked || state === 'loading'}
            aria-label={`Save ${name}`}
            onClick={() => void save()}
          >
            Save
          </button>
        </span>
      </div>
      {isLocked && (
        <p className="inside small quiet">
          Encrypted, and no message that you can read here has its key. Sign in with the wallet that received
          it, or ask the sender.
        </p>
      )}
      {artifact.uri !== undefined && /^(https?|ipfs|ar):/.test(artifact.uri) && (
        <p className="inside small">
          <UntrustedUri uri={artifact.uri} />
        </p>
      )}
      {state !== null && typeof state === 'object' && (
        <div className="inside">
          {'failure' in state ? (
            <p className="notice" data-is="risk" role="alert">
              {state.failure}
            </p>
          ) : (
            <Contents loaded={state} name={name} />
          )}
        </div>
      )}
    </li>
  );
}

function Contents({ loaded: { bytes, contents }, name }: { loaded: Loaded; name: string }) {
  return (
    <>
      <p className="docstate small" data-is="verified" role="status">
        <span className="mark" aria-hidden="true">
          ✓
        </span>
        <span>
          <b>Verified</b>: this is the file that the document names, byte for byte.
        </span>
      </p>
      {contents.kind === 'image' && <Picture bytes={bytes} mediaType={contents.mediaType} name={name} />}
      {contents.kind === 'text' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard
        <pre dir="auto" tabIndex={0}>
          {contents.text}
        </pre>
      )}
      {contents.kind === 'download' && <p className="small">{contents.reason} Save it to look at it.</p>}
    </>
  );
}

type PictureProps = { bytes: Uint8Array<ArrayBuffer>; mediaType: string; name: string };

/** From a blob with a type that we chose by its bytes. */
function Picture({ bytes, mediaType, name }: PictureProps) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mediaType]);
  return url === null ? null : <img src={url} alt={name} />;
}

/** At most as much as the document says, so that a false size cannot fill the memory. */
async function loadFile(
  { sha256, bytes, sealed }: Artifact,
  key: string | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const client = createFileClient({ baseUrl: location.origin });
  if (sealed === undefined) return client.download(sha256, { maxBytes: bytes });
  if (key === undefined) throw new Error('The key of this file is not known here.');
  return openSealedFile(await client.download(sealed.sha256, { maxBytes: sealed.bytes }), key, {
    sha256,
    bytes,
  });
}

function explain(error: unknown): string {
  if (statusOf(error) === 404)
    return 'This gateway does not have the file. Ask its sender for it, then check it against the hash below.';
  return error instanceof Error ? error.message : 'The file cannot be loaded. Try again.';
}
