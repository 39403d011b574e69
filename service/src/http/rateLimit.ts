// Limits the requests of a client in any minute, and reports the limit in RateLimit headers. Replaces
// `@fastify/rate-limit`, which counts in fixed windows and writes the older X-RateLimit headers.
import { isIPv4, isIPv6 } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyReply } from 'fastify';

type RateLimitOptions = {
  readonly name: string;
  /** Of one client in a minute. */
  readonly limit: number;
  /**
   * For all clients together, where each request costs us something. Beyond it only clients with fewer than `quiet` requests in
   * the minute are served, so that a flood of many addresses does not keep the others out; at twice as many nobody is.
   */
  readonly total?: { readonly limit: number; readonly quiet: number };
  /** Milliseconds that never go back. */
  readonly now?: () => number;
};

export type RateLimit = ReturnType<typeof createRateLimit>;

/** More clients than this at once are a flood; the one that has been quiet for longest is forgotten first. */
const maxClients = 50_000;

const windowMs = 60_000;

/** Keeps the times of each client's last requests, so that no stretch of a minute ever holds more. */
export function createRateLimit({ name, limit, total, now = () => performance.now() }: RateLimitOptions) {
  /** Of all clients, oldest first. */
  const served: number[] = [];
  const isCrowded = (own: number, time: number): boolean => {
    if (total === undefined) return false;
    while ((served[0] ?? time) <= time - windowMs) served.shift();
    return served.length >= total.limit * (own < total.quiet ? 2 : 1);
  };
  const clients = new Map<string, number[]>();
  const policy = `"${name}";q=${limit};w=${windowMs / 1_000}`;

  /** What is left for this client after a request of this weight, and until when. */
  function count(client: string, weight: number) {
    const time = now();
    const key = toNetwork(client);
    const times = (clients.get(key) ?? []).filter((past) => past > time - windowMs);
    const isFull = times.length + weight > limit || isCrowded(times.length, time);
    if (!isFull) {
      const taken = Array<number>(weight).fill(time);
      times.push(...taken);
      if (total !== undefined) served.push(...taken);
    }
    // Deleted first, so that the map's order is that of the last request.
    clients.delete(key);
    clients.set(key, times);
    if (clients.size > maxClients) clients.delete(clients.keys().next().value as string);
    const seconds = Math.max(1, Math.ceil(((times[0] ?? served[0] ?? time) + windowMs - time) / 1_000));
    return { isFull, left: limit - times.length, seconds };
  }

  return {
    /** Counts what there is room for; false where there is none. */
    allows: (client: string, weight: number): boolean => !count(client, weight).isFull,
    /** Counts a request of this client, or what it weighs, or throws RATE_LIMITED; sets the RateLimit headers in both cases. */
    take: (client: string, reply: Pick<FastifyReply, 'header'>, weight = 1): void => {
      const { isFull, left, seconds } = count(client, weight);
      reply.header('RateLimit-Policy', policy);
      reply.header('RateLimit', `"${name}";r=${left};t=${seconds}`);
      if (isFull)
        throw new SvcError('RATE_LIMITED', { seconds: String(seconds), retryAfterSeconds: seconds });
    },
  };
}

/**
 * A client with one IPv6 address usually has 2^64 of them, so the network is counted. A program on this machine may come by
 * either of its own addresses.
 */
export function toNetwork(address: string): string {
  if (address === '::1') return '127.0.0.1';
  const [, mapped] = /^::ffff:([0-9.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right].slice(0, 4).join(':');
}
