// The form of a new task.
import type { Market } from '@svc/sdk/domain';
import { protocolConstants } from '@svc/sdk/domain';
import { Field } from '../../components/Field.tsx';
import type { Draft, Faults } from './draft.ts';

type Props = {
  readonly draft: Draft;
  readonly market: Market;
  readonly faults: Faults;
  readonly onChange: (change: Partial<Draft>) => void;
  /** A field was left: from now on mistakes are shown. */
  readonly onLeave: () => void;
};

export function PostFields({ draft, market, faults, onChange, onLeave }: Props) {
  return (
    <form className="sheet" onSubmit={(event) => event.preventDefault()} onBlur={onLeave}>
      <div className="body stack">
        <Field label="Title" fault={faults.title}>
          {(props) => (
            <input
              {...props}
              maxLength={200}
              value={draft.title}
              onChange={(event) => onChange({ title: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Description"
          note="What it is about, and what the worker gets from you."
          fault={faults.description}
        >
          {(props) => (
            <textarea
              {...props}
              rows={5}
              value={draft.description}
              onChange={(event) => onChange({ description: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Acceptance criteria"
          note="By these a delivery is judged, also by an arbitrator. Their hash is part of the terms."
          fault={faults.criteria}
        >
          {(props) => (
            <textarea
              {...props}
              rows={4}
              value={draft.criteria}
              onChange={(event) => onChange({ criteria: event.target.value })}
            />
          )}
        </Field>
        <Field label="Tags" note="Separated by commas.">
          {(props) => (
            <input
              {...props}
              value={draft.tags}
              onChange={(event) => onChange({ tags: event.target.value })}
            />
          )}
        </Field>
        <Milestones draft={draft} faults={faults} onChange={onChange} />
        <div className="pairform">
          <Field label="Deadline, days from now" fault={faults.days}>
            {(props) => (
              <input
                {...props}
                inputMode="decimal"
                value={draft.days}
                onChange={(event) => onChange({ days: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Review, hours"
            note={market === 'standard' ? '12 h to 30 days' : '1 h to 7 days'}
            fault={faults.reviewHours}
          >
            {(props) => (
              <input
                {...props}
                inputMode="decimal"
                value={draft.reviewHours}
                onChange={(event) => onChange({ reviewHours: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label="Escrow" note="Workers prefer tasks whose money is there. Work starts only when it is.">
          {(props) => (
            <select
              {...props}
              value={draft.funding}
              onChange={(event) => onChange({ funding: event.target.value === 'now' ? 'now' : 'later' })}
            >
              <option value="now">fund in full now</option>
              <option value="later">fund later, within a day of the claim</option>
            </select>
          )}
        </Field>
      </div>
    </form>
  );
}

function Milestones({ draft, faults, onChange }: Pick<Props, 'draft' | 'faults' | 'onChange'>) {
  const { milestones } = draft;
  const change = (index: number, value: string) =>
    onChange({ milestones: milestones.map((text, at) => (at === index ? value : text)) });
  return (
    <fieldset>
      <legend>
        <b>Payment</b>
      </legend>
      {milestones.map((text, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is its place in the list
          key={index}
          className="milestone"
        >
          <Field
            label={milestones.length === 1 ? 'Amount, TOK' : `Milestone ${index + 1}, TOK`}
            fault={index === 0 ? faults.milestones : undefined}
          >
            {(props) => (
              <input
                {...props}
                inputMode="decimal"
                value={text}
                onChange={(event) => change(index, event.target.value)}
              />
            )}
          </Field>
          {milestones.length > 1 && (
            <button
              type="button"
              className="button"
              aria-label={`Remove milestone ${index + 1}`}
              onClick={() => onChange({ milestones: milestones.filter((_, at) => at !== index) })}
            >
              ×
            </button>
          )}
        </div>
      ))}
      {milestones.length < protocolConstants.maxMilestones && (
        <button
          type="button"
          className="button"
          onClick={() => onChange({ milestones: [...milestones, ''] })}
        >
          Add a milestone
        </button>
      )}
    </fieldset>
  );
}
