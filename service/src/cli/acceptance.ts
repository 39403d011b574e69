// The payload of an acceptance: a wallet's signature under the terms that lie on the table.

import { buildTermsTypedData, SvcError } from '@svc/sdk/domain';
import type { Transcript } from '@svc/sdk/negotiation';
import { findAcceptable, readNegotiation, toContractTerms } from '@svc/sdk/negotiation';
import type { TermsDocument } from '@svc/sdk/schemas';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

export type AcceptanceOptions = {
  /** Of the offer that was looked at; else it is the one that lies on the table first. */
  readonly digest?: Hex | undefined;
  /** Throws where the terms must not be signed. */
  readonly check?: (terms: TermsDocument) => void;
};

/**
 * What it answers builds the payload, as often as it takes to send it, for one and the same offer: another one that arrives
 * meanwhile was seen by nobody. Throws NEGOTIATION_CLOSED then, and where there is a veto, or nothing to accept.
 */
export function createAcceptance(account: PrivateKeyAccount, { digest, check }: AcceptanceOptions = {}) {
  let chosen = digest;
  return async (transcript: Transcript) => {
    const { terms: document, settlementDigest } = findAcceptable(
      readNegotiation(transcript),
      account.address,
      new Date(),
    );
    chosen ??= settlementDigest;
    if (settlementDigest !== chosen)
      throw new SvcError('NEGOTIATION_CLOSED', {
        reason: `Another offer lies on the table now: ${settlementDigest}, not ${chosen}. Look at it with svc inbox.`,
      });
    check?.(document);
    const { terms, place } = toContractTerms(document);
    return { settlementDigest, signature: await account.signTypedData(buildTermsTypedData(terms, place)) };
  };
}
