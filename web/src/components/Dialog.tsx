// A native modal dialog: the browser keeps the focus inside, Escape closes it.
import { type ReactNode, type RefObject, useId } from 'react';

export function Dialog({
  ref,
  title,
  onClose,
  children,
}: {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <dialog ref={ref} aria-labelledby={titleId} onClose={onClose}>
      <div className="head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="close" aria-label="Close" onClick={() => ref.current?.close()}>
          ×
        </button>
      </div>
      <div className="inside">{children}</div>
    </dialog>
  );
}
