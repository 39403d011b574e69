// The documents by which agents find the market: llms.txt, cards and skills. They are built when the first is asked for.
import { type DiscoveryName, discoveryRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { type ReadContext, send } from './reads.ts';
import { buildReply, createReplyKind, type Reply } from './reply.ts';

export type DiscoveryDocuments = Readonly<Record<DiscoveryName, string>>;

export type DiscoveryRoutes = {
  readonly context: Pick<ReadContext, 'headLines'>;
  readonly version: string;
  readonly publicUrl: () => string;
  readonly buildDiscovery: (place: {
    readonly url: string;
    readonly version: string;
  }) => Promise<DiscoveryDocuments>;
};

const cacheControl = 'public, max-age=300';

export function registerDiscoveryRoutes(app: FastifyInstance, options: DiscoveryRoutes): void {
  const { context, version, publicUrl, buildDiscovery } = options;
  let documents: Promise<DiscoveryDocuments> | undefined;
  const replies = new Map<DiscoveryName, Reply>();
  const { openapiJson: _, ...described } = discoveryRoutes;
  for (const [key, { path, reply: form }] of Object.entries(described)) {
    const name = key as DiscoveryName;
    const kind = createReplyKind(`${form.contentType}; charset=utf-8`, cacheControl);
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) => {
        documents ??= buildDiscovery({ url: publicUrl(), version });
        const text = (await documents)[name];
        const built = replies.get(name) ?? buildReply(text, kind);
        replies.set(name, built);
        send(request, reply, context.headLines, built);
      },
    });
  }
}
