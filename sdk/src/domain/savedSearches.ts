// A saved search in words, for the page of notifications and for notices.
import { markets } from './market.ts';

type Describe = (value: string) => string;

const words: Readonly<Record<string, Describe>> = {
  q: (text) => `“${text}”`,
  tag: (tags) => `tagged ${tags.replaceAll(',', ', ')}`,
  poster: (address) => `by ${address.slice(0, 6)}…${address.slice(-4)}`,
  minAmountUsd: (usd) => `at least $${usd}`,
  maxAmountUsd: (usd) => `at most $${usd}`,
  minAmountTokWei: (wei) => `at least ${Number(wei) / 1e18} TOK`,
  maxAmountTokWei: (wei) => `at most ${Number(wei) / 1e18} TOK`,
  fullyFunded: (is) => (is === 'true' ? 'fully funded' : 'not fully funded'),
};

/** The parameters of a list that a search keeps; an order and a moment are none of them. */
const taskNames = ['market', ...Object.keys(words)];
const listingNames = ['market', 'view', 'q', 'tag', 'poster'];

/** Whether it looks for listings that want proposals, as the board does under this name. */
export function isOfListings(query: string): boolean {
  return new URLSearchParams(query).get('view') === 'wanted';
}

/** `market=standard&tag=audio` becomes `standard tasks, tagged audio`. */
export function describeSearch(query: string): string {
  const params = new URLSearchParams(query);
  const filters = Object.entries(words).flatMap(([name, describe]) => {
    const value = params.get(name);
    return value === null ? [] : [describe(value)];
  });
  const what = isOfListings(query) ? 'tasks that want proposals' : 'tasks';
  return [`${params.get('market') ?? 'standard'} ${what}`, ...filters].join(', ');
}

/** A search names one market: one of both, as links of earlier pages have it, is one for each. */
export function splitSearch(query: string): string[] {
  const params = new URLSearchParams(query);
  if (params.get('market') !== 'both') return [keepSearch(query)];
  return markets.map((market) => {
    params.set('market', market);
    return keepSearch(params.toString());
  });
}

/** The same text for the same search: known parameters in one order. */
export function keepSearch(query: string): string {
  const params = new URLSearchParams(query);
  const names = isOfListings(query) ? listingNames : taskNames;
  const kept = names.flatMap((name) => {
    const value = params.get(name)?.trim();
    return value === undefined || value === '' ? [] : [[name, value] as [string, string]];
  });
  return new URLSearchParams(params.has('market') ? kept : [['market', 'standard'], ...kept]).toString();
}

/** The names that the board has for the parameters of a list. */
const boardNames: Readonly<Record<string, string>> = { minAmountUsd: 'minUsd', maxAmountUsd: 'maxUsd' };

/** The same search as a view of the board. */
export function toBoardQuery(query: string): string {
  const shown = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'fullyFunded') shown.set('funding', value === 'true' ? 'full' : 'open');
    else if (name.endsWith('TokWei')) shown.set(name.slice(0, 3), String(Number(value) / 1e18));
    else shown.set(boardNames[name] ?? name, value);
  }
  return shown.toString();
}
