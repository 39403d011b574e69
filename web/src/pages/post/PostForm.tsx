// The form of a post or a listing: its draft, templates, files and preview, and beside it what will be signed.

import type { Artifact } from '@svc/sdk/documents';
import { type Market, protocolConstants } from '@svc/sdk/domain';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMinute } from '../../components/Clock.tsx';
import { Button, Switch } from '../../components/Form.tsx';
import { Tok } from '../../components/Money.tsx';
import { Link } from '../../components/navigation.tsx';
import { showDuration } from '../../data/format.ts';
import { useSiteConfig } from '../../data/market.ts';
import { useSavedForm } from '../../data/savedText.ts';
import { AttachFiles } from '../../wallet/AttachFiles.tsx';
import { type Attachment, type Attachments, useAttachments } from '../../wallet/useAttachments.ts';
import { useSession } from '../../wallet/useSession.tsx';
import { parseListing } from '../listing/listingDraft.ts';
import { ListingFields, PublishListing } from '../listing/PublishListing.tsx';
import { BeforeSigning } from './BeforeSigning.tsx';
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
import { EscrowField, PostFields } from './PostFields.tsx';
import { Preview } from './Preview.tsx';
import { type Template, templates } from './templates.ts';
import { whoNames } from './WhoMayTake.tsx';

type PostFormProps = {
  market: Market;
  who: 'anyone' | 'proposals';
  edited?: { id: string; version: number; draft: Draft; listing: ListingForm };
  artifacts?: readonly Artifact[] | undefined;
};

export function PostForm({ market, who, edited, artifacts: known = [] }: PostFormProps) {
  // Once the listing has changed, a draft of its earlier version would undo the change.
  const name = edited === undefined ? 'post' : `post:${edited.id}:${edited.version}`;
  const start = { draft: emptyDraft, listing: emptyListing, ...edited, artifacts: known, missing: [] };
  const [form, keep, forget] = useSavedForm(name, parseSavedPost, start);
  const { draft, listing } = form;
  // What a template or "Start again" replaced, so that nothing typed is lost.
  const [replaced, setReplaced] = useState<Draft | null>(null);
  const [isPreview, setPreview] = useState(false);
  const [replacements, setReplacements] = useState(0);
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
  const replace = (next: Draft) => {
    setReplaced(isBlank(draft) ? null : draft);
    keep({ draft: next });
    setReplacements(replacements + 1);
  };
  const isUploaded = files.artifacts !== null;
  const todo = isUploaded ? describeErrors(draft, errors) : 'The files are not uploaded yet.';
  return (
    <>
      {edited === undefined && (
        <p className="small">
          {whoNames[who]}. <Link href={`/market.html?market=${market}&post=new`}>Choose another way</Link>
        </p>
      )}
      <div className="row posttools">
        <Switch
          labels={{ write: 'Write', preview: 'Preview' }}
          value={isPreview ? 'preview' : 'write'}
          onChange={(chosen) => setPreview(chosen === 'preview')}
        />
        {!isPreview && <TemplateChoice onChoose={(chosen) => replace({ ...emptyDraft, ...chosen })} />}
        {!isPreview && !isBlank(draft) && (
          <Button is="plain" onClick={() => replace(emptyDraft)}>
            Start again
          </Button>
        )}
        {replaced !== null && (
          <Button
            onClick={() => {
              keep({ draft: replaced });
              setReplaced(null);
            }}
          >
            Bring back what I had typed
          </Button>
        )}
      </div>
      <div className="taskgrid">
        {isPreview ? (
          <Preview draft={draft} artifacts={artifacts} />
        ) : (
          <PostFields
            key={replacements}
            draft={draft}
            market={market}
            errors={errors}
            bytes={bytes}
            now={minute}
            onChange={change}
          >
            <AttachFiles files={files} session={session} isPrivate={false} />
            {who === 'proposals' ? (
              <ListingFields
                listing={listing}
                now={minute}
                onChange={(changes) => keep({ listing: { ...listing, ...changes } })}
              />
            ) : (
              <EscrowField
                value={draft.funding}
                note="Workers prefer funded tasks. Work starts only when escrow is full."
                later={`fund later, within ${showDuration(protocolConstants.activationWindowSeconds)} of the claim`}
                onChange={(funding) => change({ funding })}
              />
            )}
          </PostFields>
        )}
        <aside className="stack" aria-label="What will be signed">
          <FeeAboveReward
            market={market}
            total={post === null ? null : String(post.args.totalAmountTokWei)}
          />
          {who === 'anyone' ? (
            <BeforeSigning market={market} post={isUploaded ? post : null} todo={todo} onPosted={forget} />
          ) : (
            <PublishListing
              market={market}
              edited={edited ?? null}
              onPublished={forget}
              listing={
                post === null || !isUploaded
                  ? todo
                  : parseListing(draft, listing, { market, post, artifacts, now: minute })
              }
            />
          )}
        </aside>
      </div>
    </>
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
