// `svc work`: what waits for a wallet, its turn first. With its key also what only the wallet may see.
import type { ConcernList } from '@svc/sdk';
import { createMailboxClient } from '@svc/sdk/client';
import { type Address, isSameAddress, type Market, markets, parseAddress, toText } from '@svc/sdk/domain';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { toShown } from '@svc/sdk/internal/domain/text';
import { listTodo } from '@svc/sdk/internal/rules/todo';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createSiteClient } from '../app/connect.ts';
import type { Config } from '../config.ts';
import { readAccount } from './negotiation.ts';
import { defineRun, flag, text, type Usage } from './options.ts';

export const usage = {
  command: 'work',
  synopsis: ['[options]'],
  about:
    'Lists the tasks in which a wallet has a part, on both markets: as poster, worker, payer of a dispute bond, proposed arbitrator or arbitrator. What waits for the wallet comes first, with the time it has and what happens afterwards. With PRIVATE_KEY of this wallet it signs in at the gateway of SVC_GATEWAY_URL, which also lists proposals, offers to answer or to sign, changes that were asked for, and requests of its tools.',
  options: {
    address: text('<address>', 'the wallet; default: that of PRIVATE_KEY', parseAddress),
    all: flag('also what waits for others and what is finished'),
  },
  json: 'print one line of JSON: the first page of each market, as the API answers; with the key also todo, the first page of each list of the gateway',
  examples: ['svc work', 'svc work --address 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65 --all'],
} as const satisfies Usage;

type Concern = ConcernList['concerns'][number];
type Todo = ReturnType<typeof listTodo>[number];
type List = Pick<ConcernList, 'counts' | 'nextCursor'> & {
  readonly market: Market | 'none';
  readonly todo: readonly Todo[];
};

export const run = defineRun(usage, async ({ values }, config) => {
  const address: Address = values.address ?? readAccount(config).address;
  const site = createSiteClient(config.siteUrl);
  const readChainId = async () => (await site.siteConfig()).chainId;
  const [pages, lists] = await Promise.all([
    Promise.all(
      markets.map(async (market) => ({ market, page: await site.concerns(address, { market, limit: 100 }) })),
    ),
    readLists(address, config, readChainId),
  ]);
  if (values.json) {
    const todo = lists && Object.fromEntries(lists.map(({ market, ...list }) => [market, list]));
    const json = Object.fromEntries(pages.map(({ market, page }) => [market, page]));
    // Amounts of sentences are texts, as in the replies of the API.
    const write = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    console.log(JSON.stringify({ ...json, ...(todo && { todo }) }, write));
    return;
  }
  const open = pages.map(({ market, page }) => ({ ...page, market, todo: listTodo(page, address, 0) }));
  console.log(describeWork(address, lists ?? open, values.all, lists !== null));
});

/** What the gateway lists for the wallet; null without its key, or where no gateway answers. */
async function readLists(address: Address, config: Config, chainId: () => Promise<number>) {
  const wallet: PrivateKeyAccount | null = config.privateKey === undefined ? null : readAccount(config);
  if (wallet === null || !isSameAddress(wallet.address, address)) return null;
  const client = createMailboxClient({ baseUrl: config.gatewayUrl, wallet, chainId });
  try {
    const names = [...markets, 'none'] as const;
    return await Promise.all(
      names.map(
        async (market): Promise<List> => ({ market, ...(await client.todo({ market, limit: 100 })) }),
      ),
    );
  } catch (error) {
    if (isErrorOf(error, 'API_UNREACHABLE')) return null;
    throw error;
  } finally {
    // An open session could be stolen.
    await client.close().catch(() => undefined);
  }
}

const signInFirst =
  'Sign in to see the rest: proposals, offers to sign, changes that were asked for, and requests of your tools. Set PRIVATE_KEY of this wallet, and SVC_GATEWAY_URL.';

export function describeWork(
  address: Address,
  lists: readonly List[],
  isAll: boolean,
  isSignedIn: boolean,
): string {
  const isShown = ({ turn }: Todo) => isAll || turn === 'mine' || turn === 'anyone';
  // Counting ends at 100 in each list.
  const sum = (turn: keyof ConcernList['counts']) =>
    lists.reduce((total, { counts }) => total + counts[turn], 0) +
    (lists.some(({ counts }) => counts[turn] === 100) ? '+' : '');
  const head = `${address}: ${sum('mine')} wait for you, ${sum('anyone')} ran out of time, ${sum('theirs')} wait for others, ${sum('nobody')} finished`;
  const path = isSignedIn ? '/v1/todo' : '/api/market/concerns';
  const more = lists.flatMap(({ market, nextCursor }) =>
    nextCursor === null ? [] : [`More: ${path}?address=${address}&market=${market}&cursor=${nextCursor}`],
  );
  const rows = lists.flatMap(({ todo }) => todo.filter(isShown));
  const lines = rows.flatMap((row) => ['', ...describeRow(row)]);
  return [head, ...lines, ...more, ...(isSignedIn ? [] : ['', signInFirst])].join('\n');
}

function describeRow({ about, isPrivate, turn, says, due, silence, task }: Todo): string[] {
  if (task !== null && !isPrivate) return describeConcern(task);
  const lines = [`${about.kind} ${about.id}`, `  ${turn === 'mine' ? 'your turn' : 'now'}  ${toText(says)}`];
  if (due !== null) lines.push(`  until  ${formatMoment(due)}. ${toText(silence ?? [])}`);
  return lines;
}

function describeConcern(concern: Concern): string[] {
  const { turn, until, afterwards, actions, atStake, moved } = concern;
  const name = concern.isPrivate ? 'private task' : toShown(concern.title ?? 'no title');
  const stakes = atStake.map(({ kind, token, amount }) => `${amount} ${token} ${kind}`).join(', ');
  const lines = [`${concern.taskId}  ${name}`, `  you are  ${concern.roles.join(', ')}`];
  lines.push(turn === 'mine' ? `  your turn  ${concern.phase}` : `  now  ${concern.sentence}`);
  if (until !== null) lines.push(`  until  ${formatMoment(until)}. ${afterwards ?? ''}`);
  const money = moved.map(({ kind, amount }) => `${amount} TOK ${kind}`).join(', ');
  if (money !== '') lines.push(`  money  ${money}`);
  if (stakes !== '') lines.push(`  at stake  ${stakes}`);
  if (turn !== 'nobody' && actions.length > 0) lines.push(`  actions  ${actions.join(', ')}`);
  return lines;
}
