// Measures an upgrade that renders tasks differently: a start on rows that another version rendered.
import { join } from 'node:path';
import type { Database } from '#service/store/database.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import type { Figure } from './figure.ts';
import { taskPath } from './reads.ts';
import type { Setup } from './setup.ts';
import { waitFor } from './site.ts';
import { fillStore } from './storedTasks.ts';

const staleText = '"rendered":"before"';
const checkedTasks = 500;

export async function measureRendering(setup: Setup): Promise<Figure[]> {
  const { stored } = setup.sizes;
  setup.say(`storing ${stored.toLocaleString('en')} tasks of another version`);
  const chain = await setup.chain();
  await chain.setPace('still');
  const dataDir = setup.folder('rendering');
  await fillStore(chain, dataDir, { from: 1, to: stored });
  const database = createSqliteDatabase(join(dataDir, 'svc.sqlite'));
  try {
    await database.write(
      `UPDATE tasks SET rendering = '', record = '{${staleText}}', open_record = '{${staleText}}'`,
    );
    await database.write('UPDATE chain SET rendering = NULL');
    const site = await setup.site(chain, dataDir);
    const startedAt = performance.now();
    const paths = Array.from(
      { length: checkedTasks },
      (_, at) => taskPath + (1 + Math.floor((at * stored) / checkedTasks)),
    );
    for (const path of ['/api/market/open?limit=100', '/api/market/recent?limit=100', ...paths]) {
      const text = await (await fetch(site.url + path)).text();
      if (text.includes(staleText)) throw new Error(`${path} shows a text of another version`);
    }
    await chain.setPace('live');
    await waitFor(async () => isRendered(database), 100);
    const seconds = (performance.now() - startedAt) / 1_000;
    await site.close();
    const name = `${stored.toLocaleString('en')} stored, rendered by another version`;
    return [
      { name: `${name}: restart to first answer`, value: site.secondsToAnswer, unit: 'seconds', atMost: 2 },
      { name: `${name}: until all are stored again`, value: seconds, unit: 'seconds' },
    ];
  } finally {
    await database.close();
  }
}

async function isRendered(database: Database): Promise<boolean> {
  const [chain] = await database.query<{ rendering: string | null }>('SELECT rendering FROM chain');
  return chain?.rendering != null;
}
