// Requests whose pages were opened in this browser, by the wallet that they ask, and the secrets of their links.
import { splitApprovalUrl } from '@svc/sdk/domain';
import { readText, saveText } from './savedText.ts';

const kept = 20;
const nameOf = (wallet: string) => `requests:${wallet.toLowerCase()}`;

const tokensName = 'approvals';
const keptTokens = 50;

/** The secret of an approval link, which decides its request; null where the link had none or was opened elsewhere. */
export function readApprovalToken(id: string): string | null {
  return listTokens().find(([one]) => one === id)?.[1] ?? null;
}

/** Takes the secret out of the address bar, so that a copied address or a screenshot gives nobody a decision. */
export function takeApprovalToken(): boolean {
  const id = new URLSearchParams(location.search).get('request') ?? '';
  const { token } = splitApprovalUrl(location.href);
  if (token === null || !/^[\w-]+$/.test(`${id}${token}`)) return false;
  const others = listTokens().filter(([one]) => one !== id);
  saveText(
    tokensName,
    [[id, token], ...others]
      .slice(0, keptTokens)
      .map((pair) => pair.join('='))
      .join(' '),
  );
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return true;
}

function listTokens(): readonly (readonly string[])[] {
  return readText(tokensName)
    .split(' ')
    .map((pair) => pair.split('='));
}

/** Newest first. */
export function listSeenRequests(wallet: string): readonly string[] {
  return readText(nameOf(wallet)).split(' ').filter(Boolean);
}

export function rememberRequest(wallet: string, id: string): void {
  const others = listSeenRequests(wallet).filter((one) => one !== id);
  saveText(nameOf(wallet), [id, ...others].slice(0, kept).join(' '));
}
