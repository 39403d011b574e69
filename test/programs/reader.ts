// A reader: shows what a wallet has earned on both markets, again after each change, without a key and without viem.
import { createMarketClient, formatTok, markets } from '@svc/sdk';

export async function watchEarnings(
  url: string,
  wallet: string,
  show: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const market = createMarketClient({ baseUrl: url });
  let shown = '';

  async function read(): Promise<void> {
    const sums = await Promise.all(
      markets.map(async (one) => {
        let earned = 0n;
        let cursor: string | null | undefined;
        do {
          const page = await market.earnings(wallet, { market: one, cursor: cursor ?? undefined, signal });
          for (const { kind, amountTokWei } of page.payments)
            if (kind === 'earned') earned += BigInt(amountTokWei);
          cursor = page.nextCursor;
        } while (cursor !== null);
        return `${formatTok(earned)} TOK on ${one}`;
      }),
    );
    const line = sums.join(', ');
    if (line !== shown) show(line);
    shown = line;
  }

  // The first event is `reset`: nothing is known yet. It comes again where events were missed.
  for await (const event of market.events({ market: 'all', address: wallet, signal })) {
    if (event.type === 'task') show(`${event.task.id} is ${event.task.state}`);
    await read();
  }
}
