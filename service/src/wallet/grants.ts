// What hosted wallet tool servers have granted, in one text that several processes share: it is read anew each time, and
// changed by one at a time.
import { createHash } from 'node:crypto';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import * as z from 'zod';

/** Where grants are kept: text that only its owner may read. */
export type GrantStore = {
  readonly load: () => string | undefined;
  readonly save: (text: string) => void;
  /** One at a time, whatever process it is in. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

export type Grant = {
  /** Of the callback; servers compare it with the one that was registered. */
  readonly port: number;
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
};

export type Grants = {
  readonly load: () => Grant;
  /** By whoever has the turn. */
  readonly change: (part: Partial<Grant>) => void;
  readonly inTurn: GrantStore['inTurn'];
};

/** Nobody is assigned these, and Linux gives none of them to connections that somebody opens. */
const ports = { first: 61_000, count: 4_536 };

const grantSchema = z.looseObject({
  port: z.int().min(1).max(65_535),
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
});

/** Those of one server. */
export function createGrants(server: string, store: GrantStore): Grants {
  const none: Grant = { port: choosePort(server) };
  const load = (): Grant => {
    const found = grantSchema.safeParse(loadAll(store)[server]);
    return found.success ? (found.data as Grant) : none;
  };
  return {
    load,
    change: (part) => store.save(JSON.stringify({ ...loadAll(store), [server]: { ...load(), ...part } })),
    inTurn: store.inTurn,
  };
}

/** A text that cannot be understood is worth no more than none: its owner is asked anew. */
function loadAll(store: GrantStore): Record<string, unknown> {
  const text = store.load() ?? '{}';
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The same in each process: of two that ask the same owner at once, the second sees that it does. */
function choosePort(server: string): number {
  return ports.first + (createHash('sha256').update(server).digest().readUInt32BE() % ports.count);
}
