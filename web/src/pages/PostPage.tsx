// Posts a task: the form, and beside it what will be signed with its hashes, fee and collateral.

import { taskRegistryAbi } from '@svc/contracts/abi';
import { formatTaskId, hashMilestones, type Market, protocolConstants } from '@svc/sdk/domain';
import { postTask } from '@svc/sdk/internal/actions/postTask';
import type { Artifact } from '@svc/sdk/schemas';
import { useEffect, useMemo, useRef, useState } from 'react';
import { parseEventLogs } from 'viem';
import { useNow } from '#components/Clock.tsx';
import { Button, Failure, Switch } from '#components/Form.tsx';
import { Hex } from '#components/Hex.tsx';
import { Tok } from '#components/Money.tsx';
import { Link, useSearch, visit } from '#components/navigation.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { Facts, Sheet, TechnicalFacts } from '#components/Sheet.tsx';
import { showDuration, showMoment } from '#data/format.ts';
import { useListing } from '#data/listings.ts';
import { useSiteConfig } from '#data/market.ts';
import { parseAmount } from '#data/parseAmount.ts';
import { RiskNotes } from '#wallet/ActionDialog.tsx';
import { AttachFiles } from '#wallet/AttachFiles.tsx';
import { usePlan } from '#wallet/marketAccess.ts';
import { PlanView, SendButton, usePlanSimulation } from '#wallet/PlanView.tsx';
import { type Attachment, type Attachments, useAttachments } from '#wallet/useAttachments.ts';
import { type Premise, usePremise } from '#wallet/usePremise.ts';
import { useSending } from '#wallet/useSending.ts';
import { useSession } from '#wallet/useSession.tsx';
import { ChooseWallet, useWallet, WrongChain } from '#wallet/useWallet.tsx';
import { parseListing, startListing } from './listing/listingDraft.ts';
import { ListingFields, PublishListing } from './listing/PublishListing.tsx';
import {
  type Draft,
  describeErrors,
  emptyDraft,
  emptyListing,
  forgetDraft,
  isBlank,
  type ListingForm,
  newDraft,
  type Post,
  parseDraft,
  readDraft,
  saveDraft,
  splitTags,
} from './post/draft.ts';
import { QuotaNote, useQuotaChange } from './post/Plans.tsx';
import { EscrowField, PostFields } from './post/PostFields.tsx';
import { type Template, templates } from './post/templates.ts';
import { WhoMayTake, whoNames } from './post/WhoMayTake.tsx';
import { Brief, MilestoneList, Tags, Title } from './task/Brief.tsx';

export function PostPage({ market }: { market: Market }) {
  const search = useSearch();
  const who = search.get('who');
  const edit = search.get('edit');
  if (who === 'proposals' && edit !== null) return <EditListing id={edit} />;
  if (who === 'proposals' || who === 'anyone') return <PostForm key={who} market={market} who={who} />;
  return <WhoMayTake market={market} />;
}

/** The form with a listing that is to be changed. */
function EditListing({ id }: { id: string }) {
  const now = useNow();
  return (
    <QueryView query={useListing(id)} what="the listing" shape="form">
      {(listing) =>
        listing.document === null ? (
          <p className="notice">This listing is closed.</p>
        ) : (
          <PostForm
            market={listing.market}
            who="proposals"
            edited={{ ...startListing(listing, listing.document, now), id, version: listing.version }}
            artifacts={listing.document.task.artifacts}
          />
        )
      }
    </QueryView>
  );
}

type PostFormProps = {
  market: Market;
  who: 'anyone' | 'proposals';
  edited?: { id: string; version: number; draft: Draft; listing: ListingForm };
  artifacts?: readonly Artifact[] | undefined;
};

function PostForm({ market, who, edited, artifacts: known = [] }: PostFormProps) {
  // Once the listing has changed, a draft of its earlier version would undo the change.
  const name = edited === undefined ? newDraft : `${newDraft}:${edited.id}:${edited.version}`;
  const [start] = useState(
    () => readDraft(name) ?? { draft: emptyDraft, listing: emptyListing, ...edited, artifacts: known },
  );
  const [listing, setListing] = useState(start.listing);
  const [draft, setDraft] = useState(start.draft);
  // What a template or "Start again" replaced, so that nothing typed is lost.
  const [replaced, setReplaced] = useState<Draft | null>(null);
  const [isPreview, setPreview] = useState(false);
  const [replacements, setReplacements] = useState(0);
  const session = useSession();
  const files = useAttachments({ scope: 'open' }, session.token, start.artifacts);
  const [artifacts, uploaded] = useMemo(
    () => [artifactsIn(files.list, ['ready', 'done']), artifactsIn(files.list, ['done'])],
    [files.list],
  );
  const minute = Math.floor(useNow() / 60) * 60;
  const { post, errors } = useMemo(
    () => parseDraft(draft, market, minute, artifacts),
    [draft, market, minute, artifacts],
  );
  // Bytes that are not uploaded are gone with the page.
  useEffect(() => saveDraft(name, { draft, listing, artifacts: uploaded }), [name, draft, listing, uploaded]);
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const replace = (next: Draft) => {
    setReplaced(isBlank(draft) ? null : draft);
    setDraft(next);
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
              setDraft(replaced);
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
            now={minute}
            onChange={change}
          >
            <AttachFiles files={files} session={session} isPrivate={false} />
            {who === 'proposals' ? (
              <ListingFields
                listing={listing}
                now={minute}
                onChange={(changes) => setListing({ ...listing, ...changes })}
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
            <BeforeSigning market={market} post={isUploaded ? post : null} todo={todo} />
          ) : (
            <PublishListing
              market={market}
              edited={edited ?? null}
              onPublished={() => forgetDraft(name)}
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

/** The page of the task as everyone will see it. */
function Preview({ draft, artifacts }: { draft: Draft; artifacts: readonly Artifact[] }) {
  const { title, tags, description, criteria, milestones, milestoneTexts } = draft;
  return (
    <div className="stack preview">
      <header className="taskhead">
        <Title text={title.trim() || 'Your title'} />
        <Tags tags={splitTags(tags)} />
      </header>
      <Brief words={{ description, criteria, artifacts }}>
        {description.trim() === '' && criteria.trim() === '' && (
          <p className="quiet">
            Nothing is written yet. What you write is shown here as others will read it.
          </p>
        )}
      </Brief>
      {milestones.length > 1 && (
        <MilestoneList
          note={`${milestones.length} parts, paid one after the other`}
          milestones={milestones.map((amount, index) => ({
            amountTokWei: String(parseAmount(amount) ?? 0n),
            description: milestoneTexts[index],
            state: 'later',
          }))}
        />
      )}
    </div>
  );
}

type BeforeSigningProps = {
  market: Market;
  post: Post | null;
  /** What is left to do in the form. */
  todo: string;
};

function BeforeSigning({ market, post, todo }: BeforeSigningProps) {
  const wallet = useWallet();
  const sending = useSending();
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const args = post === null ? null : post.args;
  const isIdle = sending.progress === null;
  const { plan: known, planAgain, isPlanning, error } = usePlan(postTask, market, args, isIdle);
  // The plan of the form as it was is not what its reader sees now; calls that were started are still followed.
  const plan = post === null && sending.progress === null ? undefined : known;
  const simulated = usePlanSimulation(plan, isIdle);
  const costs = usePremise({ action: postTask, task: undefined, plan, planAgain, sending });
  const quota = useQuotaChange(market, wallet?.address);
  const premise: Premise = {
    change: costs.change ?? (sending.mayAsk ? quota.change : null),
    check: costs.check,
    accept: () => {
      costs.accept();
      quota.accept();
    },
  };
  return (
    <Sheet className="phase" title="Before you sign">
      {post === null ? <p className="quiet">{todo}</p> : <TermsSummary post={post} />}
      {wallet === null && (
        <>
          <p className="quiet">
            Connect a wallet to see the fee and the collateral, and to post. The form keeps its contents.
          </p>
          <ChooseWallet isMain />
        </>
      )}
      {wallet !== null && <QuotaNote market={market} address={wallet.address} />}
      {wallet?.isOnChain === false && <WrongChain />}
      <Failure text={error} />
      {plan !== undefined && <PlanView plan={plan} simulated={simulated} sending={sending} />}
      {wallet?.isOnChain === true && (
        <SendButton
          plan={plan}
          simulated={simulated}
          sending={sending}
          isPlanning={post !== null && isPlanning}
          premise={premise}
          onSent={(receipts) => {
            const logs = receipts.flatMap((receipt) => receipt.logs);
            const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
            // Who has left may be writing the next post by now.
            if (posted === undefined || !isMounted.current) return;
            forgetDraft(newDraft);
            visit(`/market.html?task=${formatTaskId({ market, number: posted.args.taskId })}`);
          }}
        />
      )}
      <RiskNotes risk={postTask.risk()} undo={postTask.undo} />
    </Sheet>
  );
}

/** The terms that a claim's digest will cover. The digest includes the worker, so it exists only after a claim. */
function TermsSummary({ post }: { post: Post }) {
  return (
    <>
      <Facts
        facts={{
          Deadline: showMoment(post.deadline),
          Review: `${showDuration(post.reviewPeriod)} for each delivery, then silence pays it`,
        }}
      />
      <TechnicalFacts
        facts={{
          'Criteria hash': <Hex value={post.criteriaHash} name="Criteria hash" />,
          'Milestones hash': <Hex value={hashMilestones(post.milestonesTokWei)} name="Milestones hash" />,
          Digest: 'of these terms and the worker, computed at the claim',
        }}
      />
    </>
  );
}
