// What an audit reads of the site, with the block and the time that each answer says it shows.

import type { Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { ApiPage, ApiRecord } from '#market/audit.ts';

export function createAuditedSite(baseUrl: string) {
  async function get(path: string, query: Record<string, string>): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`).catch((error: Error) => {
      throw new SvcError('SITE_UNREADABLE', { url: baseUrl, reason: 'it does not answer' }, error);
    });
    if (response.ok || response.status === 404) return response;
    throw new SvcError('SITE_UNREADABLE', { url: baseUrl, reason: `${path} answers ${response.status}` });
  }

  async function loadList(path: string, market: Market, cursor: string | null): Promise<ApiPage> {
    const response = await get(path, { market, limit: '100', ...(cursor !== null && { cursor }) });
    const body = (await response.json()) as { tasks?: ApiRecord[]; nextCursor?: string | null };
    return { records: body.tasks ?? [], nextCursor: body.nextCursor ?? null, ...readStamp(response) };
  }

  function readStamp({ headers }: Response): Pick<ApiPage, 'block' | 'now'> {
    const [block, age] = [headers.get('svc-block'), Number(headers.get('svc-block-age'))];
    if (block === null) throw new SvcError('SITE_UNREADABLE', { url: baseUrl, reason: 'it names no block' });
    return { block: BigInt(block), now: (blockTime) => blockTime + age };
  }

  async function loadHealth(): Promise<{ block?: number; history?: { complete?: boolean } }> {
    return (await (await get('/health', {})).json()) as object;
  }

  return {
    /** Whether the site says that it has read all logs. */
    hasHistory: async (): Promise<boolean> => (await loadHealth()).history?.complete === true,
    loadRecent: (market: Market, cursor: string | null) => loadList('/api/market/recent', market, cursor),
    loadOpen: (market: Market, cursor: string | null) => loadList('/api/market/open', market, cursor),
    loadTask: async (id: string): Promise<ApiPage> => {
      const response = await get('/api/market/task', { id });
      if (response.status === 404) {
        const { block = 0 } = await loadHealth();
        return { records: [], nextCursor: null, block: BigInt(block), now: (blockTime) => blockTime };
      }
      const { task } = (await response.json()) as { task: ApiRecord };
      return { records: [task], nextCursor: null, ...readStamp(response) };
    },
  };
}
