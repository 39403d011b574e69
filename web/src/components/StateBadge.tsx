// A task's state as a word, a shape and a colour.
import type { TaskState } from '@svc/sdk/domain';

type Tone = 'act' | 'time' | 'risk' | 'done';

const states: Readonly<Record<TaskState, { readonly word: string; readonly tone: Tone }>> = {
  POSTED: { word: 'Open', tone: 'act' },
  CLAIMED: { word: 'Claimed', tone: 'time' },
  ACTIVE: { word: 'In work', tone: 'time' },
  DELIVERED: { word: 'In review', tone: 'time' },
  DISPUTED: { word: 'Disputed', tone: 'risk' },
  COMPLETED: { word: 'Completed', tone: 'done' },
  RESOLVED: { word: 'Resolved', tone: 'done' },
  CANCELLED: { word: 'Cancelled', tone: 'done' },
};

const shapes: Readonly<Record<TaskState, string>> = {
  POSTED: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8Z',
  CLAIMED: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6v6.8a3.4 3.4 0 0 1 0-6.8Z',
  ACTIVE: 'M3 1.5 10.5 6 3 10.5Z',
  DELIVERED: 'M6 .8 11.2 6 6 11.2.8 6Z',
  DISPUTED: 'M6 1 11.5 11H.5Z',
  COMPLETED: 'm4.6 10.4-4-4 1.6-1.6 2.4 2.4L9.8 2l1.6 1.6Z',
  RESOLVED: 'M1 2.5h10v2.4H1Zm0 4.6h10v2.4H1Z',
  CANCELLED: 'm2.3.9 3.7 3.7L9.7.9l1.4 1.4L7.4 6l3.7 3.7-1.4 1.4L6 7.4 2.3 11.1.9 9.7 4.6 6 .9 2.3Z',
};

/** The word for a state. */
export function stateWord(state: TaskState): string {
  return states[state].word;
}

export function StateBadge({ state }: { readonly state: TaskState }) {
  const { word, tone } = states[state];
  return (
    <span className="state" data-tone={tone}>
      <svg viewBox="0 0 12 12" fill="currentColor" aria-hidden="true">
        <path d={shapes[state]} fillRule="evenodd" />
      </svg>
      {word}
    </span>
  );
}
