// Notifications of the browser about what waits for the reader: asked for by a click, remembered in this browser, and shown
// only while the page is in the background.
import { useSyncExternalStore } from 'react';
import { readText, saveText, subscribeToTexts } from './savedText.ts';

const name = 'notices';

type NoticeState = 'unsupported' | 'blocked' | 'off' | 'on';

export function readNoticeState(): NoticeState {
  if (typeof Notification === 'undefined') return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && readText(name) === 'on' ? 'on' : 'off';
}

export function useNoticeState(): NoticeState {
  return useSyncExternalStore(subscribeToTexts, readNoticeState);
}

/** Only from a click: browsers refuse to ask otherwise. */
export async function turnNoticesOn(): Promise<void> {
  if (Notification.permission !== 'granted') await Notification.requestPermission();
  saveText(name, 'on');
}

export function turnNoticesOff(): void {
  saveText(name, '');
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
