// Tells the demo step by step: who did what, where the task stands, what each wallet has.
import { styleText } from 'node:util';
import type { ActionReads } from '@svc/sdk/actions';
import type { Market } from '@svc/sdk/domain';
import { formatTok } from '@svc/sdk/domain';
import type { Answer, Player } from './player.ts';
import { waitFor } from './waitFor.ts';

export type Told = {
  readonly chapter: (title: string) => void;
  readonly say: (player: Player, what: string) => void;
  /** Once the site shows the task in this state, and so far as `isSeen` wants. */
  readonly show: (
    player: Player,
    what: string,
    taskId: string,
    state: string,
    isSeen?: (task: Answer) => boolean,
  ) => Promise<void>;
  readonly steps: () => number;
};

/** Takes a line of the story. */
export type Tell = (line: string) => void;

export function createTold(
  players: readonly Player[],
  chain: Pick<ActionReads, 'readWallet'>,
  market: Market,
  tell: Tell,
): Told {
  const width = Math.max(...players.map(({ name }) => name.length));
  const indent = ' '.repeat(5);
  const last = new Map<string, bigint>();
  let count = 0;
  const say = ({ name }: Player, what: string) => {
    count++;
    tell(`${String(count).padStart(3)}  ${styleText('cyan', name.padEnd(width))}  ${what}`);
  };
  /** With what has come or gone since it was told before. */
  const tellBalance = async ({ name, address }: Player): Promise<string> => {
    const { tokWei } = await chain.readWallet(market, address);
    const change = tokWei - (last.get(name) ?? tokWei);
    last.set(name, tokWei);
    const sign = change > 0n ? '+' : '';
    const changed = change === 0n ? '' : `${sign}${formatAmount(change)}`;
    return `${name} ${formatAmount(tokWei).padStart(7)} ${changed.padEnd(6)}`;
  };
  return {
    chapter: (title) => tell(`\n${styleText('bold', title)}`),
    say,
    show: async (player, what, taskId, state, isSeen = () => true) => {
      const isThere = (task: Answer) => task.state === state && isSeen(task);
      const task = await waitForTask(player, taskId, isThere);
      const balances = await Promise.all(players.map(tellBalance));
      say(player, what);
      const escrow = formatAmount(BigInt(task.lockedTokWei)).padStart(5);
      const line = `${taskId}  ${state.padEnd(9)}  escrow ${escrow} TOK   ${balances.join('  ')}`;
      tell(styleText('dim', indent + line.trimEnd()));
    },
    steps: () => count,
  };
}

/** In TOK, with thousands apart. */
function formatAmount(wei: bigint): string {
  const [whole = '', ...fraction] = formatTok(wei < 0n ? -wei : wei).split('.');
  const grouped = [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
  return wei < 0n ? `-${grouped}` : grouped;
}

/** The chain has it at once; the site shows it when its follower has read the block. */
async function waitForTask(
  player: Player,
  taskId: string,
  isThere: (task: Answer) => boolean,
): Promise<Answer> {
  return waitFor(`${taskId} in its new state`, async () => {
    const { task } = await player.call('svc_get_task', { taskId });
    return isThere(task) ? task : undefined;
  });
}
