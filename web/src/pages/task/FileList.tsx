// The files of a document: fetched on a click, hashed, and only then shown or saved. Nothing in them is ever run.
import { createFileClient, openSealedFile } from '@svc/sdk/client';
import type { Artifact } from '@svc/sdk/documents';
import { cleanFileName } from '@svc/sdk/internal/domain/documentNames';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, Failure } from '../../components/Form.tsx';
import { UntrustedUri } from '../../components/UntrustedText.tsx';
import { statusOf, usePagesInfo } from '../../data/client.ts';
import { readContents, showBytes } from '../../data/fileContents.ts';
import type { Task } from '../../data/market.ts';
import { saveFile } from '../../data/saveFile.ts';
import { type partnersOf, usePapers } from '../../wallet/messaging.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';

/** `task` is absent while it is a draft. */
type Props = {
  task?: Pick<Task, 'id'> & Parameters<typeof partnersOf>[0];
  artifacts: readonly Artifact[];
};

export function FileList({ task, artifacts }: Props) {
  const isSealed = artifacts.some(({ sealed }) => sealed !== undefined);
  const { keys } = usePapers(isSealed && task !== undefined ? task : null).papers;
  const info = usePagesInfo().data;
  return (
    <>
      <ul className="stack tight filelist" aria-label="Files">
        {artifacts.map((artifact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
          <FileCard key={index} artifact={artifact} fileKey={keys[artifact.sealed?.sha256 ?? '']} />
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

/** `fileKey` is undefined where the file is not sealed, or its key is not known here. */
type FileCardProps = { artifact: Artifact; fileKey: string | undefined };

function FileCard({ artifact, fileKey }: FileCardProps) {
  const name = cleanFileName(artifact.name);
  const loading = useAttempt(() => loadFile(artifact, fileKey).catch(explainMissing));
  const { result: data, failure, isBusy } = loading;
  // A failure is shown below.
  const load = async () => data ?? loading.start();
  const save = async () => {
    const bytes = await load();
    if (bytes !== null) saveFile(bytes, name);
  };
  const isLocked = artifact.sealed !== undefined && fileKey === undefined;
  return (
    <li>
      <div className="row filehead">
        <bdi className="filename" dir="auto">
          {name}
        </bdi>
        <span className="small faint">
          {showBytes(artifact.bytes)}
          {artifact.sealed !== undefined && ', encrypted'}
        </span>
        <span className="row">
          <Button
            disabled={isLocked}
            isBusy={isBusy}
            busyLabel="Loading…"
            aria-label={`Open ${name}`}
            onClick={() => void load()}
          >
            Open
          </Button>
          <Button disabled={isLocked || isBusy} aria-label={`Save ${name}`} onClick={() => void save()}>
            <Download className="s" />
          </Button>
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
      {(data !== undefined || failure !== null) && (
        <div className="stack tight inside">
          <Failure text={failure} />
          {data !== undefined && <Contents bytes={data} name={name} />}
        </div>
      )}
    </li>
  );
}

function Contents({ bytes, name }: { bytes: Uint8Array<ArrayBuffer>; name: string }) {
  const contents = readContents(bytes, name);
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
async function loadFile({ sha256, bytes, sealed }: Artifact, key: string | undefined) {
  const client = createFileClient({ baseUrl: location.origin });
  if (sealed === undefined) return client.download(sha256, { maxBytes: bytes });
  if (key === undefined) throw new Error('The key of this file is not known here.');
  const content = await client.download(sealed.sha256, { maxBytes: sealed.bytes });
  return openSealedFile(content, key, { sha256, bytes });
}

function explainMissing(error: unknown): never {
  if (statusOf(error) !== 404) throw error;
  throw new Error('This gateway does not have the file. Ask its sender for it.');
}
