// The gateway's sessions and messages, over an open market.
import { createDigestReader } from '@svc/sdk/chain';
import { createContractSignatures } from '#gateway/contractSignatures.ts';
import { createSessionService } from '#gateway/sessions.ts';
import { createSessionStore } from '#store/sessions.ts';
import { createStandingStore } from '#store/standing.ts';
import type { OpenMarket } from './openMarket.ts';

export type MailOptions = {
  readonly rpcUrls: readonly string[];
  /** The origins by which clients reach this gateway. */
  readonly origins: () => readonly string[];
};

export function createMailServices(
  { database, identity, now, deployment }: OpenMarket,
  { rpcUrls, origins }: MailOptions,
) {
  const { chainId, roles } = deployment;
  const standing = createStandingStore(database, identity, [roles.fallbackArbitrator]);
  const contracts = createContractSignatures(createDigestReader(rpcUrls));
  return {
    standing,
    sessions: createSessionService({
      store: createSessionStore(database, identity),
      chainId,
      now,
      origins,
      isMember: standing.isMember,
      contracts,
    }),
  };
}
