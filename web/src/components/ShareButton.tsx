// Shares the address of this page: through the device where it can, else by copying the link.
import { useState } from 'react';
import { copyText } from '#data/copyText.ts';

export function ShareButton({ title }: { readonly title: string }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const share = async () => {
    if (navigator.share !== undefined) {
      try {
        await navigator.share({ title, url: location.href });
        return;
      } catch (error) {
        // The reader has closed the device's dialog.
        if (error instanceof DOMException && error.name === 'AbortError') return;
      }
    }
    setOutcome((await copyText(location.href)) ? 'Link copied' : 'Copy the address of this page');
    setTimeout(() => setOutcome(null), 2_000);
  };
  return (
    <button type="button" className="button" data-is="plain" onClick={share}>
      <span aria-live="polite">{outcome ?? 'Share'}</span>
    </button>
  );
}
