// A native modal dialog: the browser keeps the focus inside, Escape closes it.
import { type ReactNode, type RefObject, useEffect, useId } from 'react';

export function Dialog({
  ref,
  title,
  opensAtOnce = false,
  onClose,
  children,
}: {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly opensAtOnce?: boolean;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  useEffect(() => {
    if (opensAtOnce && ref.current?.open === false) ref.current.showModal();
  }, [opensAtOnce, ref]);
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
