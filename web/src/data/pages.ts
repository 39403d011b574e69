// What the server that sent this page says of itself: whether the gateway answers here, or where it does.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';

const schema = z.object({
  isGateway: z.boolean(),
  gatewayUrl: z.string().nullable(),
});

export type PagesInfo = z.infer<typeof schema>;

export function usePagesInfo() {
  return useQuery({
    queryKey: ['pages'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => schema.parse(await (await fetch('/pages.json', { signal })).json()),
  });
}
