// /v1/profiles and /v1/names.
import { isSameAddress, parseAddress, SvcError } from '@svc/sdk/domain';
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { ProfileService } from '#matching/profileService.ts';
import { createRateLimit } from '../rateLimit.ts';
import type { RegisterRead } from '../reads.ts';
import { parseQuery } from '../requestFields.ts';
import { createServeCall } from './callRoute.ts';
import type { SessionRoutes } from './sessions.ts';

export type ProfileRoutes = SessionRoutes & { readonly profiles: ProfileService };

const { findProfiles, getProfile, putProfile, deleteProfile, walletNames } = gatewayRoutes;

export function registerProfileRoutes(
  app: FastifyInstance,
  register: RegisterRead,
  { profiles, sessions }: ProfileRoutes,
): void {
  const writes = createRateLimit({ name: 'profiles', limit: 120, windowSeconds: 60 });
  const questions = createRateLimit({ name: 'signatures', limit: 30, windowSeconds: 60 });

  register(findProfiles, (query) => ({ load: () => profiles.find(query) }));
  register(walletNames, ({ addresses }) => ({ load: () => profiles.names(addresses.map(parseAddress)) }));
  register(getProfile, (_query, params) => ({
    load: () => profiles.get(parseAddress(parseQuery(getProfile.params, params).address)),
  }));

  const serve = createServeCall(app, sessions);
  serve(
    putProfile,
    ({ params, body, request, reply }) =>
      profiles.publish(parseAddress(params.address), body, () => questions.take(request.ip, reply)),
    writes,
  );
  serve(deleteProfile, async ({ wallet, params }) => {
    if (!isSameAddress(wallet, parseAddress(params.address))) throw new SvcError('NOT_THE_OWNER', {});
    return profiles.withdraw(wallet);
  });
}
