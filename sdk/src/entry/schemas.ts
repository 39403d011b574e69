// Schemas of requests, replies, documents and messages.

export type {
  Fees,
  MarketHealth,
  ReputationBoard,
  Treasury,
  TreasuryHistory,
  VerifierBoard,
} from '../schemas/boards.ts';

export {
  type Artifact,
  artifactSchema,
  deliveryDocumentSchema,
  evidenceDocumentSchema,
  rulingDocumentSchema,
  taskDocumentSchema,
  type WorkDocument,
  workDocumentSchema,
} from '../schemas/documents.ts';
export {
  type Envelope,
  envelopeSchema,
  isMessageType,
  type MessageType,
  messageTypes,
  type Payload,
  payloadSchemas,
  schemaVersion,
  signedEnvelopeSchema,
} from '../schemas/envelope.ts';
export {
  type Listing,
  type ListingBody,
  type ListingDocument,
  type ListingList,
  listingDocumentSchema,
} from '../schemas/listings.ts';
export type { HeldMessage, Mail, MailboxPage } from '../schemas/messages.ts';

export {
  type ProfileBody,
  type ProfileDocument,
  type ProfileList,
  type ProfileReply,
  profileDocumentSchema,
  type RoleRecord,
  type ShownProfile,
} from '../schemas/profiles.ts';
export type { Api, Route } from '../schemas/route.ts';
export { routes } from '../schemas/routes.ts';
export { type TermsDocument, termsSchema } from '../schemas/terms.ts';
export {
  type CreateRequest,
  createRequestSchema,
  type RequestResult,
  type RequestStatus,
  requestResultSchema,
  requestStatuses,
  type WalletRequest,
  walletRequestSchema,
} from '../schemas/walletRequest.ts';
