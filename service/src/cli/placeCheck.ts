// Whether terms are for the market that this command works with: its chain, and the registry of the market they name.

import { SvcError } from '@svc/sdk/domain';
import { isMadeFor } from '@svc/sdk/negotiation';
import type { TermsDocument } from '@svc/sdk/schemas';
import { findPlaces } from '#app/connect.ts';
import type { Config } from '#config.ts';

/**
 * The check throws NEGOTIATION_CLOSED. Where neither a deployment file nor a site tells which market is meant, everything
 * passes, and that nobody has looked is told once.
 */
export async function createPlaceCheck(
  config: Config,
  tell: (line: string) => void,
): Promise<(terms: TermsDocument) => void> {
  const places = await findPlaces(config).catch((error: unknown) => {
    if (error instanceof SvcError && error.code === 'MARKET_NOT_FOUND') return null;
    throw error;
  });
  let isTold = false;
  return (terms) => {
    const { market, chainId, registryAddress } = terms;
    if (places === null) {
      if (!isTold)
        tell(
          `Nobody has checked that the terms are for your market (chain ${chainId}, registry ${registryAddress}): ` +
            'none answers at SVC_SITE_URL, and SVC_DEPLOYMENT is not set.',
        );
      isTold = true;
    } else if (!isMadeFor(terms, places[market])) {
      const { chainId: ownId, registry } = places[market];
      const reason =
        `The offer is for another market: chain ${chainId}, registry ${registryAddress}; ` +
        `${market} is on chain ${ownId}, registry ${registry}.`;
      throw new SvcError('NEGOTIATION_CLOSED', { reason });
    }
  };
}
