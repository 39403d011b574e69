// Profiles that wallets publish at the gateway, and their names, which many parts of a page ask for at once.
import { useQuery } from '@tanstack/react-query';
import { useIsGateway } from './client.ts';
import { loadGateway } from './gateway.ts';

type OwnName = { readonly name: string; readonly looksLike: string | null };

/** Null without one, on a site without a gateway, and until it is known. */
export function useOwnName(address: string): OwnName | null {
  const key = address.toLowerCase();
  const { data } = useQuery<OwnName | null>({
    queryKey: ['own-name', key],
    enabled: useIsGateway(),
    staleTime: 60_000,
    queryFn: () => askName(key),
  });
  return data ?? null;
}

/** As many as the gateway answers at once. */
const maxAtOnce = 50;
const gatherMs = 20;

type Waiting = {
  readonly address: string;
  readonly settle: (names: Promise<ReadonlyMap<string, OwnName>>) => void;
};
let waiting: Waiting[] = [];

/** Names that are asked for in the same moment travel in one request. */
function askName(address: string): Promise<OwnName | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(sendWaiting, gatherMs);
    const settle: Waiting['settle'] = (names) =>
      void names.then((found) => resolve(found.get(address) ?? null), reject);
    waiting.push({ address, settle });
  });
}

function sendWaiting(): void {
  const asked = waiting;
  waiting = [];
  for (let from = 0; from < asked.length; from += maxAtOnce) {
    const part = asked.slice(from, from + maxAtOnce);
    const addresses = [...new Set(part.map(({ address }) => address))];
    const names = loadGateway().then(({ readNames }) => readNames(addresses));
    for (const { settle } of part) settle(names);
  }
}

export const profileKey = (address: string) => ['profile', address.toLowerCase()];

/** What a wallet says about itself, and its records. */
export function useProfile(address: string) {
  return useQuery({
    queryKey: profileKey(address),
    enabled: useIsGateway(),
    queryFn: async ({ signal }) => (await loadGateway()).readProfile(address, signal),
  });
}

export type Profile = NonNullable<ReturnType<typeof useProfile>['data']>;
export type ProfileWords = NonNullable<NonNullable<Profile['profile']>['document']>;
