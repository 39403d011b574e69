// Writes a note: a question or an answer in plain words.

import type { Address } from '@svc/sdk/domain';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import { Button, Failure, Form, TextArea } from '../../components/Form.tsx';
import { useSavedText } from '../../data/savedText.ts';
import { useMessageSending } from '../../wallet/messaging.ts';

type ComposerProps = {
  to: Address;
  /** The conversation; undefined opens one. */
  root?: Hex;
  /** The id of the task that a first question is about. */
  about?: string | undefined;
  /** What stands in an empty field. */
  start?: string;
  onSent?: (signed: SignedEnvelope) => void;
};

export function Composer({ to, root, about, start = '', onSent }: ComposerProps) {
  const [text, setText] = useSavedText(`note:${root ?? `${to.toLowerCase()}:${about ?? ''}`}`, start);
  const sending = useMessageSending(
    () => ({
      to,
      root,
      type: 'Note',
      payload: { text: text.trim(), ...(about !== undefined && about !== '' && { about }) },
      ...(root === undefined && { negotiationId: crypto.randomUUID() }),
    }),
    (signed) => {
      setText('');
      onSent?.(signed);
    },
  );
  return (
    <Form onSubmit={() => void sending.start()}>
      <TextArea label="Your message" rows={3} value={text} onChange={setText} />
      <Failure text={sending.failure} />
      <div>
        <Button type="submit" disabled={text.trim() === ''} isBusy={sending.isBusy}>
          Send
        </Button>
      </div>
    </Form>
  );
}
