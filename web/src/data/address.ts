// The address bar as the state of a page, so that every view can be shared and the way back works.
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

export function useSearch(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search));
}

/** Sets what has a value and drops what is empty; the rest of the address stays. */
export function changeSearch(changes: Readonly<Record<string, string>>, isStep = false): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  visit(`${location.pathname}${text === '' ? '' : `?${text}`}`, isStep);
}

/** Goes to another view of this page without loading it anew. */
export function visit(href: string, isStep = true): void {
  if (isStep) {
    history.pushState(null, '', href);
    scrollTo(0, 0);
  } else history.replaceState(null, '', href);
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}
