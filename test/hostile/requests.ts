// Makes hostile requests out of a contract: for every parameter values of the wrong type, beyond its bounds, in strange
// encodings, huge, repeated, and now and then a right one, so that what lies behind the checks is reached as well.
import { listOperations, type OpenApiDocument } from '#service/contract/openapi.ts';
import type { Parameter } from '#service/contract/openapiParameters.ts';
import { createRandom, type Random } from '../support/replay/random.ts';

export type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
};

export type Hostility = { readonly next: () => HostileRequest };

export function createHostility(contract: OpenApiDocument, seed: number): Hostility {
  const random = createRandom(seed);
  const operations = listOperations(contract);
  return {
    next: () => {
      const { path, method: own, operation } = random.pick(operations);
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
      const method = chance(random, 0.85) ? own.toUpperCase() : random.pick(methods);
      const target = chance(random, 0.9) ? path : mangle(path, random);
      const query = buildQuery(inQuery, random);
      const body = chooseBody(method, operation.requestBody?.content['application/json']?.example, random);
      return {
        method,
        path: query === '' ? target : `${target}?${query}`,
        headers: {
          ...buildHeaders(random),
          // Without it Node sends some methods' bodies as if they were the next request.
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          ...(own === 'post' && chance(random, 0.8) && { 'content-type': 'application/json' }),
        },
        body,
      };
    },
  };
}

const methods = 'HEAD OPTIONS POST PUT PATCH DELETE TRACE PURGE PROPFIND LINK QUERY'.split(' ');

const bodies = [
  '',
  '{',
  '{"a":1}',
  'x'.repeat(70_000),
  '\u0000',
  '[['.repeat(5_000),
  '<?xml version="1.0"?>',
];

/** Where a route takes a body: the right one, or that with something wrong in it, or nothing like it. */
function chooseBody(method: string, example: unknown, random: Random): string | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (example === undefined || chance(random, 0.2))
    return chance(random, 0.5) ? undefined : random.pick(bodies);
  if (chance(random, 0.2)) return mangle(JSON.stringify(example), random);
  return JSON.stringify(chance(random, 0.2) ? example : spoil(example, random));
}

/** The same value with one part of it, at any depth, taken away or replaced. */
function spoil(value: unknown, random: Random): unknown {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch || chance(random, 0.2)) return random.pick(strangeParts);
  const key = random.pick(Object.keys(value));
  const part = spoil(value[key as keyof typeof value], random);
  if (Array.isArray(value)) return value.map((entry, at) => (String(at) === key ? part : entry));
  return chance(random, 0.2) ? { ...value, [key]: undefined } : { ...value, [key]: part };
}

const strangeParts: readonly unknown[] = [
  ...[null, true, 0, -1, 1e300, '', '\ud800', '\u0000', 'v2:nano:0', [], {}, [[[[]]]]],
  'x'.repeat(40_000),
  `0x${'f'.repeat(40)}`,
  Array.from({ length: 1_000 }, () => ({})),
  { toString: 1, constructor: 1 },
];

/** Every parameter may be absent or repeated, with any value; some unknown parameters are added. */
function buildQuery(parameters: readonly Parameter[], random: Random): string {
  const pairs: string[] = [];
  for (const parameter of parameters) {
    const times = random.pick([0, 0, 1, 1, 1, 2, 5]);
    for (let count = 0; count < times; count++) {
      pairs.push(
        `${chance(random, 0.95) ? parameter.name : mangle(parameter.name, random)}=${valueFor(parameter, random)}`,
      );
    }
  }
  if (chance(random, 0.2)) pairs.push(random.pick(strangePairs));
  return shuffle(pairs, random).join(chance(random, 0.95) ? '&' : random.pick([';', '&&', '%26', '&=&']));
}

const strangePairs = [
  'a=1&'.repeat(1_000),
  ...'__proto__=1 constructor[prototype][x]=1 toString=1 = &&&& a[]=1&a[]=2 a.b.c=1 %00=%00 hasOwnProperty %E0%A4%A=%F0'.split(
    ' ',
  ),
];

function valueFor({ schema }: Parameter, random: Random): string {
  const examples = (schema.examples ?? []) as unknown[];
  if (chance(random, 0.35) && examples.length > 0) return encodeURIComponent(String(random.pick(examples)));
  if (chance(random, 0.3) && examples.length > 0) return mangle(String(random.pick(examples)), random);
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  const beyond = bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5, -bound]).map(String);
  return random.pick([...strangeValues, ...beyond]);
}

const strangeValues = [
  '',
  '%00',
  '9'.repeat(5_000),
  'a'.repeat(10_000),
  ...['0', 'f', 'g'].map((digit) => `0x${digit.repeat(40)}`),
  ...`%20 + 0 -0 -1 1e3 1e400 0x10 0b1 %D9%A1 %EF%BC%91 NaN Infinity -Infinity null undefined true [] {} 1.1 0.0
      %5Bobject%20Object%5D 9007199254740991 9007199254740992 18446744073709551616 999999999999999.999999999
      v2:standard:1 v2:standard:0 v2:standard:-1 v2:standard:1e3 v2:STANDARD:1 v2:standard:99999999999999999999
      v2:micro:9007199254740993 v2::1 v1:standard:1 v1 v2 micro %0d%0aX-Injected:%201 %zz % %C0%AF %ED%A0%80
      %F0%9F%A6%8A %2525 '%20OR%201=1-- %22;DROP%20TABLE%20tasks;-- $1 ..%2f..%2fetc%2fpasswd %3Cscript%3E
      $%7Bjndi:ldap://x%7D *`.split(/\s+/),
];

const chance = (random: Random, share: number) => random.below(1_000) < share * 1_000;

const shuffle = <T>(values: readonly T[], random: Random): T[] =>
  values
    .map((value) => ({ value, at: random.below(1e9) }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);

/** One small thing is wrong, as it is when people mistype and programs cut. */
function mangle(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const insert = random.pick(['%00', '%20', '/', '//', '..', '%2e', '%', 'A', '0', ':', '?', '%ff', '%7f']);
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + insert + text.slice(at);
    case 1:
      return text.slice(0, at);
    case 2:
      return text.toUpperCase();
    default:
      return text + text;
  }
}

function buildHeaders(random: Random): HostileRequest['headers'] {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(strangeHeaders)) {
    if (chance(random, 0.12)) headers[name] = random.pick(values);
  }
  return headers;
}

const strangeHeaders: Readonly<Record<string, readonly (string | string[])[]>> = {
  accept: ['application/problem+json', '*/*', '', 'a'.repeat(2_000), ';;;,,,'],
  'accept-encoding': ['br', 'gzip;q=0', '*;q=0', 'identity;q=0, *;q=0', 'br;q=nan', ','.repeat(500)],
  'if-none-match': ['*', '"', 'W/', '""', '"x", "y"', `"${'e'.repeat(4_000)}"`, ','.repeat(500)],
  'if-modified-since': ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'last-event-id': ['0', '-1', '999999999999999', 'NaN', '0x1', 'a'.repeat(2_000)],
  'x-request-id': ['a', '"', 'x'.repeat(2_000), ['one', 'two']],
  'content-type': ['application/json', 'text/plain', 'multipart/form-data', '/', 'a'.repeat(500)],
  'x-forwarded-for': ['127.0.0.1', '"><script>'],
  'x-http-method-override': ['DELETE'],
  origin: ['null', 'https://evil.example'],
  'access-control-request-method': ['GET', 'POST', 'x'],
  range: ['bytes=0-1', 'bytes=-', 'lines=1'],
  cookie: ['a=b; '.repeat(200)],
  authorization: ['Bearer x', 'Basic eA=='],
  host: ['', 'evil.example', 'a:b:c', '[::1'],
  te: ['trailers'],
  upgrade: ['websocket', 'h2c'],
};
