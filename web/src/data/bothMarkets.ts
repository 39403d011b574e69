// One query over both markets: it has data once both have answered, and an error if one of them failed.
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

export function useBothMarkets<Item>(
  standard: UseQueryResult<readonly Item[]>,
  micro: UseQueryResult<readonly Item[]>,
): UseQueryResult<readonly Item[]> {
  const data = useMemo(
    () => standard.data && micro.data && [...standard.data, ...micro.data],
    [standard.data, micro.data],
  );
  const shown = [standard, micro].find((query) => query.data === undefined && query.isError) ?? standard;
  return { ...shown, data } as UseQueryResult<readonly Item[]>;
}
