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
  const shown = uri.length > 300 ? `${uri.slice(0, 300)}…` : uri;
  if (!/^https?:\/\//i.test(uri)) return <span className="foreign-uri">{shown}</span>;
  return (
    <a className="foreign-uri" href={uri} rel="noopener noreferrer nofollow external" target="_blank">
      {shown}
    </a>
  );
}
