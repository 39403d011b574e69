// The address bar as page state: every view can be shared, the browser's back button works, and a link to another page of ours
// loads no document.
import type { Market } from '@svc/sdk/domain';
import { ChevronLeft } from 'lucide-react';
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { navigate, usePathname, useSearch as useSearchText } from 'wouter/use-browser-location';

export { usePathname };

export function useSearch(): URLSearchParams {
  return new URLSearchParams(useSearchText());
}

/** Sets parameters, or removes those with an empty value; the others stay. Adds no history entry. */
export function changeSearch(changes: Readonly<Record<string, string>>): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  navigate(`${location.pathname}${text === '' ? '' : `?${text}`}`, { replace: true });
}

/** The address of this page with one parameter changed. */
export function hrefWith(search: URLSearchParams, name: string, value: string): string {
  const next = new URLSearchParams(search);
  next.set(name, value);
  return `${location.pathname}?${next}`;
}

/** Opens another view without loading a document. */
export function visit(href: string): void {
  navigate(href);
  scrollTo(0, 0);
  // The link that was followed is gone with its view: the keyboard and a screen reader go on at the new one.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  });
}

/** Follows plain clicks on links to addresses of the app; all others are the browser's. Returns a function that ends it. */
export function followLinks(isOurs: (path: string) => boolean): () => void {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented) return;
    const { origin, pathname, search, hash, target, href } = link;
    const isNamed = href === '' || origin !== location.origin || (target !== '' && target !== '_self');
    if (isNamed || link.hasAttribute('download') || !isOurs(pathname)) return;
    // A place on this page.
    if (hash !== '' && pathname === location.pathname && search === location.search) return;
    event.preventDefault();
    visit(pathname + search + hash);
  };
  addEventListener('click', follow);
  return () => removeEventListener('click', follow);
}

/** A link; to a view of ours it loads no document. */
export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) {
  return <a {...props} />;
}

export const boardOf = (market: Market) => `/market.html?market=${market}`;

/** Above the title of a screen: where it belongs. */
export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a className="back" href={href}>
      <ChevronLeft className="s" />
      {children}
    </a>
  );
}

/** Behind the words of a link: how many things wait there. */
export function CountMark({ count, words }: { count: number | string; words: string }) {
  return (
    <>
      {' '}
      <span className="count">
        {count}
        <span className="hidden"> {words}</span>
      </span>
    </>
  );
}
