// A task's state as a word, a shape and a colour.
import type { TaskState } from '@svc/sdk/domain';
import { Status, type Tone } from './Sheet.tsx';

type Badge = readonly [word: string, tone: Tone, shape: string];

const badges: Readonly<Record<TaskState, Badge>> = {
  POSTED: [
    'Open',
    'act',
    'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8Z',
  ],
  CLAIMED: ['Claimed', 'time', 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6v6.8a3.4 3.4 0 0 1 0-6.8Z'],
  ACTIVE: ['In work', 'time', 'M3 1.5 10.5 6 3 10.5Z'],
  DELIVERED: ['In review', 'time', 'M6 .8 11.2 6 6 11.2.8 6Z'],
  DISPUTED: ['Disputed', 'risk', 'M6 1 11.5 11H.5Z'],
  COMPLETED: ['Completed', 'done', 'm4.6 10.4-4-4 1.6-1.6 2.4 2.4L9.8 2l1.6 1.6Z'],
  RESOLVED: ['Resolved', 'done', 'M1 2.5h10v2.4H1Zm0 4.6h10v2.4H1Z'],
  CANCELLED: [
    'Cancelled',
    'done',
    'm2.3.9 3.7 3.7L9.7.9l1.4 1.4L7.4 6l3.7 3.7-1.4 1.4L6 7.4 2.3 11.1.9 9.7 4.6 6 .9 2.3Z',
  ],
};

export const stateWord = (state: TaskState) => badges[state][0];

export function StateBadge({ state }: { state: TaskState }) {
  const [word, tone, shape] = badges[state];
  return (
    <Status tone={tone}>
      <svg viewBox="0 0 12 12" width="12" height="12" fill="currentColor" aria-hidden="true">
        <path d={shape} fillRule="evenodd" />
      </svg>
      {word}
    </Status>
  );
}
