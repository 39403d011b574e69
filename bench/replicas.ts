// How many messages three gateways accept on one PostgreSQL, beside one: a commit takes 20 ms, as with a standby that confirms it.
import { startPostgres } from '../test/support/postgres.ts';
import { alternate } from './compare.ts';
import type { Figure } from './figure.ts';
import { nextMessage, startBundled, stopProcess } from './processes.ts';
import { sendTalk, writeTalks } from './relay.ts';
import type { Setup } from './setup.ts';

const rounds = 3;
const replicas = 3;
/** PostgreSQL waits before it writes, however few others write; without `fsync` it would not. */
const slowCommits = ['fsync=on', 'commit_delay=20000', 'commit_siblings=0'];

export async function measureReplicas({ sizes }: Setup): Promise<Figure[]> {
  const postgres = await startPostgres(slowCommits);
  const children: Awaited<ReturnType<typeof startBundled>>[] = [];
  try {
    const DATABASE_URL = await postgres.createDatabase();
    const urls: string[] = [];
    // One after the other: the first one creates the tables.
    while (urls.length < replicas) {
      const child = await startBundled('dist/relayProcess.js', {
        place: 'anywhere',
        args: ['svc'],
        env: { DATABASE_URL },
      });
      children.push(child);
      urls.push(`http://127.0.0.1:${(await nextMessage<{ port: number }>(child)).port}`);
    }
    const accept = async (gateways: readonly string[]) => {
      const talks = (await writeTalks(gateways.length * sizes.talks)).values();
      const startedAt = performance.now();
      let accepted = 0;
      const send = async (url: string) => {
        for (const talk of talks) {
          await sendTalk(url, talk);
          accepted += talk.length;
        }
      };
      // One message at a time at each: commits are the limit then, and not the processor that all of them share here.
      await Promise.all(gateways.map(send));
      return { perSecond: accepted / ((performance.now() - startedAt) / 1_000), cpuEach: Number.NaN };
    };
    await accept(urls);
    const seen = await alternate(rounds, (who) => accept(who === 'subject' ? urls : urls.slice(0, 1)));
    const name = 'relay on PostgreSQL whose commits take 20 ms: messages accepted by';
    return [
      { name: `${name} one gateway`, value: seen.baselinePerSecond, unit: 'perSecond' },
      { name: `${name} three gateways`, value: seen.subjectPerSecond, unit: 'perSecond' },
      { name: `${name} three gateways, ratio to one`, value: seen.ratio, unit: 'ratio', atLeast: 2.2 },
    ];
  } finally {
    await Promise.all(children.map(stopProcess));
    await postgres.remove();
  }
}
