// /openapi.yaml for programs and /docs/api for people: the same contract.
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import { buildContract } from '#schemas/openapi.ts';
import { routes } from '#schemas/routes.ts';
import { statusOf } from '../errors.ts';
import { type ReadContext, send } from '../read.ts';
import { buildReply, type ReadyReply } from '../readyReply.ts';
import { referencePolicy, renderReference } from './reference/page.ts';

export type ContractRoutes = {
  readonly context: Pick<ReadContext, 'stamp'>;
  readonly version: string;
  /** Where clients reach this server, for the examples; known once it listens. */
  readonly publicUrl: () => string;
};

const cacheControl = 'public, max-age=300';

export function registerContractRoutes(app: FastifyInstance, options: ContractRoutes): void {
  let replies: Replies | undefined;
  for (const name of ['openapi', 'reference'] as const) {
    app.route({
      method: ['GET', 'HEAD'],
      url: routes[name].path,
      handler: async (request, reply) => {
        replies ??= buildReplies(options);
        send(request, reply, options.context.stamp, replies[name]);
      },
    });
  }
}

type Replies = Readonly<Record<'openapi' | 'reference', ReadyReply>>;

function buildReplies({ version, publicUrl }: ContractRoutes): Replies {
  const contract = buildContract({ version, sampleUrl: publicUrl(), statusOf });
  const yaml = stringify(contract, { lineWidth: 0, aliasDuplicateObjects: false });
  return {
    openapi: buildReply(yaml, { contentType: 'application/yaml; charset=utf-8', cacheControl }),
    reference: buildReply(renderReference(contract), {
      contentType: 'text/html; charset=utf-8',
      cacheControl,
      headers: ['Content-Security-Policy', referencePolicy, 'Referrer-Policy', 'no-referrer'],
    }),
  };
}
