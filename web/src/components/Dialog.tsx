// A dialog of the browser's own: focus stays inside, Escape closes it.
import { type ReactNode, type RefObject, useId } from 'react';

export function Dialog({
  of,
  title,
  children,
}: {
  readonly of: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const name = useId();
  return (
    <dialog ref={of} aria-labelledby={name}>
      <div className="head">
        <h2 id={name}>{title}</h2>
        <button type="button" className="close" aria-label="Close" onClick={() => of.current?.close()}>
          ×
        </button>
      </div>
      <div className="inside">{children}</div>
    </dialog>
  );
}
