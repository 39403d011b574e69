// Search and filters of the board, kept in the address so that a view can be shared.
import { useEffect, useRef } from 'react';
import { NumberField } from '#components/Field.tsx';
import { changeSearch, useSearch } from '#components/navigation.tsx';
import { stateWord } from '#components/StateBadge.tsx';
import { countFilters, parseAmount, parseFilter, shownStates, sorts, toggleTag } from '#data/boardRows.ts';
import { showDuration } from '#data/time.ts';

/** `hasStates` is false in a list of tasks that are all open. */
export function BoardFilters({ hasStates }: { readonly hasStates: boolean }) {
  const params = useSearch();
  const filter = parseFilter(params);
  const count = countFilters(filter);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  return (
    <>
      <label className="find">
        <span className="hidden">Search titles, texts, tags, ids and addresses</span>
        <input
          ref={input}
          type="search"
          placeholder="Search"
          value={filter.search}
          onChange={(event) => changeSearch({ q: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <kbd>/</kbd>
      </label>
      <details className="filters">
        <summary className="button">Filter{count === 0 ? '' : ` · ${count}`}</summary>
        <div className="sheet">
          <AmountFilter label="At least, TOK" name="min" text={params.get('min') ?? ''} />
          <AmountFilter label="At most, TOK" name="max" text={params.get('max') ?? ''} />
          <label className="field">
            <span>Deadline</span>
            <select
              value={params.get('due') ?? ''}
              onChange={(event) => changeSearch({ due: event.target.value })}
            >
              <option value="">any</option>
              {dueChoices.map(([seconds, label]) => (
                <option key={seconds} value={seconds}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          {hasStates && (
            <label className="field">
              <span>State</span>
              <select
                value={filter.state ?? ''}
                onChange={(event) => changeSearch({ state: event.target.value })}
              >
                <option value="">any</option>
                {shownStates.map((state) => (
                  <option key={state} value={state}>
                    {stateWord(state)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label className="field">
            <span>Escrow</span>
            <select
              value={filter.funding}
              onChange={(event) =>
                changeSearch({ funding: event.target.value === 'any' ? '' : event.target.value })
              }
            >
              {Object.entries(fundingWords).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>Order</span>
            <select value={filter.sort} onChange={(event) => changeSearch({ sort: event.target.value })}>
              {Object.entries(sorts).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <button type="button" className="button" onClick={() => changeSearch(noFilters)}>
            Clear
          </button>
        </div>
      </details>
    </>
  );
}

const noFilters = { q: '', min: '', max: '', due: '', funding: '', state: '', tag: '', sort: '' };

/** Every filter of the list in words, each removed by a click. */
export function ChosenFilters() {
  const search = useSearch();
  const chosen = listChosen(search);
  if (chosen.length === 0) return null;
  return (
    <p className="chosen small">
      {chosen.map(({ label, change }) => (
        <button
          key={label}
          type="button"
          className="chip"
          aria-label={`${label}: remove this filter`}
          onClick={() => changeSearch(change)}
        >
          {label} <span aria-hidden="true">×</span>
        </button>
      ))}
    </p>
  );
}

type Chosen = { readonly label: string; readonly change: Readonly<Record<string, string>> };

function listChosen(search: URLSearchParams): Chosen[] {
  const { tags, state, min, max, dueWithin, funding } = parseFilter(search);
  const due = dueChoices.find(([seconds]) => Number(seconds) === dueWithin)?.[1];
  const others: readonly (Chosen | false)[] = [
    state !== null && { label: stateWord(state), change: { state: '' } },
    min !== null && { label: `at least ${min.toLocaleString('en-US')} TOK`, change: { min: '' } },
    max !== null && { label: `at most ${max.toLocaleString('en-US')} TOK`, change: { max: '' } },
    dueWithin !== null && {
      label: `due ${due ?? `within ${showDuration(dueWithin)}`}`,
      change: { due: '' },
    },
    funding !== 'any' && { label: fundingWords[funding], change: { funding: '' } },
  ];
  return [
    ...tags.map((tag) => ({ label: tag.slice(0, 40), change: { tag: toggleTag(search, tag) } })),
    ...others.filter((one) => one !== false),
  ];
}

const dueChoices = [
  ['86400', 'within a day'],
  ['259200', 'within 3 days'],
  ['604800', 'within a week'],
  ['2592000', 'within 30 days'],
] as const;

const fundingWords = { any: 'any', full: 'fully funded', open: 'not fully funded' } as const;

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** A text that is no amount filters nothing and shows an error. */
function AmountFilter({
  label,
  name,
  text,
}: {
  readonly label: string;
  readonly name: 'min' | 'max';
  readonly text: string;
}) {
  const isValid = text === '' || parseAmount(text) !== null;
  return (
    <NumberField
      label={label}
      value={text}
      error={isValid ? undefined : 'Not an amount: write 1500 or 1,500.5'}
      onChange={(value) => changeSearch({ [name]: value })}
    />
  );
}
