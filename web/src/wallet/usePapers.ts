// Documents and file keys of private tasks, from the messages that the connected wallet sent or received.
import {
  collectDocuments,
  collectFileKeys,
  type FileKeys,
  type SignedEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import { useMemo } from 'react';
import { useMailbox } from './messaging.ts';
import { useSession } from './useSession.tsx';

/** Documents by their hash. */
export type Papers = { readonly documents: ReadonlyMap<string, object>; readonly keys: FileKeys };

/** Empty without a session. */
export function usePapers(isNeeded: boolean): { readonly papers: Papers; readonly isLoading: boolean } {
  const { token } = useSession();
  const { data, isLoading } = useMailbox(isNeeded ? token : null);
  const papers = useMemo(() => {
    const transcripts = data?.transcripts ?? [];
    return { documents: collectDocuments(transcripts), keys: collectFileKeys(transcripts) };
  }, [data]);
  return { papers, isLoading };
}

export function messagesOf({ entries, aside }: Transcript): readonly SignedEnvelope[] {
  return [...entries, ...aside];
}
