// Follows tasks and mailboxes that clients have subscribed to, and reports each change by the address of its resource.
import { type Address, parseAddress } from '@svc/sdk/domain';

/** Yields once for each change, until the signal aborts. Nothing reads what is yielded. */
export type FollowSources = {
  readonly task: (taskId: string, signal: AbortSignal) => AsyncIterable<unknown>;
  readonly inbox: (address: Address, signal: AbortSignal) => AsyncIterable<unknown>;
};

export type Follower = ReturnType<typeof createFollower>;

/** Each followed address holds a connection to the market. */
const maxFollowed = 50;

const taskShape = /^svc:\/\/task\/(standard|micro)\/([1-9][0-9]{0,19})$/;
const inboxShape = /^svc:\/\/inbox\/(0x[0-9a-fA-F]{40})$/;

export function createFollower(sources: FollowSources, onError: (uri: string, error: unknown) => void) {
  const followed = new Map<string, AbortController>();
  const listeners = new Set<(uri: string) => void>();

  function open(uri: string, signal: AbortSignal): AsyncIterable<unknown> | null {
    const [, market, number] = taskShape.exec(uri) ?? [];
    if (market !== undefined) return sources.task(`v2:${market}:${number}`, signal);
    const [, address] = inboxShape.exec(uri) ?? [];
    return address === undefined ? null : sources.inbox(parseAddress(address), signal);
  }

  async function run(uri: string, changes: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
    try {
      for await (const _ of changes) for (const listener of listeners) listener(uri);
    } catch (error) {
      if (signal.aborted) return;
      onError(uri, error);
      // Nothing more will come; a client that reads the resource now learns why.
      for (const listener of listeners) listener(uri);
    } finally {
      if (followed.get(uri)?.signal === signal) followed.delete(uri);
    }
  }

  function close(): void {
    for (const stop of followed.values()) stop.abort();
    followed.clear();
  }

  return {
    /** False for an address that cannot be followed, and where too many are followed already. */
    follow: (uri: string): boolean => {
      if (followed.has(uri)) return true;
      if (followed.size >= maxFollowed) return false;
      const stop = new AbortController();
      const changes = open(uri, stop.signal);
      if (changes === null) return false;
      followed.set(uri, stop);
      void run(uri, changes, stop.signal);
      return true;
    },
    unfollow: (uri: string): void => {
      followed.get(uri)?.abort();
      followed.delete(uri);
    },
    /** Returns a function that ends it. With the last listener all following ends. */
    onUpdate: (listener: (uri: string) => void): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    close,
  };
}
