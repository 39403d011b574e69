// /v1/listings: work that wants proposals.
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { Hex } from 'viem';
import type { ListingService } from '#matching/listingService.ts';
import { createRateLimit } from '../rateLimit.ts';
import type { RegisterRead } from '../reads.ts';
import { parseQuery } from '../requestFields.ts';
import { createServeCall } from './callRoute.ts';
import type { SessionRoutes } from './sessions.ts';

export type ListingRoutes = SessionRoutes & { readonly listings: ListingService };

const { findListings, getListing, putListing, closeListing } = gatewayRoutes;

export function registerListingRoutes(
  app: FastifyInstance,
  register: RegisterRead,
  { listings, sessions }: ListingRoutes,
): void {
  const writes = createRateLimit({ name: 'listings', limit: 120, windowSeconds: 60 });
  const questions = createRateLimit({ name: 'signatures', limit: 30, windowSeconds: 60 });

  register(findListings, (query) => ({ load: () => listings.find(query) }));
  register(getListing, (_query, params) => ({
    load: () => listings.get(parseQuery(getListing.params, params).id as Hex),
  }));

  const serve = createServeCall(app, sessions);
  serve(
    putListing,
    ({ params, body, request, reply }) =>
      listings.publish(params.id as Hex, body, () => questions.take(request.ip, reply)),
    writes,
  );
  serve(closeListing, ({ wallet, params }) => listings.close(params.id as Hex, wallet));
}
