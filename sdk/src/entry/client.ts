// Bots, files, messages and sessions.
export {
  createFileClient,
  type DownloadOptions,
  type FileClient,
  type FileClientOptions,
  maxFileBytes,
  type UploadOptions,
} from '../client/fileClient.ts';
export { type JoinOptions, joinMarket, type NewFile, type Participant } from '../client/joinMarket.ts';
export {
  createListingClient,
  createListingId,
  type ListingClient,
  type ListingOptions,
  type ListingSearch,
} from '../client/listingClient.ts';
export {
  createMailboxClient,
  type MailboxClient,
  type MailboxClientOptions,
} from '../client/mailboxClient.ts';
export {
  createProfileClient,
  type ProfileClient,
  type ProfileSearch,
} from '../client/profileClient.ts';
export type { BotRole, RunOptions, TaskDetail } from '../client/runBot.ts';
export { hashFile, openSealedFile, type PlainFile, type SealedFile, sealFile } from '../client/sealFile.ts';
export {
  openSession,
  type SessionOptions,
  type SessionWallet,
  signGrant,
  signSession,
} from '../client/session.ts';
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
export type { CreateRequest, RequestResult, RequestStatus, WalletRequest } from '../schemas/walletRequest.ts';
export { createGuardedWallet } from '../send/guardedWallet.ts';
export {
  createBrowserJournal,
  createMemoryJournal,
  giveUpRun,
  type Journal,
  type RunEntry,
} from '../send/journal.ts';
export { createKeyWallet } from '../send/keyWallet.ts';
export { createProviderWallet } from '../send/providerWallet.ts';
export { createRequestWallet } from '../send/requestWallet.ts';
export type { Run, RunState } from '../send/runState.ts';
export { signDocument } from '../send/signDocument.ts';
export type { Wallet } from '../send/wallet.ts';
