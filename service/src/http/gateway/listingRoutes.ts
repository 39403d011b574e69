// /v1/listings: work that wants proposals.
import { listingBodySchema, listingParamsSchema } from '@svc/sdk/internal/schemas/listings';
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Hex } from 'viem';
import type { ListingService } from '#matching/listingService.ts';
import { createRateLimit } from '../rateLimit.ts';
import type { RegisterRead } from '../reads.ts';
import { parseBody, parseQuery } from '../requestFields.ts';
import { requireWallet, type SessionRoutes } from './sessions.ts';

export type ListingRoutes = SessionRoutes & { readonly listings: ListingService };

const { findListings, getListing, putListing } = gatewayRoutes;

const config = { crossOrigin: 'call' } as const;

export function registerListingRoutes(
  app: FastifyInstance,
  register: RegisterRead,
  { listings, sessions }: ListingRoutes,
): void {
  const writes = createRateLimit({ name: 'listings', limit: 120, windowSeconds: 60 });
  const questions = createRateLimit({ name: 'signatures', limit: 30, windowSeconds: 60 });

  register(findListings, (query) => ({ load: () => listings.find(query) }));
  register(getListing, (_query, params) => ({ load: () => listings.get(readId(params)) }));

  app.put(putListing.path, { config }, async (request, reply) => {
    writes.take(request.ip, reply);
    const id = readId(request.params);
    const body = parseBody(listingBodySchema, request.body);
    return listings.publish(id, body, () => questions.take(request.ip, reply));
  });

  app.delete(putListing.path, { config }, async (request: FastifyRequest) => {
    const wallet = await requireWallet(sessions, request);
    return listings.close(readId(request.params), wallet);
  });
}

function readId(params: unknown): Hex {
  return parseQuery(listingParamsSchema, params).id as Hex;
}
