// An address, hash or id: shortened, copied by a click, in full for the keyboard and the title.
import { useState } from 'react';
import { copyText } from '../data/copyText.ts';
import { shorten } from '../data/format.ts';
import { Link } from './Link.tsx';

export function Hex({
  value,
  name,
  href,
}: {
  readonly value: string;
  /** What it is, for those who do not see it. */
  readonly name: string;
  /** Where what it names is shown, if anywhere. */
  readonly href?: string;
}) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const copy = async () => {
    setOutcome((await copyText(value)) ? 'copied' : 'not allowed');
    setTimeout(() => setOutcome(null), 1_200);
  };
  const shown = outcome ?? shorten(value);
  return (
    <span className="copy">
      {href !== undefined && (
        <Link className="mono" href={href} title={value}>
          {shown}
        </Link>
      )}
      <button
        type="button"
        onClick={copy}
        title={value}
        aria-label={`${href === undefined ? `${shown}, ` : ''}${name} ${value}, copy`}
      >
        {href === undefined ? shown : <CopySign />}
      </button>
    </span>
  );
}

function CopySign() {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M4.5 4.5v-3h6v6h-3m-6-3h6v6h-6z" />
    </svg>
  );
}
