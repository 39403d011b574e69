// The tool that lists what concerns a wallet: whose turn it is in each of its tasks, until when, and what silence does.
import type { ConcernList } from '@svc/sdk';
import { markets, SvcError } from '@svc/sdk/domain';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { concernRoles, stakeNames } from '@svc/sdk/internal/domain/concernNames';
import { moveSigns } from '@svc/sdk/internal/domain/moveKinds';
import { routes } from '@svc/sdk/internal/schemas/routes';
import * as z from 'zod';
import { addressArgument, defineTool, type Tool } from './tool.ts';
import { titleWarning } from './untrusted.ts';

const { schema: concernListSchema } = routes.concerns.reply;

const concernSchema = concernListSchema.shape.concerns.element
  .omit({ title: true, isPrivate: true, by: true, sentence: true, updatedAt: true })
  .extend({
    atStake: z.array(z.string()),
    moved: z.array(z.string()).describe('what it paid to the wallet or took from it, once it is over'),
    untrustedTitle: z.string().optional(),
  });

const partSchema = concernListSchema
  .pick({ counts: true, nextCursor: true })
  .extend({ market: z.enum(markets), concerns: z.array(concernSchema) });

export const myWorkTool: Tool = defineTool({
  name: 'svc_my_work',
  title: 'What concerns my wallet',
  description:
    'Every task in which a wallet is poster, worker, payer of a dispute bond, proposed arbitrator or arbitrator, private ones ' +
    'included: its turn first, with the actions, the deadline, what silence does and what is at stake. Start here after a ' +
    'break, then svc_get_task and svc_task_next_steps.',
  input: z.object({
    address: addressArgument,
    market: z.enum(markets).optional().describe('default: both'),
    role: z.enum(concernRoles).optional(),
    limit: z.int().min(1).max(50).default(10).describe('of each market'),
    cursor: z.string().optional().describe('nextCursor of a market; name the market too'),
  }),
  output: z.object({ summary: z.string(), markets: z.array(partSchema), warning: z.string() }),
  run: async ({ address, market: only, ...query }, { market: reads }) => {
    if (query.cursor !== undefined && only === undefined)
      throw new SvcError('USAGE', { reason: 'Give market as well: each market has its own nextCursor.' });
    const pages = await Promise.all(
      (only === undefined ? markets : [only]).map(async (market) => ({
        market,
        page: await reads.concerns(address, { ...query, market }),
      })),
    );
    return {
      summary: summarize(pages.map(({ page }) => page)),
      markets: pages.map(({ market, page: { counts, concerns, nextCursor } }) => ({
        market,
        counts,
        concerns: concerns.map(showConcern),
        nextCursor,
      })),
      warning: titleWarning,
    };
  },
});

function showConcern(concern: ConcernList['concerns'][number]): z.input<typeof concernSchema> {
  const { title, atStake, moved } = concern;
  return concernSchema.parse({
    ...concern,
    atStake: atStake.map(({ kind, token, amount }) => `${amount} ${token} ${stakeNames[kind]}`),
    moved: moved.map(
      ({ kind, amount }) => `${moveSigns[kind] > 0 ? 'received' : 'paid'} ${amount} TOK ${inWords(kind)}`,
    ),
    ...(title !== null && { untrustedTitle: title }),
  });
}

/** Such as `access fee` for `accessFee`. */
const inWords = (kind: string) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const untilOf = ({ until }: ConcernList['concerns'][number]) => until ?? Number.POSITIVE_INFINITY;

function summarize(pages: readonly ConcernList[]): string {
  const needed = pages.flatMap(({ concerns }) => concerns.filter(({ turn }) => turn === 'mine'));
  const count = pages.reduce((sum, { counts }) => sum + counts.mine, 0);
  if (count === 0) return 'Nothing waits for this wallet.';
  const [first] = needed.toSorted((left, right) => untilOf(left) - untilOf(right));
  const end = first?.until == null ? '' : ` until ${formatMoment(first.until)}`;
  const most = first === undefined ? '' : ` Most urgent: ${first.taskId}, ${first.phase}${end}.`;
  return `${count === 1 ? '1 task waits' : `${count} tasks wait`} for this wallet.${most}`;
}
