// Item 5: how fast a site catches up with a chain, from nothing and after an absence.
import type { Figure } from './figure.ts';
import { waitFor } from './site.ts';
import { postMany, type Stage } from './stage.ts';
import { readResidentMegabytes } from './usage.ts';

export async function measureSync(stage: Stage): Promise<Figure[]> {
  const { chainTasks, laterTasks } = stage.sizes;
  const chain = await stage.busyChain();
  const dataDir = stage.folder('sync');
  const startedAt = performance.now();
  const first = await stage.site(chain, dataDir);
  await waitFor(async () => (await readHealth(first.url)).history?.complete === true, 20);
  const historySeconds = (performance.now() - startedAt) / 1_000;
  const resident = readResidentMegabytes(first.pid);
  await first.close();

  const before = await chain.readHead();
  await postMany(chain, laterTasks);
  const { number: head } = await chain.readHead();
  const returnedAt = performance.now();
  const second = await stage.site(chain, dataDir);
  await waitFor(async () => (await readHealth(second.url)).block >= head);
  const catchUpSeconds = (performance.now() - returnedAt) / 1_000;
  await second.close();
  const name = `${chainTasks.toLocaleString('en')} tasks from nothing`;
  const later = `${laterTasks.toLocaleString('en')} tasks in ${head - before.number} blocks after an absence`;
  return [
    { name: `${name}: process start to first answer`, value: first.secondsToAnswer, unit: 'seconds' },
    { name: `${name}: tasks, start included`, value: chainTasks / first.secondsToAnswer, unit: 'perSecond' },
    { name: `${name}: texts and history complete`, value: historySeconds, unit: 'seconds' },
    { name: `${name}: resident`, value: resident, unit: 'megabytes' },
    { name: `${later}: process start to caught up`, value: catchUpSeconds, unit: 'seconds' },
    { name: `${later}: tasks, start included`, value: laterTasks / catchUpSeconds, unit: 'perSecond' },
  ];
}

type Health = { readonly block: number; readonly history?: { readonly complete: boolean } };

async function readHealth(url: string): Promise<Health> {
  return (await (await fetch(`${url}/health`)).json()) as Health;
}
