// The documents by which agents find the market: llms.txt, cards and skills. They are built when the first is asked for.
import { type DiscoveryName, discoveryRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { registerGet } from './app.ts';
import { type Body, buildBody, sendBody } from './body.ts';

export type DiscoveryDocuments = Readonly<Record<DiscoveryName, string>>;

export type DiscoveryRoutes = {
  readonly version: string;
  readonly publicUrl: () => string;
  readonly buildDiscovery: (place: {
    readonly url: string;
    readonly version: string;
  }) => Promise<DiscoveryDocuments>;
};

const headers = { 'Cache-Control': 'public, max-age=300' };

export function registerDiscoveryRoutes(app: FastifyInstance, options: DiscoveryRoutes): void {
  const { version, publicUrl, buildDiscovery } = options;
  let documents: Promise<DiscoveryDocuments> | undefined;
  const { openapiJson: _, ...described } = discoveryRoutes;
  for (const [name, { path, reply: form }] of Object.entries(described)) {
    let body: Body | undefined;
    registerGet(app, path, async (request, reply) => {
      documents ??= buildDiscovery({ url: publicUrl(), version });
      const text = (await documents)[name as DiscoveryName];
      body ??= buildBody(text, `${form.contentType}; charset=utf-8`, headers);
      return sendBody(request, reply, body);
    });
  }
}
