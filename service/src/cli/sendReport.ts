// What a command that sent a message tells about it.
import { toShown } from '@svc/sdk/domain';
import type { Sent } from '#messages/agent.ts';
import type { TransportName } from '#messages/transport.ts';

type Given = { readonly transport: TransportName; readonly asJson: boolean };

/** Answers the exit code: 1 while the message lies in the outbox. */
export function reportSent({ signed, to, kept }: Sent, { transport, asJson }: Given): number {
  const { type, negotiationId, sequence, payload } = signed.envelope;
  const { settlementDigest } = payload;
  if (asJson) {
    const report = {
      negotiationId,
      type,
      sequence,
      hash: signed.hash,
      to,
      transport,
      ...(settlementDigest !== undefined && { settlementDigest }),
      delivered: kept === null,
      ...(kept !== null && { kept }),
    };
    console.log(JSON.stringify(report));
  } else {
    console.log(`${toShown(type)}, message ${sequence} of the negotiation ${negotiationId}, to ${to}`);
  }
  if (kept === null) return 0;
  console.error(
    `${kept}\nIt is kept in the outbox; the next svc send or svc inbox sends it. Do not send it again.`,
  );
  return 1;
}
