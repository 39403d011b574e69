// The fields of a task, for the form that posts one and for an offer.

import { type Market, marketParameters, milestoneNumber, protocolConstants } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { AskModel } from '../../components/AskModel.tsx';
import { DollarField } from '../../components/DollarField.tsx';
import { Button, ChainRoom, Choice, Form, NumberField, TextArea, TextField } from '../../components/Form.tsx';
import { TypedUsd } from '../../components/Money.tsx';
import { client } from '../../data/client.ts';
import { showDuration, showMoment } from '../../data/format.ts';
import { parseAmount } from '../../data/formValues.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { type Draft, type DraftErrors, daysUntil, deadlineOf, toLocalText } from './draft.ts';

type Props = {
  draft: Draft;
  market: Market;
  errors: DraftErrors;
  /** Of the words on chain; null where they are none yet. */
  bytes: number | null;
  onChange: (change: Partial<Draft>) => void;
  /** More fields below. */
  children?: ReactNode;
  /** Unix seconds. */
  now: number;
};

const markdownNote = 'Markdown works: # heading, - list, - [ ] check box, **bold**, `code`.';

export function PostFields(props: Props) {
  const { draft, market, errors, onChange, children } = props;
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const reviewRange = `${showDuration(minReviewSeconds)} to ${showDuration(maxReviewSeconds)}`;
  const bind = (name: 'title' | 'description' | 'criteria' | 'tags' | 'reviewHours') => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <Form className="sheet body stack">
      <TextField label="Title" maxLength={200} {...bind('title')} />
      <TextArea
        label="Description"
        note={`What the task is about, and what the worker is given to work with. ${markdownNote}`}
        rows={8}
        {...bind('description')}
      />
      <TextArea
        label="Acceptance criteria"
        note="Deliveries, and disputes about them, are judged by these criteria. Their hash is part of the terms."
        rows={5}
        {...bind('criteria')}
      />
      <ChainRoom bytes={props.bytes} />
      <CriteriaHelp {...props} />
      <TextField label="Tags" note="Separated by commas." {...bind('tags')} />
      <MilestoneFields {...props} />
      <DeadlineFields {...props} />
      <div className="columns">
        <NumberField
          label="Review time, hours"
          note={`How long the poster may look at each delivery: ${reviewRange}. Silence counts as acceptance: the worker is paid.`}
          {...bind('reviewHours')}
        />
      </div>
      {children}
    </Form>
  );
}

/** The draft is a proposal beside the field; what the reader has typed stays until they choose. */
function CriteriaHelp({ draft, market, onChange }: Props) {
  const { title, description, criteria } = draft;
  const isTitled = title.trim() !== '';
  const isWritten = criteria.trim() !== '';
  return (
    <AskModel
      market={market}
      label={isWritten ? 'Improve these criteria' : 'Draft acceptance criteria'}
      answerLabel="Proposed criteria"
      note={isTitled ? 'Sends title, description and criteria to a language model.' : 'Write a title first.'}
      isDisabled={!isTitled}
      asking={useAttempt(() => client.draftCriteria({ title, description, criteria }))}
    >
      {(text) => (
        <p className="row">
          <Button onClick={() => onChange({ criteria: text })}>
            {isWritten ? 'Replace mine with these' : 'Use these criteria'}
          </Button>
          {isWritten && (
            <Button onClick={() => onChange({ criteria: `${criteria.trimEnd()}\n${text}` })}>
              Add them below mine
            </Button>
          )}
        </p>
      )}
    </AskModel>
  );
}

/** One deadline, as days from now or as a date: changing one shows the other. */
function DeadlineFields({ draft, errors, now, onChange }: Props) {
  const deadline = deadlineOf(draft, now);
  const isKnown = !Number.isNaN(deadline);
  const areDaysTyped = draft.due === '' && draft.until === null;
  const daysLeft = isKnown ? daysUntil(deadline, now) : '';
  return (
    <div className="columns">
      <NumberField
        label="Deadline, days from now"
        error={draft.due === '' ? errors.days : undefined}
        value={areDaysTyped ? draft.days : daysLeft}
        onChange={(days) => onChange({ days, due: '', until: null })}
      />
      <TextField
        label="or on this date"
        type="datetime-local"
        note={isKnown ? showMoment(deadline) : 'Date and time of your own clock.'}
        value={draft.due === '' ? toLocalText(deadline) : draft.due}
        error={draft.due === '' ? undefined : errors.days}
        min={toLocalText(now)}
        onChange={(due) => onChange({ due, until: null })}
      />
    </div>
  );
}

type EscrowFieldProps = {
  value: Draft['funding'];
  note: string;
  later?: string;
  onChange: (funding: Draft['funding']) => void;
};

/** `later` says until when escrow can be filled. */
export function EscrowField({ value, note, later = 'fund later', onChange }: EscrowFieldProps) {
  return (
    <Choice
      label="Escrow"
      note={note}
      labels={{ now: 'fund in full now', later }}
      value={value}
      onChange={onChange}
    />
  );
}

function MilestoneFields({ draft, errors, onChange }: Props) {
  const { milestones } = draft;
  // As many texts as amounts.
  const texts = milestones.map((_, index) => draft.milestoneTexts[index] ?? '');
  const isSingle = milestones.length === 1;
  // What is wrong with all of them together stands at the first one.
  const isWrong = milestones.map((amount) => parseAmount(amount) === null);
  const errorAt = (index: number) =>
    (isWrong.includes(true) ? isWrong[index] : index === 0) ? errors.milestones : undefined;
  return (
    <fieldset>
      <legend>
        <b>Payment</b>
      </legend>
      {milestones.map((amount, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: milestones have no id
        <div key={index} className={isSingle ? 'milestone single' : 'milestone'}>
          {!isSingle && (
            <TextField
              label={`Milestone ${milestoneNumber(index)}`}
              placeholder="What is delivered for it"
              maxLength={200}
              value={texts[index] ?? ''}
              onChange={(text) => onChange({ milestoneTexts: texts.with(index, text) })}
            />
          )}
          <div>
            <NumberField
              label={isSingle ? 'Amount, TOK' : `Amount ${milestoneNumber(index)}, TOK`}
              error={errorAt(index)}
              value={amount}
              onChange={(value) => onChange({ milestones: milestones.with(index, value) })}
            />
            {!isSingle && <TypedUsd amount={amount.trim()} />}
          </div>
          {isSingle && (
            <DollarField amount={amount} onAmount={(value) => onChange({ milestones: [value] })} />
          )}
          {!isSingle && (
            <Button
              aria-label={`Remove milestone ${milestoneNumber(index)}`}
              onClick={() =>
                onChange({
                  milestones: milestones.toSpliced(index, 1),
                  milestoneTexts: draft.milestoneTexts.toSpliced(index, 1),
                })
              }
            >
              ×
            </Button>
          )}
        </div>
      ))}
      {milestones.length < protocolConstants.maxMilestones && (
        <Button onClick={() => onChange({ milestones: [...milestones, ''] })}>
          {isSingle ? 'Pay in milestones' : 'Add a milestone'}
        </Button>
      )}
    </fieldset>
  );
}
