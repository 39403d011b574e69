// The fields of terms, for the form that posts or lists a task and for an offer: what is to be done, and what it pays and when.

import { type Market, marketParameters, milestoneNumber, protocolConstants } from '@svc/sdk/domain';
import { Clock, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { AmountField } from '../../components/AmountField.tsx';
import { AskModel } from '../../components/AskModel.tsx';
import { Button, ChainRoom, NumberField, Options, TextArea, TextField } from '../../components/Form.tsx';
import { Dollars } from '../../components/Money.tsx';
import { client } from '../../data/client.ts';
import { showDuration, showWhen } from '../../data/format.ts';
import { parseAmount, parseNumber } from '../../data/formValues.ts';
import { useSiteConfig } from '../../data/market.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { type Draft, type DraftErrors, deadlineOf, toLocalText } from './draft.ts';
import { findVague } from './vague.ts';

export type FieldsProps = {
  draft: Draft;
  market: Market;
  errors: DraftErrors;
  /** Of the words on chain; null where they are none yet. */
  bytes: number | null;
  onChange: (change: Partial<Draft>) => void;
  /** Unix seconds. */
  now: number;
};

const hour = 3_600;
const { activationWindowSeconds, deliveryGraceSeconds, maxMilestones } = protocolConstants;

/** The words. */
export function WhatFields(props: FieldsProps) {
  const { draft, errors, onChange, bytes } = props;
  const bind = (name: 'title' | 'description' | 'criteria' | 'tags') => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const vague = findVague(draft.criteria);
  return (
    <>
      <TextField label="Title" maxLength={200} {...bind('title')} />
      <TextArea
        label="The work"
        note="What to do, and what you give for it. Markdown works: # heading, - list, - [ ] check box, **bold**, `code`."
        rows={6}
        {...bind('description')}
      />
      <div className="stack dense">
        <TextArea
          label="Accepted when"
          note="Deliveries, and disputes about them, are judged by these criteria."
          rows={5}
          {...bind('criteria')}
        />
        {vague !== null && (
          <p className="small vague" role="status">
            <TriangleAlert className="s" />
            <span>
              A judge cannot check <b>“{vague}”</b>. Say how it is measured.
            </span>
          </p>
        )}
        <ChainRoom bytes={bytes} />
      </div>
      <CriteriaHelp {...props} />
      <TextField label="Tags" note="Separated by commas." {...bind('tags')} />
    </>
  );
}

/** What it pays, until when, and what silence does. */
export function RewardFields(props: FieldsProps) {
  return (
    <>
      <Payment {...props} />
      <DueField {...props} />
      <ReviewField {...props} />
    </>
  );
}

/** The draft is a proposal beside the field; what the reader has typed stays until they choose. */
function CriteriaHelp({ draft, market, onChange }: FieldsProps) {
  const { title, description, criteria } = draft;
  const isTitled = title.trim() !== '';
  const isWritten = criteria.trim() !== '';
  return (
    <AskModel
      market={market}
      label={isWritten ? 'Improve these criteria' : 'Draft acceptance criteria'}
      answerLabel="Proposed criteria"
      note={isTitled ? 'Sends title, work and criteria to a language model.' : 'Write a title first.'}
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

function Payment({ draft, market, errors, onChange }: FieldsProps) {
  const { milestones } = draft;
  const fee = useSiteConfig(market).data?.limits.accessFeeTokWei;
  // As many texts as amounts.
  const texts = milestones.map((_, index) => draft.milestoneTexts[index] ?? '');
  const isSingle = milestones.length === 1;
  // What is wrong with all of them together stands at the first one.
  const isWrong = milestones.map((amount) => parseAmount(amount) === null);
  const errorAt = (index: number) =>
    (isWrong.includes(true) ? isWrong[index] : index === 0) ? errors.milestones : undefined;
  const kept = (parseAmount(milestones[0] ?? '') ?? 0n) - BigInt(fee ?? 0);
  return (
    <div className="stack tight">
      {milestones.map((amount, index) => {
        const number = milestoneNumber(index);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: milestones have no id
          <div key={index} className="stack dense">
            <AmountField
              label={isSingle ? 'Reward' : `Amount ${number}`}
              error={errorAt(index)}
              note={
                isSingle && fee !== undefined && kept > 0n ? (
                  <>
                    The worker keeps <Dollars wei={kept} />.
                  </>
                ) : undefined
              }
              value={amount}
              onChange={(value) => onChange({ milestones: milestones.with(index, value) })}
            />
            {!isSingle && (
              <div className="row flat">
                <div className="grow">
                  <TextField
                    label={`Milestone ${number}`}
                    placeholder="What is delivered for it"
                    maxLength={200}
                    value={texts[index] ?? ''}
                    onChange={(text) => onChange({ milestoneTexts: texts.with(index, text) })}
                  />
                </div>
                <Button
                  aria-label={`Remove milestone ${number}`}
                  onClick={() =>
                    onChange({
                      milestones: milestones.toSpliced(index, 1),
                      milestoneTexts: draft.milestoneTexts.toSpliced(index, 1),
                    })
                  }
                >
                  ×
                </Button>
              </div>
            )}
          </div>
        );
      })}
      {milestones.length < maxMilestones && (
        <div>
          <Button onClick={() => onChange({ milestones: [...milestones, ''] })}>
            <Plus className="s" />
            {isSingle ? 'Pay in parts' : 'Add a part'}
          </Button>
        </div>
      )}
    </div>
  );
}

const usualDays = [
  ['3', '3 days'],
  ['7', '1 week'],
  ['14', '2 weeks'],
  ['30', '1 month'],
] as const;
const date = 'date';

function DueField({ draft, errors, now, onChange }: FieldsProps) {
  const { days, due, until } = draft;
  const deadline = deadlineOf(draft, now);
  const isDate = due !== '' || until !== null;
  const isUsual = usualDays.some(([usual]) => usual === days) || isDate;
  return (
    <Options
      label="Due"
      labels={[...usualDays, ...(isUsual ? [] : [[days, `${days} days`] as const]), [date, 'A date…']]}
      value={isDate ? date : days}
      error={errors.days}
      note={
        Number.isNaN(deadline)
          ? undefined
          : `${showWhen(deadline, now)} your time, then ${showDuration(deliveryGraceSeconds)} of grace.`
      }
      onChange={(chosen) =>
        onChange(
          chosen === date
            ? { due: toLocalText(deadline) || toLocalText(now + 7 * 24 * hour), until: null }
            : { days: chosen, due: '', until: null },
        )
      }
    >
      {isDate && (
        <input
          type="datetime-local"
          aria-label="Due on"
          value={due === '' ? toLocalText(deadline) : due}
          min={toLocalText(now)}
          onChange={({ target }) => onChange({ due: target.value || 'none', until: null })}
        />
      )}
    </Options>
  );
}

const usualHours = [
  ['24', '1 day'],
  ['72', '3 days'],
  ['168', '7 days'],
] as const;
const other = 'other';

function ReviewField({ draft, market, errors, now, onChange }: FieldsProps) {
  const { reviewHours, milestones } = draft;
  const isUsual = usualHours.some(([usual]) => usual === reviewHours);
  const [isOpen, setOpen] = useState(!isUsual);
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const seconds = (parseNumber(reviewHours) ?? 0) * hour;
  const first = parseAmount(milestones[0] ?? '');
  return (
    <Options
      label="Time to look at a delivery"
      labels={[...usualHours, [other, 'Other…']]}
      value={isOpen ? other : reviewHours}
      onChange={(chosen) => {
        setOpen(chosen === other);
        if (chosen !== other) onChange({ reviewHours: chosen });
      }}
      note={
        seconds > 0 && (
          <span className="notice row flat" data-is="time">
            <Clock className="s" />
            <span>
              Delivered now, not looked at until <b>{showWhen(now + seconds, now)}</b>:{' '}
              <b>{first !== null && first > 0n ? <Dollars wei={first} /> : 'the reward'} is paid.</b>
            </span>
          </span>
        )
      }
    >
      {isOpen && (
        <NumberField
          label="Review time, hours"
          note={`${showDuration(minReviewSeconds)} to ${showDuration(maxReviewSeconds)}.`}
          error={errors.reviewHours}
          isEager
          value={reviewHours}
          onChange={(value) => onChange({ reviewHours: value })}
        />
      )}
    </Options>
  );
}

type LockProps = { value: Draft['funding']; onChange: (funding: Draft['funding']) => void };

/** When the reward goes into escrow. */
export function LockField(props: LockProps) {
  return (
    <Options
      label="Lock the reward"
      labels={[
        ['now', 'Now, all of it'],
        ['later', 'Later'],
      ]}
      note={`Work begins only when all of it is locked: at the latest ${showDuration(activationWindowSeconds)} after the claim.`}
      {...props}
    />
  );
}
