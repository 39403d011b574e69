// Text written by other people: behind a rail, never as markup; links in full and opened without a referrer.
import { Quote } from 'lucide-react';
import type { ReactNode } from 'react';

type WordsProps = { readonly label: string; readonly by?: ReactNode; readonly children: ReactNode };

/** The frame of other people's words; `by` says whose they are where their label does not. */
export function UntrustedWords({ label, by = label, children }: WordsProps) {
  return (
    // No landmark: a conversation has many of one name.
    <article className="says" aria-label={label}>
      <p className="by">
        <Quote className="s" />
        <span>{by}</span>
      </p>
      {children}
    </article>
  );
}

export function UntrustedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <UntrustedWords label={label}>
      <p dir="auto">{text}</p>
    </UntrustedWords>
  );
}

/** Only http and https addresses become links; others are shown as text. */
export function UntrustedUri({ uri }: { readonly uri: string }) {
  if (uri.startsWith('data:')) return <span className="soft">stored on chain</span>;
  const shown = (
    <bdi className="says-uri" dir="ltr">
      {uri.replaceAll(directionMarks, encodeURIComponent)}
    </bdi>
  );
  if (!/^https?:\/\//i.test(uri)) return shown;
  return (
    <a href={uri} rel="noopener noreferrer nofollow external" target="_blank">
      {shown}
    </a>
  );
}

/** Characters that change the text direction, so that an address would appear to be another one. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
