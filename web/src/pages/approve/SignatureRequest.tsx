// A request for a signature over typed data: shown field by field, then signed or rejected.

import type { ExplainedSignature } from '@svc/sdk/actions';
import type { CreateRequest } from '@svc/sdk/client';
import { signDocument } from '@svc/sdk/client';
import { describeMisnamed, namesOfTypedData } from '@svc/sdk/internal/actions/explainCalls';
import { toPlain } from '@svc/sdk/internal/domain/text';
import { Notices } from '../../components/Money.tsx';
import { Loading } from '../../components/QueryView.tsx';
import { Facts } from '../../components/Sheet.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { toWords } from '../../data/format.ts';
import { useSiteConfigs } from '../../data/market.ts';
import { decideRequest } from '../../data/walletRequests.ts';
import { buildAddressBook, readField } from '../../wallet/decodeCall.ts';
import { ShownArgument } from '../../wallet/ShownArgument.tsx';
import { parseTypedData, type TypedData, type TypedField } from '../../wallet/typedFields.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { useExplainedSignature } from '../../wallet/useExplained.ts';
import { chainId, requireClient, useWallet } from '../../wallet/useWallet.tsx';
import { MoneyLines } from './CallMoney.tsx';
import { Decision } from './Decision.tsx';
import { MoneyState } from './RequestMoney.tsx';

type Request = Extract<CreateRequest, { kind: 'signature' }>;

export function SignatureRequest({ id, request, isOpen }: { id: string; request: Request; isOpen: boolean }) {
  const wallet = useWallet();
  const approving = useAttempt(async () => {
    const signature = await signDocument(requireClient(wallet), request.typedData);
    await decideRequest(id, request.from, { status: 'signed', signature });
  });
  const { explained, failure } = useExplainedSignature(request.typedData, request.from);
  const isExplained = explained !== undefined || failure !== null;
  const isStrange = parseTypedData(request.typedData) === null || explained === undefined;
  return (
    <>
      <SignedContent request={request} explained={explained} isUnread={failure !== null} />
      {isOpen && <MoneyState isRead={isExplained} failure={failure} />}
      {isOpen && (
        <Decision
          id={id}
          owner={request.from}
          approving={approving}
          isReady={wallet?.isOnChain === true && isExplained}
          isDoubtful={
            isStrange ||
            explained.dangers.length > 0 ||
            describeMisnamed(request.action, namesOfTypedData(request.typedData)) !== null
          }
          approveLabel="Approve and sign"
        />
      )}
    </>
  );
}

type SignedProps = { request: Request; explained: ExplainedSignature | undefined; isUnread: boolean };

/** What would be signed, and for which contract. */
function SignedContent({ request, explained, isUnread }: SignedProps) {
  const sites = useSiteConfigs();
  const typedData = parseTypedData(request.typedData);
  if (typedData === null || typedData.fields.length === 0) {
    return (
      <section className="sheet body callcard stack">
        <h3>Unreadable signature request</h3>
        <p className="notice" data-is="risk">
          This page cannot read what you would sign. Reject it unless you know what it is.
        </p>
        <UntrustedText label="The original data" text={JSON.stringify(request.typedData, null, 2)} />
      </section>
    );
  }
  if (sites === null) return <Loading what="the contracts of this service" />;
  const { domain, primaryType, fields } = typedData;
  const registries = sites.map(({ contracts }) => contracts.taskRegistry.toLowerCase());
  const isOurs =
    registries.includes(String(domain.verifyingContract ?? '').toLowerCase()) &&
    Number(domain.chainId) === chainId;
  const dangers = explained?.dangers ?? [];
  const misnamed = describeMisnamed(request.action, namesOfTypedData(request.typedData));
  // Sign-ins, messages and profiles are for no registry, and no danger.
  const isForeign = !isOurs && (isUnread || dangers.length > 0);
  const texts = fields.filter(({ type }) => type === 'string');
  const figures = fields.filter(({ type }) => type !== 'string');
  const book = buildAddressBook(sites, request.from);
  /** Only in our own types do the field names say what is an amount or a time. */
  const show = (field: TypedField) =>
    isOurs && typeof field.value !== 'object' ? (
      <ShownArgument argument={readField(book, field, field.value)} />
    ) : (
      showAny(field.value)
    );
  return (
    <section className="sheet body callcard stack">
      <h3>{isForeign ? 'Sign something for another contract' : `Sign: ${toWords(toPlain(primaryType))}`}</h3>
      <Notices is="risk" texts={[...(misnamed === null ? [] : [misnamed]), ...dangers]} />
      {explained !== undefined && <MoneyLines {...explained} owner={request.from as `0x${string}`} />}
      {explained?.when != null && <p>{explained.when}</p>}
      {isOurs && (
        <>
          {fields.some(({ name }) => name === 'criteriaHash') && (
            <p className="notice" data-is="time">
              The signature covers the acceptance criteria, of which this request has only the hash. Read them
              where you agreed on them before you sign.
            </p>
          )}
          <p className="quiet">The signature is valid only for this market’s task registry.</p>
        </>
      )}
      {isForeign && (
        // A signature is valid where its domain says; for an unknown contract it may give away money.
        <>
          <p className="notice" data-is="risk">
            This is not for a task registry of this service. Reject it unless you know what it is for.
          </p>
          <UntrustedText label="Its own name and domain" text={showDomain(typedData)} />
        </>
      )}
      {texts.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have the same name
        <UntrustedText key={index} label={toPlain(field.path)} text={showAny(field.value)} />
      ))}
      {figures.length > 0 && (
        <Facts facts={figures.map((field) => [toPlain(field.path), show(field)] as const)} />
      )}
    </section>
  );
}

function showDomain({ domain, primaryType }: TypedData): string {
  const lines = Object.entries(domain).map(([name, value]) => `${toWords(name)}: ${showAny(value)}`);
  return [primaryType, ...(lines.length === 0 ? ['no domain is given'] : lines)].map(toPlain).join('\n');
}

function showAny(value: unknown): string {
  return toPlain(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
