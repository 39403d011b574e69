// Search and filters of the board, kept in the address so that a view can be shared.
import { Search, ShieldCheck, SlidersVertical } from 'lucide-react';
import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Button, Choice, NumberField, TextField } from '../components/Form.tsx';
import { changeSearch } from '../components/navigation.tsx';
import { stateWord } from '../components/StateBadge.tsx';
import { countFilters, parseFilter, shownStates, sorts, toggleTag } from '../data/boardRows.ts';
import { shorten, showDuration, showTok } from '../data/format.ts';

/** Those that the view applies. */
export function BoardFilters({ search: params, view }: { search: URLSearchParams; view: string }) {
  const filter = parseFilter(params);
  const count = countFilters(filter);
  /** It filters nothing. */
  const isWrong = (name: 'poster' | (typeof amountFilters)[number][0]) =>
    (params.get(name) ?? '') !== '' && filter[name] === null;
  const input = useRef<HTMLInputElement>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      if (menu.current === null || !menu.current.open) return;
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      const isOutside = event.type === 'pointerdown' && !menu.current.contains(event.target as Node);
      if (isEscape) menu.current.querySelector('summary')?.focus();
      if (isEscape || isOutside) menu.current.open = false;
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
    };
  }, []);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const bind = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => changeSearch({ [name]: target.value }),
  });
  const isFunded = filter.funding === 'full';
  return (
    <div className="row search">
      <SearchField key={params.has('q') ? 'typed' : 'empty'} shown={filter.search} input={input} />
      {view !== 'wanted' && (
        <span className="row picks-row wideonly">
          <select className="pick" aria-label="Reward" {...bind('minUsd')}>
            {rewardChoices.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <select className="pick" aria-label="Due date" {...bind('due')}>
            {dueChoices.map(([value, label]) => (
              <option key={value} value={value}>
                {value === '' ? 'Any due date' : `Due ${label}`}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="pick"
            aria-pressed={isFunded}
            onClick={() => changeSearch({ funding: isFunded ? '' : 'full' })}
          >
            <ShieldCheck className="s" /> Sure to pay
          </button>
          <select className="pick" aria-label="Order" {...bind('sort')}>
            {Object.entries(orderChoices).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </span>
      )}
      <details className="filters" ref={menu}>
        <summary className="pick">
          <SlidersVertical className="s" /> Filter{count === 0 ? '' : ` · ${count}`}
        </summary>
        <div>
          {(view === 'wanted' ? [] : amountFilters).map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              value={params.get(name) ?? ''}
              isEager
              error={isWrong(name) ? 'Not an amount: write 1500 or 1,500.5' : undefined}
              note={name.endsWith('Usd') ? 'at the current price' : undefined}
              onChange={(value) => changeSearch({ [name]: value })}
            />
          ))}
          <TextField
            label="Poster"
            placeholder="0x…"
            value={params.get('poster') ?? ''}
            isEager
            error={isWrong('poster') ? 'Not an address' : undefined}
            onChange={(poster) => changeSearch({ poster })}
          />
          {view !== 'wanted' && <TaskFilters params={params} hasStates={view !== 'open'} />}
          <Button onClick={() => changeSearch(noFilters)}>Clear</Button>
        </div>
      </details>
    </div>
  );
}

type SearchFieldProps = { shown: string; input: RefObject<HTMLInputElement | null> };

/** The address follows when the reader pauses: each search asks the API. */
function SearchField({ shown, input }: SearchFieldProps) {
  const [typed, setTyped] = useState(shown);
  useEffect(() => {
    if (typed === shown) return;
    const timer = setTimeout(() => changeSearch({ q: typed }), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, shown]);
  return (
    <label className="find">
      <span className="hidden">Search titles, texts, tags, ids and addresses</span>
      <Search />
      <input
        ref={input}
        type="search"
        placeholder="Search tasks"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </label>
  );
}

const pauseMs = 200;

const rewardChoices = [
  ['', 'Any reward'],
  ['10', '$10 or more'],
  ['50', '$50 or more'],
  ['100', '$100 or more'],
] as const;

type TaskFiltersProps = { params: URLSearchParams; hasStates: boolean };

/** Of tasks alone. In a list of open tasks all have one state. */
function TaskFilters({ params, hasStates }: TaskFiltersProps) {
  const filter = parseFilter(params);
  return (
    <>
      <Choice
        label="Deadline"
        labels={dueChoices}
        value={params.get('due') ?? ''}
        onChange={(due) => changeSearch({ due })}
      />
      {hasStates && (
        <Choice
          label="State"
          labels={stateChoices}
          value={filter.state ?? ''}
          onChange={(state) => changeSearch({ state })}
        />
      )}
      <Choice
        label="Escrow"
        labels={fundingWords}
        value={filter.funding}
        onChange={(funding) => changeSearch({ funding: funding === 'any' ? '' : funding })}
      />
      <Choice
        label="Order"
        labels={orderChoices}
        value={filter.isMixed ? '' : filter.sort}
        onChange={(sort) => changeSearch({ sort })}
      />
    </>
  );
}

const amountFilters = [
  ['min', 'At least, TOK'],
  ['max', 'At most, TOK'],
  ['minUsd', 'At least, dollars'],
  ['maxUsd', 'At most, dollars'],
] as const;

const filterNames = 'q min max minUsd maxUsd poster due funding state tag sort'.split(' ');
const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']));

/** Every filter of the list in words, each removed by a click. */
export function ChosenFilters({ search }: { search: URLSearchParams }) {
  const chosen = listChosen(search);
  if (chosen.length === 0) return null;
  return (
    <p className="row chosen small">
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
  const { tags, state, min, max, minUsd, maxUsd, poster, dueWithin, funding } = parseFilter(search);
  const due = dueChoices.find(([seconds]) => seconds === String(dueWithin))?.[1];
  const others: readonly (Chosen | false)[] = [
    state !== null && { label: stateWord(state), change: { state: '' } },
    min !== null && { label: `at least ${showTok(min)} TOK`, change: { min: '' } },
    max !== null && { label: `at most ${showTok(max)} TOK`, change: { max: '' } },
    minUsd !== null && { label: `at least $${minUsd}`, change: { minUsd: '' } },
    maxUsd !== null && { label: `at most $${maxUsd}`, change: { maxUsd: '' } },
    poster !== null && { label: `by ${shorten(poster)}`, change: { poster: '' } },
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

const dueChoices: readonly (readonly [seconds: string, label: string])[] = [
  ['', 'any'],
  ['86400', 'within a day'],
  ['259200', 'within 3 days'],
  ['604800', 'within a week'],
  ['2592000', 'within 30 days'],
];

const stateChoices: Readonly<Record<string, string>> = {
  '': 'any',
  ...Object.fromEntries(shownStates.map((state) => [state, stateWord(state)])),
};

const orderChoices = { '': 'Newest, mixed', ...sorts } as const;

const fundingWords = { any: 'any', full: 'fully funded', open: 'not fully funded' } as const;

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}
