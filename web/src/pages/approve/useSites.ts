// The contracts of both markets, by which a request's calls and places are told from strangers'.
import type { SiteConfig } from '@svc/sdk/client';
import { useSiteConfig } from '../../data/market.ts';

/** Null until they are known: before, everything would look like a stranger's. */
export function useSites(): readonly SiteConfig[] | null {
  const answers = [useSiteConfig('standard'), useSiteConfig('micro')];
  if (answers.some(({ isPending }) => isPending)) return null;
  return answers.flatMap(({ data }) => data ?? []);
}
