// /openapi.yaml, /openapi.json and /docs/api: the same contract for programs and for readers.

import type { Api } from '@svc/sdk/schemas';
import { buildContract, discoveryRoutes, siteRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import { registerGet } from './app.ts';
import { type Body, buildBody, jsonType, sendBody } from './body.ts';
import { statusOf } from './errors.ts';
import { documentPolicy } from './reference/document.ts';
import { renderReference } from './reference/page.ts';

export type ContractRoutes = {
  readonly api: Api;
  readonly version: string;
  /** Where clients reach this server, for the examples; known once it listens. */
  readonly publicUrl: () => string;
};

const headers = { 'Cache-Control': 'public, max-age=300' };

export function registerContractRoutes(app: FastifyInstance, options: ContractRoutes): void {
  let bodies: Bodies | undefined;
  for (const name of ['openapi', 'openapiJson', 'reference'] as const) {
    const { path } = { ...siteRoutes, ...discoveryRoutes }[name];
    registerGet(app, path, async (request, reply) => {
      bodies ??= buildBodies(options);
      return sendBody(request, reply, bodies[name]);
    });
  }
}

type Bodies = Readonly<Record<'openapi' | 'openapiJson' | 'reference', Body>>;

function buildBodies({ api, version, publicUrl }: ContractRoutes): Bodies {
  const contract = buildContract(api, { version, sampleUrl: publicUrl(), statusOf });
  const yaml = stringify(contract, { lineWidth: 0, aliasDuplicateObjects: false });
  return {
    openapi: buildBody(yaml, 'application/yaml; charset=utf-8', headers),
    openapiJson: buildBody(JSON.stringify(contract), jsonType, headers),
    reference: buildBody(renderReference(contract), 'text/html; charset=utf-8', {
      ...headers,
      'Content-Security-Policy': documentPolicy,
      'Referrer-Policy': 'no-referrer',
    }),
  };
}
