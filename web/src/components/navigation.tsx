// The address bar as page state: every view can be shared, and the browser's back button works.
import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

export function useSearch(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search));
}

/** Sets parameters, or removes those with an empty value; the others stay. Adds no history entry. */
export function changeSearch(changes: Readonly<Record<string, string>>): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  history.replaceState(null, '', `${location.pathname}${text === '' ? '' : `?${text}`}`);
  for (const notify of listeners) notify();
}

/** The address of this page with one parameter changed. */
export function hrefWith(search: URLSearchParams, name: string, value: string): string {
  const next = new URLSearchParams(search);
  next.set(name, value);
  return `${location.pathname}?${next}`;
}

/** Opens another view of this page without loading a document. */
export function visit(href: string): void {
  history.pushState(null, '', href);
  scrollTo(0, 0);
  for (const notify of listeners) notify();
  // The link that was followed is gone with its view: the keyboard and a screen reader go on at the new one.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  });
}

/** A link; to another view of the same page it loads no document. */
export function Link(props: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const target = new URL(props.href, location.href);
    if (!isPlain || target.pathname !== location.pathname) return;
    event.preventDefault();
    visit(target.pathname + target.search);
  };
  // biome-ignore lint/a11y: it has an href; the handler only avoids a page load
  return <a {...props} onClick={follow} />;
}

/** Behind the words of a link: how many things wait there. */
export function CountMark({ count, words }: { count: number | string; words: string }) {
  return (
    <>
      {' '}
      <span className="unread">
        {count}
        <span className="hidden"> {words}</span>
      </span>
    </>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}
