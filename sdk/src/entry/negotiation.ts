// Envelopes, transcripts and agreements.
export { findAbout } from '../messages/about.ts';
export { createMessenger, type Filed, findMeant, type Messenger, type Step } from '../messages/messenger.ts';
export { createWriter, type Draft, draftEnvelope } from '../messages/writer.ts';
export { listChanges, type OfferChange } from '../negotiation/changes.ts';
export {
  buildEnvelopeTypedData,
  formatWire,
  type Head,
  hashSigned,
  noHead,
  parseWire,
  type RefusalReason,
  type SignedEnvelope,
} from '../negotiation/envelope.ts';
export { buildJudgeDisclosure } from '../negotiation/judgeDisclosure.ts';
export {
  type Acceptance,
  type Agreement,
  type ChainFacts,
  type Negotiation,
  type Offer,
  readNegotiation,
} from '../negotiation/negotiation.ts';
export { listNext, type NegotiationStatus, type NextMessage, statusOf } from '../negotiation/nextMessages.ts';
export {
  type Comparison,
  countFreeBonds,
  listingOf,
  listLiveSignatures,
  type Proposal,
  type ProposalState,
  readProposal,
} from '../negotiation/proposals.ts';
export {
  buildTranscripts,
  headOf,
  openConversation,
  type Transcript,
  type Transcripts,
} from '../negotiation/transcript.ts';
export { type Arrival, checkArrival } from '../negotiation/verifyEnvelope.ts';
export {
  type Finding,
  type VerifiedTranscript,
  verifyTranscript,
} from '../negotiation/verifyTranscript.ts';
export {
  buildOffer,
  changeOffer,
  type OfferFields,
  splitBudget,
  startFromListing,
} from '../rules/offer.ts';
export { hashTermsDocument, type TaskDocument, toContractTerms } from '../rules/terms.ts';
export {
  type Envelope,
  envelopeSchema,
  isMessageType,
  type MessageType,
  messageTypes,
  type Payload,
  payloadSchemas,
  schemaVersion,
} from '../schemas/envelope.ts';
export { type TermsDocument, termsSchema } from '../schemas/terms.ts';
