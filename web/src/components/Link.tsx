// A link to another view of the page one is on, or to any other place: a plain one that does not load what is there.
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { visit } from '../data/address.ts';

export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const target = new URL(props.href, location.href);
    if (!isPlain || target.pathname !== location.pathname) return;
    event.preventDefault();
    visit(target.pathname + target.search);
  };
  // biome-ignore lint/a11y: with its href it is a link as any other; a click on it only spares the load
  return <a {...props} onClick={follow} />;
}
