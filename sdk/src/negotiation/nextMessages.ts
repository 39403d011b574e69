// The status of a negotiation and the messages that may come next.
import { type Address, isSameAddress } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import { milestoneNumber } from '../domain/task.ts';
import { findAcceptanceMistake } from '../domain/terms.ts';
import type { MessageType } from '../schemas/envelope.ts';
import type { Negotiation, Offer } from './negotiation.ts';

/**
 * `tasked`: the chain has the task. `forked`: one sender wrote two messages at one place. `signed`: both signed, and the chain
 * was not asked whether the contracts accept the signatures; `agreed`: they do.
 */
export type NegotiationStatus =
  | 'talking'
  | 'offered'
  | 'accepted-by-one'
  | 'signed'
  | 'agreed'
  | 'expired'
  | 'vetoed'
  | 'forked'
  | 'tasked';

export type NextMessage = {
  readonly by: Address;
  readonly type: MessageType;
  readonly why: string;
  /** Unix seconds; null without an end. */
  readonly until: number | null;
};

/** `now` is the chain's clock, which decides about acceptBy. */
export function statusOf(state: Negotiation, now: Date): NegotiationStatus {
  const { offer, acceptances, agreement, vetoes, taskId, isForked, isChecked, isWithdrawn } = state;
  if (taskId !== undefined) return 'tasked';
  if (isForked) return 'forked';
  if (vetoes.length > 0) return 'vetoed';
  if (offer === null) return 'talking';
  if (isWithdrawn || isPast(offer.expiresAt, now)) return 'expired';
  if (agreement?.offerHash === offer.hash) return isChecked ? 'agreed' : 'signed';
  return acceptances.length > 0 ? 'accepted-by-one' : 'offered';
}

function message(by: Address, type: MessageType, why: string, until: number | null = null): NextMessage {
  return { by, type, why, until };
}

/** The messages that change the status. Evidence, proofs and links may be sent at any time. */
export function listNext(state: Negotiation, now: Date): NextMessage[] {
  const both = [state.parties.opener, state.parties.other];
  const fromBoth = (type: MessageType, why: string) => both.map((by) => message(by, type, why));
  switch (statusOf(state, now)) {
    case 'talking':
      return fromBoth('TaskProposal', 'There is no offer yet.');
    case 'expired':
      return fromBoth(
        'TaskCounterOffer',
        state.isWithdrawn ? 'The offer was withdrawn.' : 'The offer has expired.',
      );
    case 'offered':
    case 'accepted-by-one':
      return both.flatMap((by) => listAnswers(state, state.offer as Offer, by));
    case 'forked':
      return fromBoth(
        'TaskProposal',
        'One sender wrote two messages at the same place, so nothing can be accepted here. Start a new negotiation.',
      );
    case 'vetoed':
      return state.vetoes.map(({ by, supervisor }) => {
        const why = `The veto of ${supervisor} must be withdrawn before anything is accepted.`;
        return message(by, 'SupervisorVeto', why);
      });
    case 'signed':
    case 'agreed':
      // The next step is on chain: createTask, with the signatures of the agreement.
      return fromBoth('TaskCounterOffer', 'To change the agreement.');
    case 'tasked':
      return listWork(state);
  }
}

function listAnswers({ acceptances }: Negotiation, offer: Offer, by: Address): NextMessage[] {
  const isSigned = acceptances.some((acceptance) => isSameAddress(acceptance.by, by));
  const counter = message(by, 'TaskCounterOffer', 'To offer other terms.');
  if (isSigned) return [counter];
  const why = isSameAddress(offer.by, by)
    ? 'An offer is not a signature: its sender must accept it as well.'
    : 'To accept the offer.';
  return [message(by, 'TaskAcceptance', why, offer.expiresAt), counter];
}

function listWork({ agreement, offer, parties, deliveries, cancels }: Negotiation): NextMessage[] {
  const terms = agreement?.terms ?? offer?.terms;
  if (terms === undefined) return [];
  const open = deliveries.filter(({ state }) => state === 'delivered');
  const reviews = open.flatMap(({ milestone }) => {
    const name = `milestone ${milestoneNumber(milestone)}`;
    const revise = `To ask for changes to ${name}. The review period runs on: the contracts know nothing of the request.`;
    return [
      message(terms.poster, 'AcceptDelivery', `To accept ${name}.`),
      message(terms.poster, 'RevisionRequest', revise),
    ];
  });
  const answers = cancels.flatMap(({ by, validUntil }) => {
    const other = isSameAddress(by, parties.opener) ? parties.other : parties.opener;
    const isAnswered = cancels.some((cancel) => isSameAddress(cancel.by, other));
    const why = 'To end the task as the other party has signed.';
    return isAnswered ? [] : [message(other, 'MutualCancel', why, validUntil)];
  });
  return [message(terms.worker, 'DeliveryNotice', 'To report a delivery.'), ...reviews, ...answers];
}

/** The offer that this party may accept now. Throws NEGOTIATION_CLOSED when there is none. */
export function findAcceptable(state: Negotiation, by: Address, now: Date): Offer {
  const { offer, vetoes, acceptances, isForked, isWithdrawn } = state;
  const [veto] = vetoes;
  if (isForked)
    throw closed(
      'One sender wrote two different messages at the same place, so it is unclear what is offered. Start a new negotiation.',
    );
  if (offer === null) throw closed('This negotiation has no offer yet.');
  if (veto !== undefined) throw closed(`The veto of ${veto.supervisor} must be withdrawn first.`);
  if (isWithdrawn) throw closed('Its sender has withdrawn the offer; ask for a new one.');
  if (isPast(offer.expiresAt, now)) throw closed('The offer has expired; ask for a new one.');
  const end = findAcceptanceMistake(offer.expiresAt, now.getTime() / 1_000);
  if (end !== null) throw closed(`The end of the offer ${end}; ask for a new one.`);
  if (acceptances.some((acceptance) => isSameAddress(acceptance.by, by)))
    throw closed('This wallet has already accepted the offer.');
  return offer;
}

function closed(reason: string): SvcError {
  return new SvcError('NEGOTIATION_CLOSED', { reason });
}

function isPast(seconds: number, now: Date): boolean {
  return now.getTime() > seconds * 1_000;
}
