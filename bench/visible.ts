// Item 6: how long after a block is mined its task is in the API.
import type { Figure } from './figure.ts';
import { buildPostTransaction } from './posts.ts';
import { waitFor } from './site.ts';
import type { Stage } from './stage.ts';
import { median, quantile } from './statistics.ts';
import { taskPath } from './taskDetail.ts';

export async function measureVisible(stage: Stage): Promise<Figure[]> {
  const chain = await stage.busyChain();
  const site = await stage.site(chain, stage.folder('visible'));
  const { time } = await chain.readHead();
  const milliseconds: number[] = [];
  await chain.holdBlocks(true);
  for (let round = 0; round < stage.sizes.visible; round++) {
    const number = (await chain.readTaskCount()) + 1n;
    await chain.submit(buildPostTransaction(chain.deployment, round, time));
    // From before the block is mined, so mining it is counted as well: what is told is never less than the truth.
    const startedAt = performance.now();
    await chain.mine();
    await waitFor(async () => (await fetch(`${site.url}${taskPath}${number}`)).status === 200, 1);
    milliseconds.push(performance.now() - startedAt);
  }
  await chain.holdBlocks(false);
  await site.close();
  return [
    { name: 'block mined to answered: median', value: median(milliseconds), unit: 'milliseconds' },
    {
      name: 'block mined to answered: 99 of 100',
      value: quantile(milliseconds, 0.99),
      unit: 'milliseconds',
      atMost: 300,
    },
  ];
}
