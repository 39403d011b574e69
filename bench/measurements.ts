// The measurements of `npm run bench` and `npm run bench:scale`.
import { measureBounded } from './bounded.ts';
import type { Figure } from './figure.ts';
import { measureSync, measureVisible } from './freshness.ts';
import { measureOpenList, measurePace, measureTaskDetail } from './reads.ts';
import { measureRelay } from './relay.ts';
import { measureReplicas } from './replicas.ts';
import { measureScale } from './scale.ts';
import { measureSearch } from './search.ts';
import type { Setup } from './setup.ts';
import { measureTools } from './tools.ts';

export type Measurement = {
  readonly name: string;
  readonly run: (setup: Setup) => Promise<Figure[]>;
};

export const measurements = {
  bench: [
    { name: 'open', run: measureOpenList },
    { name: 'task', run: measureTaskDetail },
    { name: 'pace', run: measurePace },
    { name: 'sync', run: measureSync },
    { name: 'visible', run: measureVisible },
    { name: 'tools', run: measureTools },
    { name: 'relay', run: measureRelay },
    { name: 'replicas', run: measureReplicas },
    { name: 'bounded', run: measureBounded },
  ],
  scale: [
    { name: 'scale', run: measureScale },
    { name: 'search', run: measureSearch },
  ],
} as const satisfies Record<string, readonly Measurement[]>;
