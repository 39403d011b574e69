// Documents about the API, each built when it is first asked for: the contract for programs (/openapi.yaml, /openapi.json)
// and for readers (/docs/api), and what agents find the market by (llms.txt, cards and skills).

import type { Api } from '@svc/sdk/internal/schemas/route';
import { siteRoutes } from '@svc/sdk/internal/schemas/site';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import { type DiscoveryName, discoveryRoutes, groupPath } from '../contract/discoveryRoutes.ts';
import { buildContract } from '../contract/openapi.ts';
import { registerGet } from './app.ts';
import { type Body, buildBody, sendBody } from './body.ts';
import type { Headers } from './crossOrigin.ts';
import { documentPolicy } from './reference/document.ts';
import { renderReference } from './reference/page.ts';
import examples from './replyExamples.json' with { type: 'json' };

/** Examples of JSON replies. */
export const replyExamples: Readonly<Record<string, unknown>> = examples;

type DiscoveryDocuments = Readonly<Record<DiscoveryName, string>>;

export type ApiDocuments = {
  readonly api: Api;
  readonly version: string;
  /** Where clients reach this server, for the examples; known once it listens. */
  readonly publicUrl: () => string;
  /** The gateway of this market; null where it is not known. */
  readonly gatewayUrl: () => string | null;
  readonly buildDiscovery: (place: {
    readonly url: string;
    readonly gatewayUrl: string | null;
    readonly version: string;
    readonly groups: readonly string[];
  }) => Promise<DiscoveryDocuments>;
};

export function registerApiDocuments(app: FastifyInstance, options: ApiDocuments): void {
  const { api, version, publicUrl, gatewayUrl, buildDiscovery } = options;
  const build = (part: Api) =>
    buildContract(part, { version, sampleUrl: publicUrl(), examples: replyExamples });
  const contract = once(() => build(api));
  const groups = Object.keys(api.tags);
  const discovery = once(() =>
    buildDiscovery({ url: publicUrl(), gatewayUrl: gatewayUrl(), version, groups }),
  );
  const { openapiJson, ...described } = discoveryRoutes;

  register(siteRoutes.openapi.path, 'application/yaml', async () =>
    stringify(contract(), { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  register(openapiJson.path, 'application/json', async () => JSON.stringify(contract()));
  // The whole is too long for a model to read.
  for (const group of groups)
    register(groupPath(group), 'application/json', async () => JSON.stringify(pickGroup(contract(), group)));
  register(siteRoutes.reference.path, 'text/html', async () => renderReference(contract()), {
    'content-security-policy': documentPolicy,
    'referrer-policy': 'no-referrer',
  });
  for (const [name, { path, reply }] of Object.entries(described))
    register(path, reply.contentType, async () => (await discovery())[name as DiscoveryName]);

  function register(path: string, type: string, load: () => Promise<string>, headers: Headers = {}): void {
    let body: Body | undefined;
    const caching = { 'cache-control': 'public, max-age=300' };
    registerGet(app, path, async (request, reply) => {
      body ??= buildBody(await load(), `${type}; charset=utf-8`, { ...caching, ...headers });
      return sendBody(request, reply, body);
    });
  }
}

type Contract = ReturnType<typeof buildContract>;

/** The routes of one group, with the schemas that they need. */
function pickGroup(contract: Contract, group: string): object {
  const { tags, components } = contract;
  const paths = Object.entries(contract.paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).filter(([, operation]) => operation.tags.includes(group));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)]];
  });
  const schemas: Record<string, unknown> = {};
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue;
      schemas[name] = components.schemas[name];
      collect(schemas[name]);
    }
  };
  collect(paths);
  return {
    ...contract,
    tags: tags.filter(({ name }) => name === group),
    paths: Object.fromEntries(paths),
    components: { ...components, schemas },
  };
}

function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
