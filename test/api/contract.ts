// The published contract: valid, true to what is answered, and readable.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { listOperations, type OpenApiDocument, type Operation } from '#service/contract/openapi.ts';
import type { TestSite } from '../support/site.ts';
import { site } from './site.ts';

let loaded: Promise<OpenApiDocument> | undefined;
const loadContract = (): Promise<OpenApiDocument> => {
  loaded ??= site.get('/openapi.yaml').then(async (reply) => parse(await reply.text()));
  return loaded;
};

let compiler: Ajv2020 | undefined;
const loadAjv = async () => {
  compiler ??= createAjv(await loadContract());
  return compiler;
};

test('every sample and every example of a parameter can be sent, and its answer fits its schema', async () => {
  const contract = await loadContract();
  const check = createCheck(await loadAjv());
  let sent = 0;
  for (const { path, method, operation } of listOperations(contract)) {
    const questions = method === 'post' ? exampleBodies(path, operation) : examplePaths(path, operation);
    for (const question of [...samplesOf(operation), ...questions]) {
      await check(site, operation, question);
      sent++;
    }
  }
  assert.ok(sent > 50, `${sent} were sent`);
});

test('every read names the parameters that it does not know, and every page the next one', async () => {
  let nextPages = 0;
  for (const { path, method, operation } of listOperations(await loadContract())) {
    if (method !== 'get') continue;
    const [sample] = samplesOf(operation);
    const join = sample?.target.includes('?') ? '&' : '?';
    const cancel = new AbortController();
    const response = await fetch(`${site.url()}${sample?.target}${join}colour=red`, {
      signal: cancel.signal,
    });
    assert.equal(response.headers.get('svc-unknown-parameters'), 'colour', path);
    cancel.abort();
    if (!operation.parameters.some(({ name }) => name === 'cursor')) continue;
    const target = new URL(sample?.target ?? '', site.url());
    target.searchParams.set('limit', '1');
    const page = await fetch(target);
    const { nextCursor } = (await page.json()) as { nextCursor: string | null };
    if (nextCursor !== null) nextPages++;
    assert.ok(nextCursor === null || page.headers.get('link')?.includes(`cursor=${nextCursor}>`), path);
  }
  assert.ok(nextPages > 3, `${nextPages} pages had a next one`);
});

test('where no gateway is known, the documents for tool servers name no other server in its place', async () => {
  const { mcpServers } = await site.getJson('/.well-known/mcp.json');
  const { remotes } = await site.getJson('/server.json');
  assert.deepEqual([mcpServers.svc?.url, remotes], [undefined, undefined]);
});

test('every example of an answer and of a body fits its schema', async () => {
  const contract = await loadContract();
  const ajv = await loadAjv();
  for (const { path, operation } of listOperations(contract)) {
    const body = operation.requestBody?.content['application/json'];
    if (body !== undefined) assertValid(ajv, body.schema, body.example, `${path} body`);
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      const { schema, example, examples = {} } = content['application/json'] ?? {};
      if (schema === undefined) continue;
      const values = [example, ...Object.values(examples).map(({ value }) => value)].filter(Boolean);
      for (const value of values) assertValid(ajv, schema, value, `${path} ${status}`);
    }
  }
});

test('the page shows every route, parameter and schema, and every link on it leads somewhere', async () => {
  const contract = await loadContract();
  const page = await (await site.get('/docs/api')).text();
  for (const { path, operation } of listOperations(contract)) {
    assert.ok(page.includes(`<code>${path}</code>`), path);
    for (const { name } of operation.parameters) assert.ok(page.includes(`<code>${name}</code>`), name);
  }
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const name of Object.keys(contract.components.schemas)) assert.ok(ids.has(`schema-${name}`), name);
  for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(anchor), anchor);
});

test('the page needs nothing from outside and could not load it', async () => {
  const response = await site.get('/docs/api');
  const page = await response.text();
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  const hashOf = (element: string) => {
    const [, text = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  assert.equal(
    policy,
    `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; img-src data:; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.equal(page.match(/<script/g)?.length, 1, 'the script of the theme');
  assert.doesNotMatch(page, /<iframe| on\w+=| style=|@import|url\(/);
  const places = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, place]) => place as string);
  for (const place of places) assert.match(place, /^(#[\w-]+|data:,|\/[\w.-]*)$/, 'on this site');
});

type Question = { readonly target: string; readonly init?: RequestInit };

/** The requests that the document shows as commands. */
function samplesOf(operation: Operation): Question[] {
  return operation['x-codeSamples'].map(({ source }) => {
    const [, url = ''] = /'(http[^']*)'$/.exec(source) ?? [];
    const [, body] = / -d '(.*)' '/.exec(source) ?? [];
    const headers = [...source.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
      ([, name, value]) => [name, value] as [string, string],
    );
    const init = body === undefined ? {} : { method: 'POST', body, headers };
    return { target: url.replace(/^http:\/\/[^/]+/, ''), init };
  });
}

function exampleBodies(target: string, { requestBody }: Operation): Question[] {
  const body = JSON.stringify(requestBody?.content['application/json']?.example);
  return [{ target, init: { method: 'POST', body, headers: { 'content-type': 'application/json' } } }];
}

/** Each example of each parameter, beside what the route cannot do without. */
function examplePaths(path: string, { parameters }: Operation): Question[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const examplesOf = (schema: (typeof inQuery)[number]['schema']) => (schema.examples ?? []) as unknown[];
  const needed = inQuery.filter(({ name, required }) => required || name === 'id' || name === 'ids');
  const base = needed.map(({ name, schema }) => [name, String(examplesOf(schema)[0])] as const);
  return inQuery.flatMap(({ name, schema }) => {
    assert.ok(examplesOf(schema).length > 0, `${path}: ${name} has an example`);
    return examplesOf(schema).map((value) => {
      const kept = base.filter(([other]) => other !== name && !(name === 'taskId' && other === 'id'));
      const query = new URLSearchParams(Object.fromEntries([...kept, [name, String(value)]]));
      return { target: `${path}?${query}` };
    });
  });
}

/** Its example names a payment that nobody has made. */
const unpaid = 'upgradePlan';

function createCheck(ajv: Ajv2020) {
  return async (site: TestSite, operation: Operation, { target, init }: Question): Promise<void> => {
    const cancel = new AbortController();
    const response = await fetch(site.url() + target, { ...init, signal: cancel.signal });
    const status = operation.operationId === unpaid ? 422 : 200;
    assert.equal(response.status, status, target);
    const declared = operation.responses[status];
    const type = (response.headers.get('content-type') ?? '').split(';')[0] as string;
    const media = declared?.content?.[type];
    assert.ok(media, `${target} answers ${type}, which is not in the contract`);
    for (const name of Object.keys(declared?.headers ?? {})) {
      assert.ok(response.headers.has(name), `${target} has the header ${name}`);
    }
    if (type === 'application/json') assertValid(ajv, media.schema, await response.json(), target);
    cancel.abort();
  };
}

function createAjv(contract: OpenApiDocument): Ajv2020 {
  // Whether they are schemas is the business of the public validator (gatewayContract.test.ts).
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  ajv.addSchema({ $id: 'contract', components: contract.components });
  return ajv;
}

/** As the contract has them -> as Ajv reads them, which compiles each object once. */
const rewritten = new WeakMap<object, object>();

function assertValid(ajv: Ajv2020, schema: object, value: unknown, what: string): void {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
  const own = rewritten.get(schema) ?? JSON.parse(text);
  rewritten.set(schema, own);
  const isValid = ajv.validate(own, value);
  assert.ok(isValid, `${what}: ${ajv.errorsText()}`);
}
