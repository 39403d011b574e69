// Notifications of the browser about what waits for the reader: asked for by a click, remembered in this browser, and shown
// only while the page is in the background.
import { useSyncExternalStore } from 'react';

const name = 'svc-notices';
const listeners = new Set<() => void>();

export type NoticeState = 'unsupported' | 'blocked' | 'off' | 'on';

export function readNoticeState(): NoticeState {
  if (typeof Notification === 'undefined') return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && readWish() ? 'on' : 'off';
}

export function useNoticeState(): NoticeState {
  return useSyncExternalStore(subscribe, readNoticeState);
}

/** Only from a click: browsers refuse to ask otherwise. */
export async function turnNoticesOn(): Promise<void> {
  if (Notification.permission !== 'granted') await Notification.requestPermission();
  saveWish(true);
}

export function turnNoticesOff(): void {
  saveWish(false);
}

export type Notice = {
  readonly key: string;
  /** A notice replaces an earlier one about the same subject, also of another tab. */
  readonly subject: string;
  readonly title: string;
  readonly body: string;
  readonly href: string;
};

export function showNotice({ subject, title, body, href }: Notice): void {
  if (readNoticeState() !== 'on' || !document.hidden) return;
  const shown = new Notification(title, { body, tag: subject, icon: '/icon.svg' });
  shown.onclick = () => {
    window.focus();
    location.assign(href);
  };
}

function readWish(): boolean {
  try {
    return localStorage.getItem(name) === 'on';
  } catch {
    return false;
  }
}

function saveWish(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(name, 'on');
    else localStorage.removeItem(name);
  } catch {
    // Without storage the wish cannot be kept; nothing is shown then.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab changed it.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
