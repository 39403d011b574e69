// The status line: which block the page shows, or why it shows an old one.
import { useQuery } from '@tanstack/react-query';
import { client } from '../data/client.ts';
import { showDuration } from '../data/format.ts';

export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    refetchInterval: 4_000,
    retry: false,
    // Asked without a connection as well: that it fails is the news.
    networkMode: 'always',
    queryFn: ({ signal }) => client.health({ signal }),
  });
}

export function Pulse() {
  const { data, isError, isPending } = useHealth();
  if (isPending) return <span className="pulse">Connecting…</span>;
  if (isError || data === undefined) {
    return (
      <span className="pulse" data-is="away" role="status">
        The service does not answer; trying again
      </span>
    );
  }
  if (data.status === 'degraded') {
    return (
      <span className="pulse" data-is="late" role="status">
        Block {data.block.toLocaleString('en-US')}, {showDuration(data.blockAgeSeconds)} old
      </span>
    );
  }
  return <span className="pulse">Live, block {data.block.toLocaleString('en-US')}</span>;
}
