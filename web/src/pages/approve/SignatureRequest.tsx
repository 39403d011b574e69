// Typed data that a tool has asked to be signed: shown field by field, then signed or rejected.

import { toPlain } from '@svc/sdk/domain';
import type { CreateRequest } from '@svc/sdk/schemas';
import { useState } from 'react';
import { signTypedData } from 'viem/actions';
import { Foreign } from '../../components/Foreign.tsx';
import { queries } from '../../data/client.ts';
import { toWords } from '../../data/format.ts';
import { sendResult } from '../../data/gateway.ts';
import { chainId } from '../../wallet/config.ts';
import { buildAddressBook, showField } from '../../wallet/decodeCall.ts';
import { explainFailure } from '../../wallet/send.ts';
import { readTypedData, type TypedData, type TypedField } from '../../wallet/typedFields.ts';
import { requireClient, useWallet } from '../../wallet/useWallet.ts';
import { Decision } from './Decision.tsx';
import { useSites } from './useSites.ts';

type Request = Extract<CreateRequest, { kind: 'signature' }>;

export function SignatureRequest({
  id,
  request,
  isOpen,
}: {
  readonly id: string;
  readonly request: Request;
  readonly isOpen: boolean;
}) {
  const wallet = useWallet();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const approve = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const signature = await signTypedData(requireClient(wallet), request.typedData as never);
      queries.setQueryData(['request', id], await sendResult(id, { status: 'signed', signature }));
    } catch (error) {
      setFailure(explainFailure(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Signed request={request} />
      {isOpen && (
        <Decision
          id={id}
          isBusy={isBusy}
          isReady={wallet?.isOnChain === true}
          failure={failure}
          busyWords="Follow the wallet…"
          approveWords="Approve and sign"
          onApprove={approve}
        />
      )}
    </>
  );
}

/** What would be signed, and where it counts. */
function Signed({ request }: { readonly request: Request }) {
  const sites = useSites();
  const typedData = readTypedData(request.typedData);
  if (typedData === null || typedData.fields.length === 0) {
    return (
      <section className="callcard stack">
        <h3>Sign something unreadable</h3>
        <p className="notice" data-is="risk">
          This page cannot read what would be signed. Reject it unless you know.
        </p>
        <Foreign label="As it was handed in" text={JSON.stringify(request.typedData, null, 2)} />
      </section>
    );
  }
  if (sites === null) return <p className="notice">Reading this service’s contracts…</p>;
  const { domain, primaryType, fields } = typedData;
  const registries = sites.map(({ contracts }) => contracts.taskRegistry.toLowerCase());
  const isOurs =
    registries.includes(String(domain.verifyingContract ?? '').toLowerCase()) &&
    Number(domain.chainId) === chainId;
  const texts = fields.filter(({ type }) => type === 'string');
  const figures = fields.filter(({ type }) => type !== 'string');
  const book = buildAddressBook(sites, request.from);
  /** Only what is ours has amounts and times that we know by their names. */
  const show = (field: TypedField) =>
    isOurs && typeof field.value !== 'object' ? showField(book, field, field.value) : showAny(field.value);
  return (
    <section className="callcard stack">
      <h3>{isOurs ? `Sign: ${toWords(toPlain(primaryType))}` : 'Sign something for another place'}</h3>
      {isOurs ? (
        <p className="quiet">It counts on this market’s task registry and nowhere else.</p>
      ) : (
        <Elsewhere typedData={typedData} />
      )}
      {texts.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: strangers may give two fields one name
        <Foreign key={index} label={toPlain(field.path)} text={showAny(field.value)} />
      ))}
      {figures.length > 0 && (
        <dl className="pairs">
          {figures.map((field, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: strangers may give two fields one name
            <div key={index} className="contents">
              <dt>{toPlain(field.path)}</dt>
              <dd>{show(field)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** A signature counts where its domain says; one for a foreign place may be worth money there. */
function Elsewhere({ typedData }: { readonly typedData: TypedData }) {
  return (
    <>
      <p className="notice" data-is="risk">
        It does not name a task registry of this service. Reject it unless you know what it is for.
      </p>
      <Foreign label="What it calls itself, and where it counts" text={showPlace(typedData)} />
    </>
  );
}

function showPlace({ domain, primaryType }: TypedData): string {
  const place = Object.entries(domain).map(([name, value]) => `${toWords(name)}: ${showAny(value)}`);
  return [primaryType, ...(place.length === 0 ? ['no place is named'] : place)].map(toPlain).join('\n');
}

function showAny(value: unknown): string {
  return toPlain(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
