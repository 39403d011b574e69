// Requests to addresses that strangers name: of webhooks, and of documents about clients. The address that is connected to is
// the one that was checked, so that no name, however it resolves the next time, leads into the operator's own network. Redirects
// are not followed.
import { lookup as resolveName } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type Target = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly isPrivateAllowed: boolean;
  readonly timeoutMs: number;
};

const privateV4 = listNetworks(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
   192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
);
/** Public addresses are in 2000::/3, except those for examples and for tunnels to any IPv4 address. */
const publicV6 = listNetworks('ipv6', '2000::/3');
const reservedV6 = listNetworks('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20');

function listNetworks(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(/\s+/)) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !privateV4.check(address, 'ipv4');
  return family === 6 && publicV6.check(address, 'ipv6') && !reservedV6.check(address, 'ipv6');
}

/** Why a URL cannot be a webhook, or null. Its name is resolved only when it is used. */
export function findUrlMistake(given: string, isPrivateAllowed: boolean): string | null {
  if (given.length > 2_000 || !URL.canParse(given)) return 'it is no URL of at most 2,000 characters';
  const url = new URL(given);
  if (url.protocol !== 'https:' && !(isPrivateAllowed && url.protocol === 'http:'))
    return 'it does not begin with https://';
  if (url.username !== '' || url.password !== '') return 'it contains a user name or a password';
  const host = literalOf(url);
  if (!isPrivateAllowed && isIP(host) !== 0 && !isPublicAddress(host)) return privateReason;
  return null;
}

const privateReason = 'its address is private, and this gateway does not allow that (SVC_WEBHOOK_PRIVATE)';

function literalOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Resolves to null after an answer of 2xx, else to what went wrong. */
export async function post(target: Target): Promise<string | null> {
  const answer = await exchange(target);
  if (typeof answer === 'string') return answer;
  return answer >= 200 && answer < 300 ? null : `it answered ${answer}`;
}

/** The status of the answer, or why there is none, in words that say nothing about the network inside. */
export function exchange({ body, headers, ...target }: Target): Promise<number | string> {
  const sent = {
    method: 'POST' as const,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    body,
  };
  return ask({ ...target, ...sent }, async (response) => {
    // The body is not needed, whatever its length.
    response.destroy();
    return response.statusCode ?? 0;
  });
}

/** The text of a document of at most so many bytes, or why there is none. */
export async function fetchText(
  target: Omit<Target, 'body'> & { readonly maxBytes: number },
): Promise<{ readonly text: string } | string> {
  return ask({ ...target, method: 'GET', body: '' }, async (response) => {
    if (response.statusCode !== 200) {
      response.destroy();
      return `it answered ${response.statusCode}`;
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      // The end of the loop ends the connection.
      if (bytes > target.maxBytes) return `it is longer than ${target.maxBytes} bytes`;
      parts.push(part);
    }
    return { text: Buffer.concat(parts).toString('utf8') };
  });
}

type Asked = Target & { readonly method: 'GET' | 'POST' };

async function ask<Answer>(
  { url, method, headers, body, isPrivateAllowed, timeoutMs }: Asked,
  read: (response: IncomingMessage) => Promise<Answer>,
): Promise<Answer | string> {
  const mistake = findUrlMistake(url, isPrivateAllowed);
  if (mistake !== null) return mistake;
  const signal = AbortSignal.timeout(timeoutMs);
  const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const options = { method, agent: false, headers, lookup: createLookup(isPrivateAllowed), signal };
      let isAnswered = false;
      const request: ClientRequest = send(url, options, (response) => {
        isAnswered = true;
        read(response).then(resolve, reject);
      });
      request.on('error', reject);
      // Also after an answer that changes the protocol, which is neither a response nor an error.
      request.on('close', () => {
        if (!isAnswered) reject(new Error('closed'));
      });
      request.end(body);
    });
  } catch (error) {
    if (error instanceof PrivateAddress) return privateReason;
    return signal.aborted ? 'it did not answer in time' : 'no connection';
  }
}

class PrivateAddress extends Error {}

/** One private address among several is enough to refuse: which one is connected to is not ours to choose. */
function createLookup(isPrivateAllowed: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { all: true }).then(
      (found) => {
        const [first] = found;
        if (first === undefined) return callback(new Error('no address'), '', 0);
        if (!isPrivateAllowed && !found.every(({ address }) => isPublicAddress(address)))
          return callback(new PrivateAddress(hostname), '', 0);
        if (options.all) return callback(null, found);
        return callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}
