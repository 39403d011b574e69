// Tells the demo step by step: who did what, where the task stands, what each wallet has.
import { formatTok } from '#domain/amount.ts';
import type { Market } from '#domain/market.ts';
import type { PrepareChain } from '#tools/prepare/needs.ts';
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
  chain: Pick<PrepareChain, 'readWallet'>,
  market: Market,
  tell: Tell,
): Told {
  const width = Math.max(...players.map(({ name }) => name.length));
  let count = 0;
  const say = ({ name }: Player, what: string) => {
    count++;
    tell(`${String(count).padStart(3)}  ${name.padEnd(width)}  ${what}`);
  };
  return {
    chapter: (title) => tell(`\n${title}`),
    say,
    show: async (player, what, taskId, state, isSeen = () => true) => {
      const isThere = (task: Answer) => task.state === state && isSeen(task);
      const task = await waitForTask(player, taskId, isThere);
      const balances = await Promise.all(
        players.map(async ({ name, address }) => {
          const { tokWei } = await chain.readWallet(market, address);
          return `${name} ${formatTok(tokWei)}`;
        }),
      );
      say(player, what);
      const escrow = formatTok(BigInt(task.lockedTokWei));
      tell(`     ${' '.repeat(width)}  ${taskId} ${state}, escrow ${escrow} TOK; ${balances.join(', ')} TOK`);
    },
    steps: () => count,
  };
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
