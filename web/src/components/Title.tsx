// A task's title as the heading of its page: a very long one is cut after three lines until somebody wants all of it.
import { useState } from 'react';

/** About three lines of a desk. */
const longCharacters = 180;

export function Title({ text }: { readonly text: string }) {
  const [isOpened, setOpened] = useState(false);
  const isLong = text.length > longCharacters;
  return (
    <>
      <h1 dir="auto" className={isLong && !isOpened ? 'cut' : undefined}>
        {text}
      </h1>
      {isLong && (
        <button type="button" className="button" data-is="plain" onClick={() => setOpened(!isOpened)}>
          {isOpened ? 'Show less of the title' : 'Show the whole title'}
        </button>
      )}
    </>
  );
}
