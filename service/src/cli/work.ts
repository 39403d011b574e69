// `svc work`: what concerns a wallet, its turn first.
import type { ConcernList } from '@svc/sdk';
import { type Address, type Market, markets, parseAddress } from '@svc/sdk/domain';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { toShown } from '@svc/sdk/internal/domain/text';
import { createSiteClient } from '../app/connect.ts';
import { readAccount } from './negotiation.ts';
import { defineRun, flag, text, type Usage } from './options.ts';

export const usage = {
  command: 'work',
  synopsis: ['[options]'],
  about:
    'Lists the tasks in which a wallet has a part, on both markets: as poster, worker, payer of a dispute bond, proposed arbitrator or arbitrator. What waits for the wallet comes first, with the time it has and what happens afterwards.',
  options: {
    address: text('<address>', 'the wallet; default: that of PRIVATE_KEY', parseAddress),
    all: flag('also what waits for others and what is finished'),
  },
  json: 'print one line of JSON: the first page of each market, as the API answers',
  examples: ['svc work', 'svc work --address 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65 --all'],
} as const satisfies Usage;

type Page = { readonly market: Market; readonly page: ConcernList };
type Concern = ConcernList['concerns'][number];

export const run = defineRun(usage, async ({ values }, config) => {
  const address: Address = values.address ?? readAccount(config).address;
  const site = createSiteClient(config.siteUrl);
  const pages = await Promise.all(
    markets.map(async (market) => ({ market, page: await site.concerns(address, { market, limit: 100 }) })),
  );
  const json = Object.fromEntries(pages.map(({ market, page }) => [market, page]));
  console.log(values.json ? JSON.stringify(json) : describeWork(address, pages, values.all));
});

export function describeWork(address: Address, pages: readonly Page[], isAll: boolean): string {
  const isShown = ({ turn }: Concern) => isAll || turn === 'mine' || turn === 'anyone';
  const shown = pages.flatMap(({ page }) => page.concerns.filter(isShown));
  // Counting ends at 100 in each market.
  const sum = (turn: keyof ConcernList['counts']) =>
    pages.reduce((total, { page }) => total + page.counts[turn], 0) +
    (pages.some(({ page }) => page.counts[turn] === 100) ? '+' : '');
  const head = `${address}: ${sum('mine')} wait for you, ${sum('anyone')} ran out of time, ${sum('theirs')} wait for others, ${sum('nobody')} finished`;
  const more = pages.flatMap(({ market, page: { nextCursor } }) =>
    nextCursor === null
      ? []
      : [`More: /api/market/concerns?address=${address}&market=${market}&cursor=${nextCursor}`],
  );
  const lines = shown.flatMap((concern) => ['', ...describeConcern(concern)]);
  return [head, ...lines, ...more].join('\n');
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
