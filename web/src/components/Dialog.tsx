// A native modal dialog: the browser keeps the focus inside, Escape closes it.
import { type ReactNode, type RefObject, useEffect, useId } from 'react';

type DialogProps = {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  opensAtOnce?: boolean;
  onClose?: () => void;
  children: ReactNode;
};

export function Dialog({ ref, title, opensAtOnce = false, onClose, children }: DialogProps) {
  const titleId = useId();
  useEffect(() => {
    if (opensAtOnce && ref.current?.open === false) ref.current.showModal();
  }, [opensAtOnce, ref]);
  return (
    <dialog ref={ref} aria-labelledby={titleId} onClose={onClose}>
      <div className="head">
        <h2 id={titleId}>{title}</h2>
        <CloseButton label="Close" onClick={() => ref.current?.close()} />
      </div>
      <div className="stack inside">{children}</div>
    </dialog>
  );
}

export function CloseButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="close" aria-label={label} onClick={onClick}>
      ×
    </button>
  );
}
