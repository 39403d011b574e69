// Search and filters of the board, kept in the address so that a view can be shared.
import { useEffect, useRef } from 'react';
import { NumberField } from '#components/Field.tsx';
import { changeSearch, useSearch } from '#components/navigation.tsx';
import { countFilters, parseAmount, parseFilter, sorts } from '#data/boardRows.ts';

export function BoardFilters() {
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
        <span className="hidden">Search titles, tags, descriptions and ids</span>
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
              <option value="86400">within a day</option>
              <option value="259200">within 3 days</option>
              <option value="604800">within a week</option>
              <option value="2592000">within 30 days</option>
            </select>
          </label>
          <label className="field">
            <span>Escrow</span>
            <select
              value={filter.funding}
              onChange={(event) =>
                changeSearch({ funding: event.target.value === 'any' ? '' : event.target.value })
              }
            >
              <option value="any">any</option>
              <option value="full">fully funded</option>
              <option value="open">not fully funded</option>
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
          <button
            type="button"
            className="button"
            onClick={() => changeSearch({ q: '', min: '', max: '', due: '', funding: '', sort: '' })}
          >
            Clear
          </button>
        </div>
      </details>
    </>
  );
}

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
