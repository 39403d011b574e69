// /openapi.yaml, /openapi.json and /docs/api: the same contract for programs and for readers.

import type { Api } from '@svc/sdk/schemas';
import { buildContract, discoveryRoutes, siteRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import { statusOf } from './errors.ts';
import { type ReadContext, send } from './reads.ts';
import { documentPolicy } from './reference/document.ts';
import { renderReference } from './reference/page.ts';
import { buildReply, createReplyKind, type Reply } from './reply.ts';

export type ContractRoutes = {
  readonly context: Pick<ReadContext, 'headLines'>;
  readonly api: Api;
  readonly version: string;
  /** Where clients reach this server, for the examples; known once it listens. */
  readonly publicUrl: () => string;
};

const cacheControl = 'public, max-age=300';
const openapiKind = createReplyKind('application/yaml; charset=utf-8', cacheControl);
const jsonKind = createReplyKind('application/json; charset=utf-8', cacheControl);
const referenceKind = createReplyKind('text/html; charset=utf-8', cacheControl, {
  'Content-Security-Policy': documentPolicy,
  'Referrer-Policy': 'no-referrer',
});

export function registerContractRoutes(app: FastifyInstance, options: ContractRoutes): void {
  let replies: Replies | undefined;
  for (const name of ['openapi', 'openapiJson', 'reference'] as const) {
    app.route({
      method: ['GET', 'HEAD'],
      url: { ...siteRoutes, ...discoveryRoutes }[name].path,
      handler: async (request, reply) => {
        replies ??= buildReplies(options);
        send(request, reply, options.context.headLines, replies[name]);
      },
    });
  }
}

type Replies = Readonly<Record<'openapi' | 'openapiJson' | 'reference', Reply>>;

function buildReplies({ api, version, publicUrl }: ContractRoutes): Replies {
  const contract = buildContract(api, { version, sampleUrl: publicUrl(), statusOf });
  const yaml = stringify(contract, { lineWidth: 0, aliasDuplicateObjects: false });
  return {
    openapi: buildReply(yaml, openapiKind),
    openapiJson: buildReply(JSON.stringify(contract), jsonKind),
    reference: buildReply(renderReference(contract), referenceKind),
  };
}
