// Typed data that a tool has asked to be signed: shown field by field, then signed or rejected.
import { useState } from 'react';
import { signTypedData } from 'viem/actions';
import { toShown } from '#domain/text.ts';
import type { CreateRequest } from '#schemas/walletRequest.ts';
import { queries } from '../../data/client.ts';
import { toWords } from '../../data/format.ts';
import { sendResult } from '../../data/gateway.ts';
import { useSiteConfig } from '../../data/market.ts';
import { buildAddressBook, showField } from '../../wallet/decodeCall.ts';
import { explainFailure } from '../../wallet/send.ts';
import { useWallet } from '../../wallet/useWallet.ts';
import { Decision } from './Decision.tsx';

type Request = Extract<CreateRequest, { kind: 'signature' }>;
type Fields = Readonly<Record<string, unknown>>;
type TypedData = {
  readonly domain?: Fields;
  readonly message?: Fields;
  readonly primaryType?: unknown;
  readonly types?: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
};

export function SignatureRequest({
  id,
  request,
  isOpen,
}: {
  readonly id: string;
  readonly request: Request;
  readonly isOpen: boolean;
}) {
  const client = useWallet()?.client ?? null;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { domain = {}, message = {}, primaryType, types } = request.typedData as TypedData;
  const sites = [useSiteConfig('standard').data, useSiteConfig('micro').data].filter(
    (site) => site !== undefined,
  );
  const book = buildAddressBook(sites, request.from);
  const registries = sites.map(({ contracts }) => contracts.taskRegistry.toLowerCase());
  const isOurs = registries.includes(String(domain.verifyingContract ?? '').toLowerCase());
  const fieldOf = (name: string) => types?.[String(primaryType)]?.find((field) => field.name === name);
  /** Only what is ours has amounts and times that we know by their names. */
  const show = (name: string, value: unknown) => {
    const field = fieldOf(name);
    if (isOurs && field !== undefined && typeof value !== 'object') return showField(book, field, value);
    return toShown(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  const approve = async () => {
    if (client === null) return setFailure('The wallet is not ready; connect it again.');
    setBusy(true);
    setFailure(null);
    try {
      const signature = await signTypedData(client, request.typedData as never);
      queries.setQueryData(['request', id], await sendResult(id, { status: 'signed', signature }));
    } catch (error) {
      setFailure(explainFailure(error));
    }
    setBusy(false);
  };
  return (
    <>
      <section className="callcard stack">
        <h3>Sign: {toWords(toShown(String(primaryType)))}</h3>
        <Place domain={domain} isOurs={isOurs} />
        <dl className="pairs">
          {Object.entries(message).map(([name, value]) => (
            <div key={name} className="contents">
              <dt>{toWords(toShown(name))}</dt>
              <dd>{show(name, value)}</dd>
            </div>
          ))}
        </dl>
      </section>
      {isOpen && (
        <Decision
          id={id}
          isBusy={isBusy}
          failure={failure}
          busyWords="Follow the wallet…"
          approveWords="Approve and sign"
          onApprove={approve}
        />
      )}
    </>
  );
}

/** A signature counts where its domain says; one for a foreign place may be worth money there. */
function Place({ domain, isOurs }: { readonly domain: Fields; readonly isOurs: boolean }) {
  if (isOurs) return <p className="quiet">It counts on this market’s task registry and nowhere else.</p>;
  const at = String(domain.verifyingContract ?? '').toLowerCase();
  return (
    <p className="notice" data-is="risk">
      It does not name a task registry of this service ({toShown(String(domain.name ?? 'no name'))}, contract{' '}
      {toShown(at || 'none')}). Reject it unless you know what it is for.
    </p>
  );
}
