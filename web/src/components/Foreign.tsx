// Texts of strangers: set apart, never markup; links are shown in full and opened without a referrer.

export function Foreign({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section className="foreign" aria-label={label}>
      <h3>{label}</h3>
      <p dir="auto">{text}</p>
    </section>
  );
}

/** Only web addresses become links; every other scheme is shown and not opened. */
export function ForeignUri({ uri }: { readonly uri: string }) {
  if (uri.startsWith('data:')) return <span className="quiet">carried on chain, inline</span>;
  const shown = (
    <bdi className="foreign-uri" dir="ltr">
      {uri.replaceAll(turning, encodeURIComponent)}
    </bdi>
  );
  if (!/^https?:\/\//i.test(uri)) return shown;
  return (
    <a href={uri} rel="noopener noreferrer nofollow external" target="_blank">
      {shown}
    </a>
  );
}

/** Characters that turn the direction of those after them, so that an address would seem to lead elsewhere. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
