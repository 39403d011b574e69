// Sends many hostile requests, made from the published contract: no failure of ours, no silence, always {error}.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { OpenApiDocument } from '#service/contract/openapi.ts';
import { hostileBytes } from '../hostile/bytes.ts';
import { createHostility, type HostileRequest } from '../hostile/requests.ts';
import { patienceMs } from '../support/patience.ts';
import { sendBytes } from '../support/rawHttp.ts';
import { site } from './site.ts';

/** SVC_LONG_TESTS=1 sends twenty times as many. */
const wanted = process.env.SVC_LONG_TESTS ? 20_000 : 1_000;
const seed = 20_260_728;

test(`${wanted} hostile requests get no 5xx, no silence, and {error} wherever they are refused`, async () => {
  const contract: OpenApiDocument = parse(await (await site.get('/openapi.yaml')).text());
  const hostility = createHostility(contract, seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const statuses = new Map<number, number>();
  const findings: string[] = [];
  let sent = 0;
  async function work(): Promise<void> {
    while (sent < wanted) {
      sent++;
      const question = hostility.next();
      const { status, finding } = await judge(site.url(), question, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (finding !== null) findings.push(`${question.method} ${question.path.slice(0, 300)}: ${finding}`);
    }
  }
  await Promise.all(Array.from({ length: 16 }, work));
  agent.destroy();
  assert.deepEqual(findings, []);
  // A generator that only ever met one answer would prove nothing.
  for (const status of [200, 304, 400, 404, 405]) assert.ok(statuses.has(status), `${status} was met`);
  const failures = site.log.filter(({ level, message }) => level === 'error' && message === 'request failed');
  assert.deepEqual(failures, [], 'nothing was logged as a failure of ours');
});

test('bytes that are hardly HTTP are answered with {error} or closed, and never with more', async () => {
  for (const bytes of hostileBytes(seed)) {
    const answer = await Promise.race([sendBytes(site.url(), bytes), silence()]);
    const shown = JSON.stringify(bytes.toString('latin1').slice(0, 120));
    assert.notEqual(answer, null, `silence after ${shown}`);
    for (const part of (answer ?? '').split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean)) {
      const status = Number(part.slice(9, 12));
      assert.ok(status < 500, `${status} after ${shown}`);
      if (status >= 400) assert.match(part, /\r\n\r\n\{"error":"[^"]+","code":"[A-Z_]+"\}$/, shown);
    }
  }
});

test('after all that every route answers as before', async () => {
  const client = site.client();
  assert.ok((await client.open()).count > 0);
  assert.equal((await client.task('v2:standard:3')).task.id, 'v2:standard:3');
  assert.equal((await client.health()).status, 'ok');
});

type Verdict = { readonly status: number; readonly finding: string | null };

async function judge(url: string, question: HostileRequest, agent: Agent): Promise<Verdict> {
  const { hostname, port } = new URL(url);
  const { body, ...rest } = question;
  const signal = AbortSignal.timeout(patienceMs);
  const sent = request({ hostname, port, agent, signal, ...rest }).on('error', () => undefined);
  sent.end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const finding = findFault(question, response, await readBody(response));
    return { status: response.statusCode ?? 0, finding };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // A refusal before the body was read may end the connection while we still write.
    const isCut = ['EPIPE', 'ECONNRESET'].includes(code) && body !== undefined;
    return { status: 0, finding: isCut ? null : message };
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  // A stream does not end: its first bytes are enough.
  const isStream = response.headers['content-type']?.startsWith('text/event-stream');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (isStream) break;
  }
  return text;
}

function findFault({ method }: HostileRequest, response: IncomingMessage, text: string): string | null {
  const status = response.statusCode ?? 0;
  if (status >= 500) return `${status}: ${text}`;
  if (status < 400) return null;
  if (status === 401) return 'a read never answers 401';
  if (method === 'HEAD') return text === '' ? null : 'a body after HEAD';
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string' && error !== '' && !/\n\s+at |\/src\/|node:|SQL|sqlite/i.test(error))
      return null;
  } catch {
    // Falls through to the finding.
  }
  return `${status} without {error}: ${text.slice(0, 200)}`;
}

function silence(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), patienceMs).unref());
}
