// Random chains and forks, as fast-check makes and shrinks them.
import fc from 'fast-check';
import { markets } from '#sdk/domain/market.ts';
import type { ChainStep, FakeChain } from './fakeChain.ts';

/** What the chain, or the follower, does next. */
export type Move =
  | { readonly kind: 'mine'; readonly blocks: readonly (readonly ChainStep[])[] }
  | { readonly kind: 'fork'; readonly depth: number; readonly blocks: readonly (readonly ChainStep[])[] }
  | { readonly kind: 'head' | 'background' };

const market = fc.constantFrom(...markets);

const step: fc.Arbitrary<ChainStep> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      market,
      poster: fc.integer({ min: 1, max: 4 }),
      isPrivate: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('claim', 'deliver', 'complete', 'relist', 'dispute'),
      market,
      task: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

const blocks = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 6 });

export const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('fork' as const),
        depth: fc.integer({ min: 1, max: 12 }),
        blocks,
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('head' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('background' as const) }) },
  ),
  { minLength: 1, maxLength: 30 },
);

/** Only what the chain does; the follower's moves are left to the caller. */
export function play(chain: FakeChain, move: Move): void {
  if (move.kind !== 'mine' && move.kind !== 'fork') return;
  if (move.kind === 'fork') chain.revert(move.depth);
  for (const steps of move.blocks) chain.mine(steps);
}
