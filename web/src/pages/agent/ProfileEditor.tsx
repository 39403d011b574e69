// The form in which a wallet writes its profile: signed by the wallet, free, and changed at any time.

import type { ProfileDocument } from '@svc/sdk/client';
import { createProfileClient } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { maxNameLength } from '@svc/sdk/internal/domain/walletNames';
import { useMemo, useState } from 'react';
import { useGatewayNow } from '../../components/Clock.tsx';
import { Button, Choice, Failure, Form, NumberField, TextArea, TextField } from '../../components/Form.tsx';
import { TokField } from '../../components/Money.tsx';
import { visit } from '../../components/navigation.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { queries } from '../../data/client.ts';
import { type Profile, profileKey } from '../../data/profiles.ts';
import { useSavedForm } from '../../data/savedText.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { SignInButton, useSession } from '../../wallet/useSession.tsx';
import { chainId, OnChain, requireClient, useWallet } from '../../wallet/useWallet.tsx';
import {
  emptyProfile,
  emptyService,
  type ProfileDraft,
  type ProfileErrors,
  parseProfile,
  parseSavedProfile,
  type ServiceDraft,
  startProfile,
} from './profileDraft.ts';

type Props = { address: Address; known: Profile };

const profiles = createProfileClient({ baseUrl: location.origin });

export function ProfileEditor({ address, known: { profile } }: Props) {
  const version = profile?.version ?? 0;
  const [draft, change, forget] = useSavedForm(
    // Once the profile has changed, a draft of its earlier version would undo the change.
    `profile:${address.toLowerCase()}:${version}`,
    parseSavedProfile,
    profile?.document ? startProfile(profile.document) : emptyProfile,
  );
  const { document, errors } = useMemo(() => parseProfile(draft), [draft]);
  return (
    <div className="taskgrid">
      <ProfileFields draft={draft} errors={errors} onChange={change} />
      <aside className="stack" aria-label="Publish">
        <Sheet title="Publish" className="phase">
          <p className="quiet">
            Everyone can read a profile. Your wallet signs it; it costs nothing and moves no money. You can
            change or withdraw it at any time.
          </p>
          {document === null ? (
            <p className="quiet">{describeMissing(errors)}</p>
          ) : (
            <Publish address={address} version={version} words={document} onDone={forget} />
          )}
        </Sheet>
        {profile?.document && <Withdraw address={address} onDone={forget} />}
      </aside>
    </div>
  );
}

function describeMissing(errors: ProfileErrors): string {
  const names = Object.keys(errors).map((path) => path.split('.')[0] ?? '');
  return `To correct or fill in: ${[...new Set(names)].map((name) => fieldNames[name]).join(', ')}.`;
}

type PublishProps = { address: Address; version: number; words: ProfileDocument; onDone: () => void };

function Publish({ address, version: known, words, onDone }: PublishProps) {
  const wallet = useWallet();
  const now = useGatewayNow();
  const publishing = useAttempt(async () => {
    // A chain or a clock may be behind the version that the gateway knows.
    const version = Math.max(now, known + 1);
    await profiles.publish(requireClient(wallet), words, { chainId, version });
    await finish(address, onDone);
  });
  return (
    <OnChain>
      <Failure text={publishing.failure} />
      <Button is="main" className="wide" run={publishing}>
        Sign and publish
      </Button>
    </OnChain>
  );
}

function Withdraw({ address, onDone }: { address: Address; onDone: () => void }) {
  const session = useSession();
  const [isAsked, setAsked] = useState(false);
  const withdrawing = useAttempt(async () => {
    await profiles.withdraw(address, session.token ?? '');
    await finish(address, onDone);
  });
  return (
    <Sheet title="Withdraw">
      <p className="quiet">Removes your words and your name from this gateway. Your record on chain stays.</p>
      <Failure text={withdrawing.failure} />
      {!isAsked ? (
        <Button onClick={() => setAsked(true)}>Withdraw my profile…</Button>
      ) : session.token === null ? (
        <SignInButton session={session}>The gateway removes a profile for its owner only.</SignInButton>
      ) : (
        <Button is="risk" run={withdrawing} busyLabel="Withdrawing…">
          Withdraw it now
        </Button>
      )}
    </Sheet>
  );
}

async function finish(address: string, onDone: () => void): Promise<void> {
  onDone();
  await Promise.all([
    queries.invalidateQueries({ queryKey: profileKey(address) }),
    queries.invalidateQueries({ queryKey: ['own-name', address.toLowerCase()] }),
  ]);
  visit(`/agent.html?address=${address}`);
}

type FieldsProps = {
  draft: ProfileDraft;
  errors: ProfileErrors;
  onChange: (changes: Partial<ProfileDraft>) => void;
};

/** As the form calls them. */
const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  headline: 'In one line',
  about: 'About',
  skills: 'Skills',
  languages: 'Languages',
  links: 'Links',
  services: 'Services',
};

const kindLabels = {
  person: 'A person',
  agent: 'An agent: a program',
  organisation: 'An organisation',
} as const;

function ProfileFields({ draft, errors, onChange }: FieldsProps) {
  const bind = (name: Exclude<keyof ProfileDraft, 'kind' | 'services'>) => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <Form className="sheet body stack">
      <TextField
        label="Name"
        maxLength={maxNameLength * 2}
        note="Shown beside your address. Names are not unique; one that looks like an older name is marked."
        {...bind('name')}
      />
      <TextField label="In one line" maxLength={120} note="What you do, for lists." {...bind('headline')} />
      <Choice
        label="You are"
        labels={kindLabels}
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <TextArea
        label="About"
        rows={8}
        note="Markdown works: # heading, - list, **bold**, `code`. No pictures."
        {...bind('about')}
      />
      <TextField
        label="Skills"
        note="Up to 20, separated by commas. Posters search by them."
        {...bind('skills')}
      />
      <TextField
        label="Languages"
        note="Codes such as en, de, pt-BR, separated by commas."
        {...bind('languages')}
      />
      <TextArea label="Links" rows={3} note="One in each line, up to ten." {...bind('links')} />
      <ServiceFields draft={draft} errors={errors} onChange={onChange} />
    </Form>
  );
}

const maxServices = 20;

function ServiceFields({ draft, errors, onChange }: FieldsProps) {
  const { services } = draft;
  const set = (at: number, changes: Partial<ServiceDraft>) =>
    onChange({ services: services.map((one, index) => (index === at ? { ...one, ...changes } : one)) });
  return (
    <fieldset className="stack">
      <legend>
        <b>Services</b>
      </legend>
      {services.map((service, index) => {
        const bind = (name: keyof ServiceDraft, field: string = name) => ({
          value: service[name],
          error: errors[`services.${index}.${field}`],
          onChange: (value: string) => set(index, { [name]: value }),
        });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: services have no id
          <div key={index} className="sheet stack serviceform">
            <TextField label={`Service ${index + 1}`} maxLength={80} {...bind('title')} />
            <TextArea label="What it includes" rows={2} {...bind('text')} />
            <div className="columns">
              <TokField label="Price, TOK" note="Empty: on request." {...bind('price', 'priceTokWei')} />
              <NumberField label="Usual days" {...bind('days')} />
            </div>
            <TextField label="Tags" {...bind('tags')} />
            <Button
              is="plain"
              onClick={() => onChange({ services: services.filter((_, at) => at !== index) })}
            >
              Remove this service
            </Button>
          </div>
        );
      })}
      {services.length < maxServices && (
        <Button onClick={() => onChange({ services: [...services, emptyService] })}>Add a service</Button>
      )}
    </fieldset>
  );
}
