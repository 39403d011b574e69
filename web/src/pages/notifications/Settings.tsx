// The settings of notifications: channels with their state, new channels, quiet hours.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago } from '../../components/Clock.tsx';
import { Button, Choice, Failure, Form, TextField } from '../../components/Form.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { Sheet, Status } from '../../components/Sheet.tsx';
import { type NoticeChannel, type Notifications, settingsOf } from '../../data/notificationRequests.ts';
import { canPush, subscribeBrowser } from '../../data/pushSubscription.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { useSessionEnd } from '../../wallet/useSession.tsx';
import { SavedSearches } from './SavedSearches.tsx';

type Ask = ReturnType<typeof settingsOf>;

/** While something waits for its confirmation, which comes from elsewhere. */
const watchMs = 2_000;

export function Settings({ token }: { token: string }) {
  const ask = settingsOf(token);
  const client = useQueryClient();
  const queryKey = ['notifications', token];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask.read(signal),
    refetchInterval: ({ state }) =>
      state.data?.channels.some((one) => one.state === 'unconfirmed') === true ? watchMs : false,
  });
  useSessionEnd(query.error);
  const onChange = () => void client.invalidateQueries({ queryKey });
  return (
    <QueryView query={query} what="your notifications">
      {(settings) => (
        <div className="stack">
          <Channels ask={ask} channels={settings.channels} onChange={onChange} />
          <NewChannels ask={ask} offers={settings.offers} onChange={onChange} />
          <SavedSearches ask={ask} searches={settings.searches} onChange={onChange} />
          <QuietHours ask={ask} settings={settings} onChange={onChange} />
        </div>
      )}
    </QueryView>
  );
}

const kindNames = { email: 'E-mail', push: 'Browser', webhook: 'Webhook' } as const;

type Props = { ask: Ask; onChange: () => void };

function Channels({ ask, channels, onChange }: Props & { channels: readonly NoticeChannel[] }) {
  return (
    <Sheet title="Where you are reached">
      {channels.length === 0 && (
        <p>Nowhere yet. Add an e-mail address or this browser below, so that you miss no deadline.</p>
      )}
      <ul className="stack">
        {channels.map((channel) => (
          <ChannelRow key={channel.id} ask={ask} channel={channel} onChange={onChange} />
        ))}
      </ul>
    </Sheet>
  );
}

function ChannelRow({ ask, channel, onChange }: Props & { channel: NoticeChannel }) {
  const { id, kind, address, state, failure, waiting, sentAt } = channel;
  const testing = useAttempt(() => ask.test(id));
  const removing = useAttempt(() => ask.remove(id).then(onChange));
  return (
    <li className="stack">
      <div className="row">
        <b>{kindNames[kind]}</b>
        <span className="mono">{address}</span>
        {state === 'confirmed' && <Status tone="done">confirmed</Status>}
        {state === 'unconfirmed' && <Status tone="time">waits for its confirmation</Status>}
        {state === 'failed' && <Status tone="risk">failed</Status>}
      </div>
      <p className="small quiet">
        {state === 'unconfirmed' && explainConfirmation[kind]}
        {state === 'failed' && 'It gets no more notices. Remove it, or add it again and confirm it.'}
        {state === 'confirmed' &&
          (sentAt === null ? (
            'Nothing was sent yet.'
          ) : (
            <>
              Last notice <Ago time={sentAt} />.
            </>
          ))}
        {failure !== null && ` The last attempt failed: ${failure.reason}.`}
        {state === 'confirmed' && waiting > 0 && ` ${waiting} waiting.`}
      </p>
      <div className="row">
        {state === 'confirmed' && (
          <Button run={testing} busyLabel="Sending…">
            Send a test notice
          </Button>
        )}
        <Button run={removing} busyLabel="Removing…">
          Remove
        </Button>
        {testing.result !== undefined && <span role="status">It is on its way.</span>}
      </div>
      <Failure text={testing.failure ?? removing.failure} className="error" />
    </li>
  );
}

const explainConfirmation = {
  email: 'We sent one e-mail. Open its link and press the button there.',
  push: 'It confirms itself within seconds, as soon as your browser has its first message.',
  webhook: 'It got a message of type notice.confirm. Send its token to /v1/notifications/confirmations.',
} as const;

function NewChannels({ offers, ...props }: Props & Pick<Notifications, 'offers'>) {
  return (
    <Sheet title="Add a channel">
      {offers.email && <NewAddress {...props} />}
      {offers.isMailCaught && (
        <p className="notice">
          This market runs on your own machine and sends no e-mail. <a href="/dev/mail">/dev/mail</a> shows
          what would have been sent; its links work.
        </p>
      )}
      {canPush() && <NewBrowser {...props} pushKey={offers.pushKey} />}
      <details>
        <summary>A webhook, for programs</summary>
        <NewWebhook {...props} />
      </details>
    </Sheet>
  );
}

function NewAddress({ ask, onChange }: Props) {
  const [email, setEmail] = useState('');
  const adding = useAttempt(async () => {
    await ask.add({ kind: 'email', email });
    setEmail('');
    onChange();
  });
  return (
    <Form onSubmit={() => void adding.start()}>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={setEmail}
        note="It gets one confirmation, and nothing else until you press its button. Stored encrypted."
      />
      <Failure text={adding.failure} />
      <div className="row">
        <Button type="submit" is="main" isBusy={adding.isBusy} busyLabel="Adding…">
          Add this address
        </Button>
      </div>
    </Form>
  );
}

function NewBrowser({ ask, onChange, pushKey }: Props & { pushKey: string }) {
  const adding = useAttempt(async () => {
    await ask.add(await subscribeBrowser(pushKey));
    onChange();
  });
  return (
    <>
      <Failure text={adding.failure} />
      <div className="row">
        <Button run={adding} busyLabel="Adding…">
          Add this browser
        </Button>
        <span className="small quiet">Also while no page of this site is open.</span>
      </div>
    </>
  );
}

function NewWebhook({ ask, onChange }: Props) {
  const [url, setUrl] = useState('');
  const adding = useAttempt(async () => {
    const { secret } = await ask.add({ kind: 'webhook', url });
    setUrl('');
    onChange();
    return secret;
  });
  return (
    <Form onSubmit={() => void adding.start()}>
      <TextField
        label="URL"
        type="url"
        required
        value={url}
        onChange={setUrl}
        note="Signed by the Standard Webhooks specification."
      />
      <Failure text={adding.failure} />
      <div className="row">
        <Button type="submit" isBusy={adding.isBusy} busyLabel="Adding…">
          Add this webhook
        </Button>
      </div>
      {adding.result != null && (
        <p className="notice">
          The secret of this webhook, shown only now: <code>{adding.result}</code>
        </p>
      )}
    </Form>
  );
}

function QuietHours({ ask, settings, onChange }: Props & { settings: Notifications }) {
  const { quietHours } = settings;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [isOn, setOn] = useState(quietHours !== null);
  const [from, setFrom] = useState(quietHours?.from ?? '22:00');
  const [to, setTo] = useState(quietHours?.to ?? '07:00');
  const [timeZone, setTimeZone] = useState(settings.timeZone);
  const saving = useAttempt(async () => {
    const saved = await ask.saveQuiet({ quietHours: isOn ? { from, to } : null, timeZone });
    onChange();
    return saved;
  });
  return (
    <Sheet title="Quiet hours and time zone">
      <Form onSubmit={() => void saving.start()}>
        <Choice
          label="When"
          labels={{ any: 'At any time', notQuiet: 'Not in quiet hours, except last calls' }}
          value={isOn ? 'notQuiet' : 'any'}
          onChange={(value) => setOn(value === 'notQuiet')}
        />
        {isOn && (
          <div className="row">
            <TextField label="From" type="time" required value={from} onChange={setFrom} />
            <TextField label="To" type="time" required value={to} onChange={setTo} />
          </div>
        )}
        <TextField
          label="Time zone"
          required
          value={timeZone}
          onChange={setTimeZone}
          note="Notices show times in this zone, and quiet hours go by it."
        />
        {timeZone !== here && (
          <p>
            <Button is="plain" onClick={() => setTimeZone(here)}>
              Use the zone of this browser, {here}
            </Button>
          </p>
        )}
        <div className="row">
          <Button type="submit" isBusy={saving.isBusy} busyLabel="Saving…">
            Save
          </Button>
          {saving.result !== undefined && saving.failure === null && <span role="status">Saved.</span>}
        </div>
        <Failure text={saving.failure} className="error" />
      </Form>
    </Sheet>
  );
}
