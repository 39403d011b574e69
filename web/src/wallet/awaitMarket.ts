// Waits until the market's answers show a block.

const pollMs = 300;
const polls = 100;

/** False where they do not yet: a service that is behind is no failure of the transaction. */
export async function awaitMarket(
  block: bigint,
  readBlock: () => Promise<number>,
  pauseMs = pollMs,
): Promise<boolean> {
  for (let poll = 0; poll < polls; poll++) {
    const height = await readBlock().catch(() => -1);
    if (BigInt(height) >= block) return true;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
}
