// The small shape behind which messages travel.
import type { Address } from '@svc/sdk/domain';

export const transportNames = ['local', 'xmtp'] as const;
export type TransportName = (typeof transportNames)[number];

export type Received = {
  /** Oldest first, from anybody. */
  readonly texts: readonly string[];
  /** Where to go on the next time. */
  readonly cursor: string | null;
};

export type Transport = {
  readonly name: TransportName;
  /** What stands in `sender.xmtpPublicKey`. Throws TRANSPORT_UNREACHABLE. */
  readonly readPublicKey: () => Promise<string>;
  /** Answers once the message cannot get lost any more. Throws TRANSPORT_UNREACHABLE. */
  readonly send: (to: Address, text: string) => Promise<void>;
  /** What came after the cursor, at least; null asks for everything. Throws TRANSPORT_UNREACHABLE. */
  readonly receive: (cursor: string | null) => Promise<Received>;
  readonly close: () => Promise<void>;
};
