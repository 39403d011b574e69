// Keys of encrypted files, from the messages that the connected wallet sent or received.
import { useMemo } from 'react';
import { useMailbox } from './messaging.ts';
import { useSession } from './useSession.tsx';

/** By the hash of the sealed bytes; empty without a session. */
export function useFileKeys(isNeeded: boolean): Readonly<Record<string, string>> {
  const { token } = useSession();
  const { data } = useMailbox(isNeeded ? token : null);
  return useMemo(() => {
    const entries = (data?.transcripts ?? []).flatMap(({ entries, aside }) => [...entries, ...aside]);
    return Object.assign({}, ...entries.map(({ envelope }) => readKeys(envelope.payload.keys)));
  }, [data]);
}

function readKeys(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(([hash, key]) => /^[0-9a-f]{64}$/.test(hash) && typeof key === 'string'),
  ) as Record<string, string>;
}
