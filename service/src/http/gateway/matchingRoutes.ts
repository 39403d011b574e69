// /v1/profiles, /v1/names and /v1/listings: who does what, and work that wants proposals.
import { isSameAddress, parseAddress, SvcError } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { ListingService } from '../../matching/listingService.ts';
import type { ProfileService } from '../../matching/profileService.ts';
import { createRateLimit } from '../rateLimit.ts';
import type { RegisterRead } from '../reads.ts';
import { createServeCall, type SessionRoutes } from './callRoute.ts';

export type MatchingRoutes = SessionRoutes & {
  readonly profiles: ProfileService;
  readonly listings: ListingService;
};

const { findProfiles, getProfile, putProfile, deleteProfile, walletNames } = gatewayRoutes;
const { findListings, getListing, putListing, closeListing } = gatewayRoutes;

const createLimits = (name: string) => ({
  writes: createRateLimit({ name, limit: 120 }),
  questions: createRateLimit({ name: 'signatures', limit: 30 }),
});

export function registerMatchingRoutes(
  app: FastifyInstance,
  register: RegisterRead,
  { profiles, listings, sessions }: MatchingRoutes,
): void {
  const ofProfiles = createLimits('profiles');
  const ofListings = createLimits('listings');

  register(findProfiles, (query) => ({ load: () => profiles.find(query) }));
  register(walletNames, ({ addresses }) => ({ load: () => profiles.names(addresses.map(parseAddress)) }));
  register(getProfile, (_query, { address }) => ({ load: () => profiles.get(parseAddress(address)) }));
  register(findListings, (query) => ({ load: () => listings.find(query) }));
  register(getListing, (_query, { id }) => ({ load: () => listings.get(id) }));

  const serve = createServeCall(app, sessions);
  serve(
    putProfile,
    ({ params, body, request, reply }) =>
      profiles.publish(parseAddress(params.address), body, () =>
        ofProfiles.questions.take(request.ip, reply),
      ),
    ofProfiles.writes,
  );
  serve(deleteProfile, async ({ wallet, params }) => {
    if (!isSameAddress(wallet, parseAddress(params.address))) throw new SvcError('NOT_THE_OWNER', {});
    return profiles.withdraw(wallet);
  });
  serve(
    putListing,
    ({ params, body, request, reply }) =>
      listings.publish(params.id, body, () => ofListings.questions.take(request.ip, reply)),
    ofListings.writes,
  );
  serve(closeListing, ({ wallet, params }) => listings.close(params.id, wallet));
}
