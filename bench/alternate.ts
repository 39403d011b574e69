// Two servers that do the same work in turns: ours and a bare one, each in its own process.
import { type Figure, median, medianRatio } from './figure.ts';
import { nextMessage, readCpuSeconds, startBundled, stopProcess } from './processes.ts';

export type Kind = 'svc' | 'bare';
export type Contender = { readonly url: string; readonly pid: number };
export type Contenders = Readonly<Record<Kind, Contender>> & { readonly close: () => Promise<void> };

/** `script` is one of the processes in scripts/testBundle.ts; `folderOf` names an empty folder for each of them. */
export async function startContenders(script: string, folderOf: (kind: Kind) => string): Promise<Contenders> {
  const start = async (kind: Kind) => {
    const child = await startBundled(`dist/${script}.js`, { place: 'server', args: [kind, folderOf(kind)] });
    const { port } = await nextMessage<{ port: number }>(child);
    return { child, url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
  };
  const [svc, bare] = [await start('svc'), await start('bare')];
  const close = async () => {
    await Promise.all([svc, bare].map(({ child }) => stopProcess(child)));
  };
  return { svc, bare, close };
}

type Round = { readonly perSecond: number; readonly cpuEach: number };

/** The work of one round: an item each, a few at once. */
export type Work<Item> = (server: Contender, item: Item) => Promise<void>;

/** Each list of items is one round; both servers do it, the bare one first. */
export async function compareRounds<Item>(
  { svc, bare }: Contenders,
  rounds: readonly (readonly Item[])[],
  work: Work<Item>,
  atOnce: number,
) {
  const seen: Record<Kind, Round[]> = { svc: [], bare: [] };
  for (const items of rounds) {
    seen.bare.push(await runRound(bare, items, work, atOnce));
    seen.svc.push(await runRound(svc, items, work, atOnce));
  }
  const pick = (kind: Kind, field: keyof Round) => seen[kind].map((round) => round[field]);
  return {
    perSecond: median(pick('svc', 'perSecond')),
    perCpuSecond: 1 / median(pick('svc', 'cpuEach')),
    ratio: medianRatio(pick('svc', 'perSecond'), pick('bare', 'perSecond')),
    cpuRatio: medianRatio(pick('bare', 'cpuEach'), pick('svc', 'cpuEach')),
  };
}

async function runRound<Item>(
  server: Contender,
  items: readonly Item[],
  work: Work<Item>,
  atOnce: number,
): Promise<Round> {
  const [startedAt, cpuBefore] = [performance.now(), readCpuSeconds(server.pid)];
  const queue = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of queue) await work(server, item);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: items.length / seconds,
    cpuEach: (readCpuSeconds(server.pid) - cpuBefore) / items.length,
  };
}

/** How many a second, and the ratios to the bare server, which `baseline` describes. */
export function describeRounds(
  name: string,
  baseline: string,
  seen: Awaited<ReturnType<typeof compareRounds>>,
): Figure[] {
  return [
    { name, value: seen.perSecond, unit: 'perSecond' },
    { name: `${name}, per second of CPU time`, value: seen.perCpuSecond, unit: 'perSecond' },
    { name: `${name}, ratio to ${baseline}`, value: seen.ratio, unit: 'ratio' },
    { name: `${name}, ratio by CPU time`, value: seen.cpuRatio, unit: 'ratio' },
  ];
}
