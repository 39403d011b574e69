// Proves the gateway's contract: the same routes as the server, examples that fit, and answers that do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { actions } from '#sdk/actions/catalog.ts';
import { findStatus } from '#sdk/domain/errors.ts';
import { methodOf, type Route } from '#sdk/schemas/route.ts';
import { gatewayApi, gatewayRoutes } from '#service/contract/apis.ts';
import { receiptHeader } from '#service/contract/claiming.ts';
import { listOperations, type OpenApiDocument } from '#service/contract/openapi.ts';
import { exampleKey } from '#service/contract/openapiResponses.ts';
import { replyExamples } from '#service/http/apiDocuments.ts';
import { buildDiscovery } from '#service/mcp/discovery.ts';
import { hostedTools, tools } from '#service/mcp/tools.ts';
import { countTokens } from './mcp/tokens.ts';
import { createReader } from './support/baseChain.ts';
import { ask } from './support/devnet.ts';
import { startFaultyProxy } from './support/faultyProxy.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { lintContracts, spotless } from './support/redocly.ts';
import { until } from './support/until.ts';

const lines: { level: string; message: string; path?: string }[] = [];
const write = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, message, ...fields });

let gateway: TestGateway;
before(async () => {
  // A model that nothing here asks: without one its routes refuse before they look at the body.
  const chat = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: { reveal: () => 'none' }, model: 'none' };
  const log = { level: 'info', debug: write('debug'), info: write('info'), error: write('error') };
  gateway = await startGateway({ chat, log });
  await gateway.restart({ isPaidDiscovery: true });
});
after(() => gateway.close());

const routes = Object.values<Route>(gatewayRoutes);
let parsed: ReturnType<typeof parse>;
const loadContract = async () => {
  parsed ??= parse((await gateway.get('/openapi.yaml')).body);
  return parsed;
};

test('every route of the table is on the server: none is 404, and its method is allowed', async () => {
  for (const route of routes) {
    const path = route.path.replace(/:\w+/g, '1');
    const response = await fetch(gateway.url() + path, { method: 'PATCH' });
    assert.equal(response.status, 405, path);
    const allowed = (response.headers.get('allow') ?? '').split(', ');
    assert.ok(allowed.includes(methodOf(route).toUpperCase()), `${methodOf(route)} ${path}`);
  }
});

test('pages of any origin may use each route, with a token and a payment; wallet requests and metrics only ours', async () => {
  for (const route of routes) {
    const method = methodOf(route).toUpperCase();
    const path = route.path.replace(/:\w+/g, '1');
    const headers = { origin: 'https://app.example', 'access-control-request-method': method };
    const { headers: granted } = await fetch(gateway.url() + path, { method: 'OPTIONS', headers });
    const isOurs = /^\/(metrics|v1\/requests)/.test(path);
    assert.equal(granted.get('access-control-allow-origin'), isOurs ? null : '*', path);
    if (isOurs || (method === 'GET' && !route.needsSession)) continue;
    const methods = granted.get('access-control-allow-methods')?.split(', ');
    assert.ok(methods?.includes(method), `${method} ${path}`);
    const allowed = granted.get('access-control-allow-headers') ?? '';
    for (const name of ['Authorization', 'Content-Type', 'PAYMENT-SIGNATURE', 'X-PAYMENT', receiptHeader])
      assert.ok(allowed.includes(name), `${path} ${name}`);
    assert.match(granted.get('access-control-expose-headers') ?? '', /PAYMENT-REQUIRED.*X-PAYMENT-RESPONSE/);
  }
});

test('a body nested 30,000 deep is refused at every route that takes one, also inside a call of the tools', async () => {
  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const contract: OpenApiDocument = await loadContract();
  const bodies = listOperations(contract).flatMap(({ path, method, operation }) => {
    if (method === 'get') return [];
    const example = operation.requestBody?.content['application/json']?.example;
    const fields = Object.keys((example as object | undefined) ?? {}).map((name) => `{"${name}":${nested}}`);
    return [nested, ...fields].map((body) => ({ method, path: path.replace(/{\w+}/g, '1'), body }));
  });
  assert.ok(new Set(bodies.map(({ path }) => path)).size > 20);
  const call = (field: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","${field}":${nested}}`;
  const calls = [nested, call('params'), `[${call('params')}]`, call('id')];
  const forTools = calls.map((body) => ({ method: 'post', path: '/mcp', body }));
  for (const { method, path, body } of [...forTools, ...bodies]) {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const { status } = await fetch(gateway.url() + path, { method: method.toUpperCase(), headers, body });
    assert.ok(status >= 400 && status < 500, `${status}: ${method} ${path} ${body.slice(0, 60)}`);
  }
});

test('what clients do wrong is no error of ours: bodies that are cut off, and calls of tools that are none', async () => {
  lines.splice(0);
  const { hostname, port, host } = new URL(gateway.url());
  const cut = ['/v1/requests', '/v1/sessions', '/v1/messages', '/mcp', '/api/posting/check'];
  for (const path of cut) {
    const socket = connect(Number(port), hostname);
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 100\r\n\r\n{"half":`, () => socket.destroy());
    await once(socket, 'close');
  }
  const wrong = [
    '{',
    '[]',
    '"text"',
    '{"id":1}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '[{"jsonrpc":"1.0"}]',
  ];
  const later = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' };
  for (const more of [{}, later])
    for (const body of wrong) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const asked = { method: 'POST', headers: { ...headers, ...more }, body };
      const { status } = await fetch(`${gateway.url()}/mcp`, asked);
      assert.ok(status >= 400 && status < 500, `${status}: ${body}`);
    }
  await until(() => lines.filter(({ message }) => message.includes('cut off')).length === cut.length);
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  );
  assert.ok(lines.some(({ message }) => message.includes('refused')));
  assert.doesNotMatch(JSON.stringify(lines), /node:|\.ts:\d/, 'without a stack');
  assert.doesNotMatch((await gateway.get('/metrics')).body, /svc_requests_total\{[^}]*status="500"/);
});

test('an object of any names says so: programs that generate types write one without names as an empty object', async () => {
  const empty: string[] = [];
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, properties, additionalProperties } = node as Record<string, unknown>;
    if (type === 'object' && Object.keys(properties ?? {}).length === 0 && additionalProperties === undefined)
      empty.push(path);
    for (const [name, part] of Object.entries(node)) if (name !== 'example') look(part, `${path}.${name}`);
  };
  look(await loadContract(), '');
  assert.deepEqual(empty, []);
});

test('every example fits its schema, and every error of a route has a status of its own', () => {
  for (const route of routes) {
    const { path, reply, body, isCreated, others = {}, errors } = route;
    const replies = Object.entries({ [isCreated ? 201 : 200]: reply, ...others }).map(([status, part]) => ({
      example: replyExamples[exampleKey(route, status)],
      ...part,
    }));
    for (const { schema, example } of [...replies, ...(body ? [body] : [])]) {
      const parsed = schema?.safeParse(example);
      assert.ok(parsed?.success ?? true, `${path}: ${JSON.stringify(parsed?.error?.issues)}`);
    }
    for (const code of errors) assert.ok((findStatus(code) ?? 500) !== 500, `${path}: ${code}`);
  }
});

test('the contract is OpenAPI 3.1 with every path once, and the page shows every operation', async () => {
  const contract = await loadContract();
  assert.equal(contract.openapi, '3.1.0');
  const listed = Object.values<Route>(gatewayApi.routes);
  assert.ok(listed.some(({ path }) => path === '/api/market/open'));
  const paths = new Set(listed.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')));
  assert.deepEqual(Object.keys(contract.paths).sort(), [...paths].sort());
  assert.ok(contract.paths['/v1/tasks/{id}/claim'].post.responses[402].headers['PAYMENT-REQUIRED']);
  assert.ok(contract.paths['/v1/requests'].post.responses[201]);
  const page = (await gateway.get('/docs/api')).body;
  for (const { operationId } of listed) assert.ok(page.includes(`id="${operationId}"`), operationId);
});

test('a public validator finds neither errors nor warnings in the contracts of gateway and site', async () => {
  const site = await (await fetch(`${gateway.site().url}/openapi.yaml`)).text();
  const totals = await lintContracts((await gateway.get('/openapi.yaml')).body, site);
  assert.deepEqual(totals, [spotless, spotless]);
});

test('agents find the market: overview, cards, registry entry and skills name what there is', async () => {
  const url = gateway.url();
  const { body: overview } = await gateway.get('/llms.txt');
  assert.match(overview, /^# svc\n\n> /);
  for (const { name } of tools) assert.ok(overview.includes(`\`${name}\``), name);
  for (const { name } of actions) assert.ok(overview.includes(`\`${name}\``), name);
  const { body: servers } = await gateway.get('/.well-known/mcp.json');
  assert.deepEqual(servers.mcpServers, { svc: { type: 'http', url: `${url}/mcp` } });
  assert.equal(servers.tools.length, hostedTools.length);
  const { body: entry } = await gateway.get('/server.json');
  assert.match(entry.name, /^[a-zA-Z0-9.-]+\/svc$/);
  assert.ok(entry.description.length <= 100, 'the registry takes no more');
  assert.deepEqual(entry.remotes, [{ type: 'streamable-http', url: `${url}/mcp` }]);
  assert.equal(entry.packages, undefined, 'without a package of the operator none is named');
  const place = { url, version: '1.2.3', groups: ['Market'], chainId: 8_453, gatewayUrl: url };
  const named = buildDiscovery({ ...place, packageName: '@market/svc' });
  assert.match(named.mcp, /"-y",\s+"@market\/svc",\s+"mcp"/);
  assert.match(named.mcpRegistry, /"identifier": "@market\/svc"/);
  // A package that the operator does not own is somebody else's.
  for (const text of Object.values(buildDiscovery(place)))
    assert.doesNotMatch(text, /npx|registryType|npm i/);
  assert.equal((await gateway.get('/.well-known/agent-card.json')).status, 404);
  const { body: registration } = await gateway.get('/.well-known/agent-registration.json');
  assert.equal(registration.type, 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1');
  const { endpoint } = registration.services.find(({ name }: { name: string }) => name === 'MCP');
  assert.equal(endpoint, `${url}/mcp`);
  assert.deepEqual((await gateway.get('/openapi.json')).body, await loadContract());
  for (const role of ['poster', 'worker', 'arbitrator']) {
    const { body: skill, headers } = await gateway.get(`/skills/${role}.md`);
    assert.match(headers.get('content-type') ?? '', /^text\/markdown/);
    assert.match(skill, new RegExp(`^---\nname: svc-${role}\ndescription: .{40,}\n---\n`));
    for (const name of skill.match(/svc_[a-z_]+/g) ?? [])
      assert.ok(name === 'svc_prepare' || tools.some((tool) => tool.name === name), name);
    const [, local = ''] = /These need `svc mcp` on your machine: ([^.]+)\./.exec(skill) ?? [];
    for (const name of new Set(skill.match(/svc_[a-z_]+/g) as string[]))
      assert.notEqual(
        hostedTools.some((tool) => tool.name === name),
        local.includes(`\`${name}\``),
        `${role}: ${name}`,
      );
    const needed = role === 'worker' ? ['svc_inbox', 'svc_listings', '`/mcp`'] : ['`/mcp`'];
    for (const name of needed) assert.ok(skill.includes(name), `${role}: ${name}`);
  }
  const whole = (await gateway.get('/openapi.json')).body;
  const parts = whole.tags.map(async ({ name }: { name: string }) => {
    const { status, body } = await gateway.get(`/openapi/${name.toLowerCase()}.json`);
    assert.equal(status, 200, name);
    for (const [, reference] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(reference !== undefined && body.components.schemas[reference], `${name}: ${reference}`);
    assert.ok(countTokens(JSON.stringify(body)) < 35_000, `${name}: ${countTokens(JSON.stringify(body))}`);
    return Object.values(body.paths as object).flatMap((one) => Object.keys(one)).length;
  });
  const counted = ((await Promise.all(parts)) as number[]).reduce((sum, count) => sum + count, 0);
  assert.equal(counted, Object.values(whole.paths as object).flatMap((one) => Object.keys(one)).length);
  const services = registration.services.map(({ endpoint }: { endpoint: string }) => endpoint);
  for (const link of [...services, ...(overview.match(/(?<=\()http[^)]+/g) ?? [])]) {
    if (/\/docs\/|llms-full\.txt$|\/$|\/mcp$/.test(link)) continue;
    assert.equal((await gateway.get(link.slice(url.length))).status, 200, link);
  }
});

test('reads answer as the contract says', async () => {
  for (const route of routes) {
    const { path, reply, others, needsSession } = route;
    if (methodOf(route) !== 'get' || needsSession || path.includes(':')) continue;
    if (others?.[402] !== undefined || reply.schema === null) continue;
    const { status, body: answer } = await gateway.get(route.samples[0]?.path ?? path);
    assert.equal(status, 200, path);
    const parsed = reply.schema.safeParse(answer);
    assert.ok(parsed.success, `${path}: ${JSON.stringify(parsed.error?.issues)}`);
  }
});

test('while a provider says "reverted" to everything, no route answers a plain 500', async (context) => {
  const proxy = await startFaultyProxy(gateway.devnet.rpcUrl);
  context.after(proxy.close);
  await gateway.restart({ isPaidDiscovery: true, rpcUrls: [proxy.url] });
  proxy.setFault('everything reverts');
  for (const route of routes) {
    const method = methodOf(route).toUpperCase();
    const path = route.samples[0]?.path ?? route.path.replace(/:\w+/g, '1');
    const body = route.body?.example ?? route.samples[0]?.body;
    const { status } = await gateway.send(method, path, body);
    assert.notEqual(status, 500, `${method} ${path}`);
  }
  await gateway.restart({ isPaidDiscovery: true });
});

test('every read names the parameters that it does not know', async () => {
  for (const route of routes) {
    if (methodOf(route) !== 'get') continue;
    const path = route.path.replace(/:\w+/g, '1');
    const { headers } = await gateway.get(`${path}?colour=red`);
    assert.equal(headers.get('svc-unknown-parameters'), 'colour', route.path);
  }
});

test('a chain whose clock is moved a day ahead is no failure of the RPC', async () => {
  lines.splice(0);
  const before = (await gateway.get('/health')).body.block;
  await ask(createReader(gateway.devnet.rpcUrl), 'evm_increaseTime', 86_400);
  await ask(createReader(gateway.devnet.rpcUrl), 'evm_mine');
  await until(async () => (await gateway.get('/health')).body.block > before);
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  );
});
