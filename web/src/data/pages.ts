// What the server that sent this page says: whether the gateway answers here, or where it does, and the price of TOK.
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';

const schema = z.object({
  isGateway: z.boolean(),
  gatewayUrl: z.string().nullable(),
  tokUsdPrice: z.number().nullable(),
  walletConnectProjectId: z.string().nullable(),
});

export function usePagesInfo() {
  return useQuery({
    queryKey: ['pages'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => schema.parse(await (await fetch('/pages.json', { signal })).json()),
  });
}

/** USD for one TOK, for the approximate figures in grey; null where the market has none. */
export function usePrice(): number | null {
  return usePagesInfo().data?.tokUsdPrice ?? null;
}
