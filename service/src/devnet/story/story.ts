// The whole story of the seeded market: the last forty days, told in order of how they ended.
import { cancelledTales } from './cancelled.ts';
import { completedTales } from './completed.ts';
import { disputedTales } from './disputed.ts';
import { listedTales } from './listed.ts';
import { resolvedTales } from './resolved.ts';
import type { Tale } from './script.ts';
import { underwayTales } from './underway.ts';

export const storyDays = 40;

export const tales: readonly Tale[] = [
  ...completedTales,
  ...resolvedTales,
  ...cancelledTales,
  ...listedTales,
  ...underwayTales,
  ...disputedTales,
];
