// The price of TOK in USD, for the approximate figures in grey; null where the market has none.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';

const schema = z.object({ tokUsdPrice: z.number() });

export function usePrice(): number | null {
  const { data = null } = useQuery({
    queryKey: ['price'],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      const response = await fetch('/api/posting/tok-preview?tier=basic', { signal });
      const parsed = schema.safeParse(await response.json().catch(() => null));
      return parsed.success && parsed.data.tokUsdPrice > 0 ? parsed.data.tokUsdPrice : null;
    },
  });
  return data;
}
