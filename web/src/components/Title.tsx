// A task's title as the heading of its page: a very long one is cut after three lines until somebody wants all of it.
import { useState } from 'react';

/** About three lines of a desk. */
const longCharacters = 180;

export function Title({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(text.length <= longCharacters);
  return (
    <>
      <h1 dir="auto" className={isWhole ? undefined : 'cut'}>
        {text}
      </h1>
      {text.length > longCharacters && (
        <button type="button" className="button" data-is="plain" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less of the title' : 'Show the whole title'}
        </button>
      )}
    </>
  );
}
