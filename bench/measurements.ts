// Everything that `npm run bench` and `npm run bench:scale` measure; a new measurement is a file and a line here.
import type { Figure } from './figure.ts';
import { measureMulticall } from './multicall.ts';
import { measureOpenList } from './openList.ts';
import { measurePosting } from './posting.ts';
import { measureScale } from './scale.ts';
import type { Stage } from './stage.ts';
import { measureSync } from './sync.ts';
import { measureTaskDetail } from './taskDetail.ts';
import { measureTools } from './tools.ts';
import { measureVisible } from './visible.ts';

export type Measurement = {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<Figure[]>;
};

export const measurements = {
  bench: [
    { name: 'open', run: measureOpenList },
    { name: 'task', run: measureTaskDetail },
    { name: 'multicall', run: measureMulticall },
    { name: 'sync', run: measureSync },
    { name: 'visible', run: measureVisible },
    { name: 'posting', run: measurePosting },
    { name: 'tools', run: measureTools },
  ],
  scale: [{ name: 'scale', run: measureScale }],
} as const satisfies Record<string, readonly Measurement[]>;
