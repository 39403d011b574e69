// /v1/profiles and /v1/names.
import { type Address, isSameAddress, parseAddress, SvcError } from '@svc/sdk/domain';
import { profileBodySchema, profileParamsSchema } from '@svc/sdk/internal/schemas/profiles';
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProfileService } from '#matching/profileService.ts';
import { createRateLimit } from '../rateLimit.ts';
import type { RegisterRead } from '../reads.ts';
import { parseBody, parseQuery } from '../requestFields.ts';
import { requireWallet, type SessionRoutes } from './sessions.ts';

export type ProfileRoutes = SessionRoutes & { readonly profiles: ProfileService };

const { findProfiles, getProfile, putProfile, walletNames } = gatewayRoutes;

const config = { crossOrigin: 'call' } as const;

export function registerProfileRoutes(
  app: FastifyInstance,
  register: RegisterRead,
  { profiles, sessions }: ProfileRoutes,
): void {
  const writes = createRateLimit({ name: 'profiles', limit: 120, windowSeconds: 60 });
  const questions = createRateLimit({ name: 'signatures', limit: 30, windowSeconds: 60 });

  register(findProfiles, (query) => ({ load: () => profiles.find(query) }));
  register(walletNames, ({ addresses }) => ({ load: () => profiles.names(addresses.map(parseAddress)) }));
  register(getProfile, (_query, params) => ({ load: () => profiles.get(readAddress(params)) }));

  app.put(putProfile.path, { config }, async (request, reply) => {
    writes.take(request.ip, reply);
    const wallet = readAddress(request.params);
    const body = parseBody(profileBodySchema, request.body);
    return profiles.publish(wallet, body, () => questions.take(request.ip, reply));
  });

  app.delete(putProfile.path, { config }, async (request: FastifyRequest) => {
    const wallet = await requireWallet(sessions, request);
    if (!isSameAddress(wallet, readAddress(request.params))) throw new SvcError('NOT_THE_OWNER', {});
    return profiles.withdraw(wallet);
  });
}

function readAddress(params: unknown): Address {
  return parseAddress(parseQuery(profileParamsSchema, params).address);
}
