// What clients of the tools may do for a wallet: the question of one, and the list of those that were granted.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago, Countdown } from '../components/Clock.tsx';
import { Button, Failure } from '../components/Form.tsx';
import { PageHead } from '../components/MarketHeader.tsx';
import { GatewayOnly, QueryView } from '../components/QueryView.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { UntrustedText } from '../components/UntrustedText.tsx';
import { showMoment } from '../data/format.ts';
import { views } from '../data/pageList.ts';
import { useAttempt } from '../wallet/useAttempt.ts';
import { SignedIn, useSessionEnd } from '../wallet/useSession.tsx';
import { chainId, OnChain, requireClient, useWallet } from '../wallet/useWallet.tsx';

type Question = {
  readonly proof: string;
  readonly client: string;
  readonly clientName: string | null;
  readonly clientHost: string | null;
  readonly redirect: string;
  readonly redirectHost: string;
  readonly isLoopback: boolean;
  readonly gateway: string;
  readonly resource: string;
  readonly codeChallenge: string;
  readonly scopes: readonly { readonly name: string; readonly says: string }[];
  readonly maxSeconds: number;
  readonly expiresAt: number;
};

type Connection = Pick<Question, 'clientName' | 'clientHost' | 'redirect'> & {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly endsAt: number;
};

async function ask<Reply>(path: string, init: RequestInit = {}, body?: object): Promise<Reply> {
  const { askGateway } = await import('../data/gatewayRequests.ts');
  const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return (await askGateway(path, { cache: 'no-store', ...init, ...sent })) as Reply;
}

export function ConnectionsPage() {
  const id = new URLSearchParams(location.search).get('consent');
  if (id !== null) return <ConsentPage id={id} />;
  return (
    <>
      <PageHead title={views.connections.heading} lead={views.connections.lead} />
      <GatewayOnly what="your connected agents">
        <SignedIn
          connect="Connect a wallet to see which agents it has connected."
          signIn="Sign in once, so that only you see and end them."
        >
          {(own, { token }) => <Connections key={own} token={token} />}
        </SignedIn>
      </GatewayOnly>
    </>
  );
}

function ConsentPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['consent', id],
    queryFn: ({ signal }) => ask<Question>(`/oauth/consents/${encodeURIComponent(id)}`, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryView query={query} what="the question">
      {(question) => <Consent id={id} question={question} />}
    </QueryView>
  );
}

/** The host that vouches for a client stands first: its name is only what it calls itself. */
function Consent({ id, question }: { id: string; question: Question }) {
  const { clientHost, clientName, redirectHost, isLoopback, scopes, maxSeconds, gateway, proof } = question;
  const wallet = useWallet();
  const [validUntil] = useState(() => Math.floor(Date.now() / 1_000) + maxSeconds);
  const path = `/oauth/consents/${encodeURIComponent(id)}`;
  const leave = ({ redirect }: { readonly redirect: string }) => location.assign(redirect);
  const allowing = useAttempt(async () => {
    const client = requireClient(wallet);
    const { signGrant } = await import('@svc/sdk/client');
    const signature = await signGrant(client as never, chainId, {
      gateway,
      resource: question.resource,
      client: question.client,
      redirect: question.redirect,
      scopes: scopes.map(({ name }) => name).join(' '),
      validUntil,
      codeChallenge: question.codeChallenge,
    });
    leave(
      await ask(path, { method: 'POST' }, { wallet: client.account.address, validUntil, signature, proof }),
    );
  });
  const denying = useAttempt(async () => leave(await ask(path, { method: 'DELETE' }, { proof })));
  const who = clientHost ?? (isLoopback ? 'A program on this computer' : redirectHost);
  return (
    <>
      <PageHead title={`${who} wants to connect`} lead={`You go back to ${redirectHost} afterwards.`} />
      <div className="stack">
        {clientName !== null && <UntrustedText label="It calls itself" text={clientName} />}
        {clientHost === null && (
          <p className="notice" data-is="time">
            Nobody vouches for this name. Go on only if you have just started it yourself
            {isLoopback ? ' on this computer' : ''}.
          </p>
        )}
        <Sheet title="What it may do">
          <ul>
            {scopes.map(({ name, says }) => (
              <li key={name}>{says}</li>
            ))}
          </ul>
          <p>
            Until {showMoment(validUntil)}, or until you end it. It cannot move money and cannot sign for you.
          </p>
          <OnChain connect="Connect the wallet that it may read for.">
            <Failure text={allowing.failure ?? denying.failure} className="error" />
            <div className="row">
              <Button is="main" disabled={wallet?.client == null} run={allowing}>
                Allow
              </Button>
              <Button run={denying} busyLabel="Sending you back…">
                Do not allow
              </Button>
            </div>
          </OnChain>
        </Sheet>
      </div>
    </>
  );
}

function Connections({ token }: { token: string }) {
  const client = useQueryClient();
  const headers = { authorization: `Bearer ${token}` };
  const queryKey = ['connections', token];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      ask<{ connections: readonly Connection[] }>('/oauth/connections', { signal, headers }),
  });
  useSessionEnd(query.error);
  const ending = useAttempt(async (id: string) => {
    await ask(`/oauth/connections/${encodeURIComponent(id)}`, { method: 'DELETE', headers });
    await client.invalidateQueries({ queryKey });
  });
  return (
    <QueryView query={query} what="your connected agents">
      {({ connections }) => (
        <Sheet title="Connected now">
          <Failure text={ending.failure} className="error" />
          {connections.length === 0 && (
            <p>None. An agent asks when it first reads your messages at this gateway.</p>
          )}
          <ul className="stack">
            {connections.map(({ id, clientHost, clientName, redirect, createdAt, endsAt }) => (
              <li key={id} className="row">
                <span>
                  <b>{clientHost ?? new URL(redirect).host}</b>
                  {clientName !== null && (
                    <>
                      {' '}
                      calls itself <bdi>{clientName}</bdi>
                    </>
                  )}
                  . Reads your messages since <Ago time={createdAt} />, ends <Countdown to={endsAt} isCalm />.
                </span>
                <Button onClick={() => void ending.start(id)} isBusy={ending.isBusy} busyLabel="Ending…">
                  End
                </Button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </QueryView>
  );
}
