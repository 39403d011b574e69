// Text written by other people: in a separate frame, never as markup; links in full and opened without a referrer.

export function UntrustedText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section className="untrusted" aria-label={label}>
      <h3>{label}</h3>
      <p dir="auto">{text}</p>
    </section>
  );
}

/** Only http and https addresses become links; others are shown as text. */
export function UntrustedUri({ uri }: { readonly uri: string }) {
  if (uri.startsWith('data:')) return <span className="quiet">stored on chain</span>;
  const shown = (
    <bdi className="untrusted-uri" dir="ltr">
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
