// Requests whose pages were opened in this browser, by the wallet that they ask. Their ids are known to that wallet alone.
import { readText, saveText } from './savedText.ts';

const kept = 20;
const nameOf = (wallet: string) => `requests:${wallet.toLowerCase()}`;

/** Newest first. */
export function listSeenRequests(wallet: string): readonly string[] {
  return readText(nameOf(wallet)).split(' ').filter(Boolean);
}

export function rememberRequest(wallet: string, id: string): void {
  const others = listSeenRequests(wallet).filter((one) => one !== id);
  saveText(nameOf(wallet), [id, ...others].slice(0, kept).join(' '));
}
