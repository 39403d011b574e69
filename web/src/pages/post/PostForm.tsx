// The form of a post or a listing in three steps: what, reward and time, review; beside them what it costs.

import type { Artifact } from '@svc/sdk/documents';
import type { Market } from '@svc/sdk/domain';
import { Check, LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useMinute } from '../../components/Clock.tsx';
import { Button, Form, Options, TextField } from '../../components/Form.tsx';
import { Tok } from '../../components/Money.tsx';
import { changeSearch, hrefWith, Link, useSearch, visit } from '../../components/navigation.tsx';
import { GatewayOnly } from '../../components/QueryView.tsx';
import { useSiteConfig } from '../../data/market.ts';
import { readAddress } from '../../data/readAddress.ts';
import { useSavedForm } from '../../data/savedText.ts';
import { AttachFiles } from '../../wallet/AttachFiles.tsx';
import { type Attachment, type Attachments, useAttachments } from '../../wallet/useAttachments.ts';
import { useSession } from '../../wallet/useSession.tsx';
import { parseListing } from '../listing/listingDraft.ts';
import { ListingFields, ListingSlip, listingTerms } from '../listing/PublishListing.tsx';
import {
  type Draft,
  describeErrors,
  emptyDraft,
  emptyListing,
  isBlank,
  type ListingForm,
  parseDraft,
  parseSavedPost,
} from './draft.ts';
import { type FieldsProps, LockField, RewardFields, WhatFields } from './PostFields.tsx';
import { PostReview } from './PostReview.tsx';
import { PostSlip } from './PostSlip.tsx';
import { type Template, templates } from './templates.ts';

/** Who may take it, by the parameter of the address. */
const whoNames = {
  anyone: 'First to claim',
  proposals: 'I choose a proposal',
  one: 'One wallet, private',
} as const;
type Who = keyof typeof whoNames;

const whoNotes: Readonly<Record<Who, string>> = {
  anyone: 'Anyone can read this task, for ever. The first who claims it does it, on exactly your terms.',
  proposals: 'Anyone can read it. Workers propose price and days; nothing is paid before you accept one.',
  one: 'You offer it to a wallet that you know, and agree on the terms. Its words can stay private.',
};

const stepNames = { what: 'What', reward: 'Reward and time', review: 'Review and pay' } as const;
type Step = keyof typeof stepNames;
const steps = Object.keys(stepNames) as Step[];

/** Of each step, the fields that can be wrong. */
const stepFields: Readonly<Record<Step, readonly (keyof Draft)[]>> = {
  what: ['title', 'description', 'criteria'],
  reward: ['milestones', 'days', 'reviewHours'],
  review: [],
};

type PostFormProps = {
  market: Market;
  edited?: { id: string; version: number; draft: Draft; listing: ListingForm };
  artifacts?: readonly Artifact[] | undefined;
};

export function PostForm({ market, edited, artifacts: known = [] }: PostFormProps) {
  const search = useSearch();
  const asked = search.get('who') ?? '';
  const who: Who = asked in whoNames ? (asked as Who) : 'anyone';
  const step = steps.find((one) => one === search.get('step')) ?? 'what';
  // Once the listing has changed, a draft of its earlier version would undo the change.
  const name = edited === undefined ? 'post' : `post:${edited.id}:${edited.version}`;
  const start = { draft: emptyDraft, listing: emptyListing, ...edited, artifacts: known, missing: [] };
  const [form, keep, forget] = useSavedForm(name, parseSavedPost, start);
  const { draft, listing } = form;
  const session = useSession();
  const files = useAttachments({ scope: 'open' }, session.token, form.artifacts, form.missing);
  const [artifacts, uploaded, missing] = useMemo(
    () => [
      artifactsIn(files.list, ['ready', 'done']),
      artifactsIn(files.list, ['done']),
      files.list.flatMap(({ stage, name, bytes }) => (stage === 'done' ? [] : [{ name, bytes }])),
    ],
    [files.list],
  );
  const minute = useMinute();
  const { post, errors, bytes } = useMemo(
    () => parseDraft(draft, market, minute, artifacts),
    [draft, market, minute, artifacts],
  );
  // Bytes that are not uploaded are gone with the page; their names stay.
  const kept = useRef(uploaded);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other files are a change here
  useEffect(() => {
    if (kept.current !== uploaded) keep({ artifacts: uploaded, missing });
    kept.current = uploaded;
  }, [uploaded, missing]);
  const change = (changes: Partial<Draft>) => keep({ draft: { ...draft, ...changes } });
  const isUploaded = files.artifacts !== null;
  const fields = { draft, market, errors, bytes, now: minute, onChange: change };
  const describe = (names: readonly (keyof Draft)[]) =>
    describeErrors(
      draft,
      Object.fromEntries(Object.entries(errors).filter(([field]) => names.includes(field as keyof Draft))),
    );
  const filesTodo = isUploaded ? '' : 'The files are not uploaded yet.';
  const todo = step === 'review' ? filesTodo || describeErrors(draft, errors) : describe(stepFields[step]);
  const following = steps[steps.indexOf(step) + 1];
  const goOn = () => {
    if (following !== undefined && todo === '') visit(hrefWith(search, 'step', following));
  };
  const next =
    following === undefined ? null : (
      <div className="go">
        <Button is="main" className="wide large" type="submit" form="terms" disabled={todo !== ''}>
          Next: {stepNames[following].toLowerCase()}
        </Button>
      </div>
    );
  const listed =
    post === null || !isUploaded
      ? todo
      : parseListing(draft, listing, { market, post, artifacts, now: minute });
  return (
    <>
      <ol className="formsteps" aria-label="Steps">
        {steps.map((one) => (
          <li key={one} data-is={steps.indexOf(one) < steps.indexOf(step) ? 'done' : undefined}>
            <Link href={hrefWith(search, 'step', one)} aria-current={one === step ? 'step' : undefined}>
              {steps.indexOf(one) < steps.indexOf(step) && <Check className="s" />}
              {stepNames[one]}
            </Link>
          </li>
        ))}
      </ol>
      <div className="sides posting">
        <Form id="terms" className="stack wide" onSubmit={goOn}>
          {step === 'what' && (
            <WhatStep {...fields} onReplace={(next) => keep({ draft: next })}>
              {edited === undefined && (
                <Options
                  label="Who takes it"
                  labels={Object.entries(whoNames) as [Who, string][]}
                  value={who}
                  note={whoNotes[who]}
                  onChange={(chosen) => changeSearch({ who: chosen })}
                >
                  {who === 'one' && <OneWallet market={market} />}
                </Options>
              )}
              <AttachFiles files={files} session={session} isPrivate={false} />
            </WhatStep>
          )}
          {step === 'reward' && (
            <>
              <RewardFields {...fields} />
              {who === 'proposals' ? (
                <ListingFields
                  listing={listing}
                  now={minute}
                  onChange={(changes) => keep({ listing: { ...listing, ...changes } })}
                />
              ) : (
                <LockField value={draft.funding} onChange={(funding) => change({ funding })} />
              )}
            </>
          )}
          {step === 'review' && (
            <PostReview
              draft={draft}
              post={post}
              who={whoNames[who]}
              artifacts={artifacts}
              now={minute}
              listing={who === 'proposals' ? listingTerms(listed, minute) : null}
            />
          )}
        </Form>
        <aside className="side stack" aria-label="What will be signed">
          <FeeAboveReward
            market={market}
            total={post === null ? null : String(post.args.totalAmountTokWei)}
          />
          {who === 'proposals' ? (
            <GatewayOnly what="listings">
              <ListingSlip
                market={market}
                edited={edited ?? null}
                onPublished={forget}
                listing={listed}
                next={next}
                todo={todo}
              />
            </GatewayOnly>
          ) : (
            <PostSlip
              market={market}
              post={isUploaded ? post : null}
              todo={todo}
              next={next}
              onPosted={forget}
            />
          )}
          {step !== 'what' && <Uploading list={files.list} />}
        </aside>
      </div>
    </>
  );
}

type WhatStepProps = FieldsProps & { onReplace: (next: Draft) => void; children: ReactNode };

/** The words, with templates to start from. */
function WhatStep({ onReplace, children, ...fields }: WhatStepProps) {
  const { draft } = fields;
  // What a template or "Start again" replaced, so that nothing typed is lost.
  const [replaced, setReplaced] = useState<Draft | null>(null);
  const [replacements, setReplacements] = useState(0);
  const replace = (next: Draft) => {
    setReplaced(isBlank(draft) ? null : draft);
    onReplace(next);
    setReplacements(replacements + 1);
  };
  return (
    <>
      <WhatFields key={replacements} {...fields} />
      {children}
      <div className="row">
        <TemplateChoice onChoose={(chosen) => replace({ ...emptyDraft, ...chosen })} />
        {!isBlank(draft) && (
          <Button is="plain" onClick={() => replace(emptyDraft)}>
            Start again
          </Button>
        )}
        {replaced !== null && (
          <Button
            onClick={() => {
              onReplace(replaced);
              setReplaced(null);
            }}
          >
            Bring back what I had typed
          </Button>
        )}
      </div>
    </>
  );
}

function Uploading({ list }: { list: Attachments['list'] }) {
  const waiting = list.filter(({ stage }) => stage !== 'done' && stage !== 'failed');
  const [first] = waiting;
  if (first === undefined) return null;
  return (
    <p className="notice row flat" role="status">
      <LoaderCircle className="s" />
      <span>
        <bdi dir="auto">{first.name}</bdi>
        {waiting.length > 1 && ` and ${waiting.length - 1} more`} not uploaded yet. You can go on; you sign
        when it is done.
      </span>
    </p>
  );
}

/** Its terms are an offer, which takes the words along. */
function OneWallet({ market }: { market: Market }) {
  const [typed, setTyped] = useState('');
  const to = readAddress(typed);
  return (
    <div className="stack tight">
      <TextField
        label="Its address"
        note={
          <>
            0x and 40 hexadecimal digits. Find workers under <a href="/leaderboard.html">People</a>.
          </>
        }
        value={typed}
        error={typed !== '' && to === null ? 'This is not an address.' : undefined}
        onChange={setTyped}
      />
      <div>
        <Button
          disabled={to === null}
          onClick={() => visit(`/messages.html?to=${to}&propose=1&scope=private&market=${market}&draft=post`)}
        >
          Offer it to this wallet
        </Button>
      </div>
    </div>
  );
}

/** A worker pays the access fee as well: nobody takes a task that costs more than it pays. */
function FeeAboveReward({ market, total }: { market: Market; total: string | null }) {
  const fee = useSiteConfig(market).data?.limits.accessFeeTokWei;
  if (fee === undefined || total === null || BigInt(total) > BigInt(fee)) return null;
  return (
    <p className="notice" data-is="time">
      A worker pays an access fee of <Tok wei={fee} hasUsd /> to take this task, which pays{' '}
      <Tok wei={total} hasUsd />. Only workers with credits will take it: pay more, or expect to wait.
    </p>
  );
}

function artifactsIn(list: Attachments['list'], stages: readonly Attachment['stage'][]): Artifact[] {
  return list.flatMap(({ stage, artifact }) => (stages.includes(stage) ? (artifact ?? []) : []));
}

function TemplateChoice({ onChoose }: { onChoose: (draft: Template['draft']) => void }) {
  return (
    <label className="template quiet">
      <span>Start from</span>
      <select
        value=""
        onChange={({ target }) => {
          const chosen = templates.find(({ name }) => name === target.value);
          if (chosen !== undefined) onChoose(chosen.draft);
        }}
      >
        <option value="">a template…</option>
        {templates.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
