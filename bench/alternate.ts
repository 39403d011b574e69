// Two servers that do the same work in turns: ours and a bare one, each in its own process.
import { alternate, type Round } from './compare.ts';
import type { Figure } from './figure.ts';
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

/** The work of one round: an item each, a few at once. */
export type Work<Item> = (server: Contender, item: Item) => Promise<void>;

/** Each list of items is one round. */
export function compareRounds<Item>(
  { svc, bare }: Contenders,
  rounds: readonly (readonly Item[])[],
  work: Work<Item>,
  atOnce: number,
) {
  return alternate(rounds.length, (who, at) =>
    runRound(who === 'subject' ? svc : bare, rounds[at] ?? [], work, atOnce),
  );
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

/** How many a second, of which an item has `each`, and the ratios to the bare server, which `baseline` describes. */
export function describeRounds(
  name: string,
  baseline: string,
  seen: Awaited<ReturnType<typeof compareRounds>>,
  each = 1,
): Figure[] {
  return [
    { name, value: each * seen.subjectPerSecond, unit: 'perSecond' },
    { name: `${name}, per second of CPU time`, value: each / seen.subjectCpuEach, unit: 'perSecond' },
    { name: `${name}, ratio to ${baseline}`, value: seen.ratio, unit: 'ratio' },
    { name: `${name}, ratio by CPU time`, value: seen.cpuRatio, unit: 'ratio' },
  ];
}
