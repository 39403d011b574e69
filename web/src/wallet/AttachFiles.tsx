// The field in which files are dropped or chosen, with the state of each.
import { useState } from 'react';
import { Button, CloseButton, Field } from '../components/Form.tsx';
import { usePagesInfo } from '../data/client.ts';
import { showBytes } from '../data/fileContents.ts';
import type { Attachment, Attachments } from './useAttachments.ts';
import { type SignIn, SignInButton } from './useSession.tsx';

const stageLabels: Readonly<Record<Attachment['stage'], string>> = {
  reading: 'reading…',
  ready: 'not uploaded yet',
  uploading: 'uploading…',
  done: 'uploaded',
  failed: 'failed',
};

type AttachFilesProps = { files: Attachments; session: SignIn; isPrivate: boolean };

export function AttachFiles({ files, session, isPrivate }: AttachFilesProps) {
  const [isOver, setOver] = useState(false);
  const isAway = usePagesInfo().data?.isGateway === false;
  const kept = isPrivate
    ? 'Files are encrypted in this browser. Their keys travel in the message with your words.'
    : 'Anyone can download the files from this gateway.';
  const note = isAway
    ? 'This page is not at a gateway: the files stay with you, and only their names and hashes are published.'
    : kept;
  const hasFailed = files.list.some(({ stage, content }) => stage === 'failed' && content !== undefined);
  return (
    <Field label="Files" note={note}>
      {(props) => (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the file field inside */}
          <div
            className="stack tight dropzone"
            data-is={isOver ? 'over' : undefined}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              files.add([...event.dataTransfer.files]);
            }}
          >
            <span>Drop files here, or choose them. At most 25 MB each.</span>
            <input
              {...props}
              type="file"
              multiple
              onChange={(event) => {
                files.add([...(event.target.files ?? [])]);
                event.target.value = '';
              }}
            />
          </div>
          {files.list.length > 0 && (
            <ul className="attached" aria-live="polite">
              {files.list.map(({ id, name, bytes, stage, failure }) => (
                <li key={id}>
                  <bdi dir="auto">{name}</bdi>
                  <span>
                    {showBytes(bytes)}, {failure ?? stageLabels[stage]}
                  </span>
                  <CloseButton label={`Remove ${name}`} onClick={() => files.remove(id)} />
                </li>
              ))}
            </ul>
          )}
          {hasFailed && <Button onClick={files.retry}>Upload the failed files again</Button>}
          {files.isWaiting && (
            <SignInButton session={session}>
              To upload files, this gateway must know that they are yours.
            </SignInButton>
          )}
        </>
      )}
    </Field>
  );
}
