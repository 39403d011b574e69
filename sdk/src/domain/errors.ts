// The error class of svc and the message of each code. docs/errors.md has one row per code.

/** Names in braces are replaced by the error's details. */
export const errorMessages = {
  CONFIG_INVALID: 'The configuration has mistakes:\n{mistakes}',
  USAGE: '{reason}',
  FILE_UNUSABLE: '{file} cannot be used: {reason}.',
  MARKET_UNKNOWN: 'The market must be "standard" or "micro".',
  TASK_ID_MALFORMED: 'A task id must read v2:standard:<number> or v2:micro:<number>.',
  ADDRESS_MALFORMED: 'An address must be 0x and 40 hexadecimal digits.',
  AMOUNT_MALFORMED: 'An amount in {unit} must be a plain decimal number {places}.',
  AMOUNT_TOO_LARGE: 'An amount in {unit} must stay below 2^96 of its smallest unit.',
  DOCUMENT_INVALID: 'The document is not valid: {reason}.',
  DOCUMENT_TOO_LARGE: 'The document has {bytes} bytes; {limit} are allowed.',
  CHAIN_UNREACHABLE: 'The chain cannot be reached: {reason}.',
  CHAIN_REFUSED: 'The chain refused the request: {reason}',
  CHAIN_WRONG: 'The RPC serves chain {found}, not chain {expected}.',
  MARKET_CHAIN_WRONG:
    'The market is on chain {found}, not on chain {expected}. If you mean that market, set SVC_CHAIN_ID={found}.',
  TRANSACTION_NOT_MINED: 'The transaction {hash} was not mined within {seconds} seconds.',
  TRANSACTION_UNDERPRICED:
    'The chain did not accept the transaction {hash} at {maxFeePerGas} wei per unit of gas.',
  TRANSACTION_REVERTED: '{sentence}',
  TRANSACTION_REPLACED: 'Another transaction of the wallet replaced {hash}, which will never be mined.',
  KEY_MISSING: 'PRIVATE_KEY is not set; it is the key that signs and pays.',
  KEEPER_KEY_MISSING: 'SVC_KEEPER_KEY is not set; it is the key that pays for what the keeper sends.',
  BALANCE_TOO_LOW: '{address} has {have} ETH, but up to {need} ETH are needed.',
  ROLE_EMPTY: 'The {role} cannot be the zero address.',
  USDC_MISSING: 'There is no USDC at {address}: a token with 6 decimals was expected, decimals gave {found}.',
  TEST_USDC_REFUSED:
    'Chain {chainId} is a public chain with real money. Anyone can mint test USDC, so it is not deployed there: leave out --test-usdc.',
  SEQUENCER_FEED_MISSING: 'There is no contract at {address}, which was given as sequencer feed.',
  DEPLOYMENT_UNFINISHED: '{report}',
  DEPLOYMENT_NOT_STARTED: 'There is no unfinished deployment: {file} does not exist.',
  DEPLOYMENT_EXISTS: '{file} already holds a deployment, and {verdict}. To deploy again: --again.',
  DEPLOYMENT_NOT_NAMED: 'SVC_DEPLOYMENT must name the file that svc deploy has written.',
  MARKET_NOT_FOUND:
    'No market answers at {url}: start one with npm start, or set SVC_SITE_URL, or SVC_DEPLOYMENT and SVC_RPC_URL.',
  CALL_WOULD_REVERT: '{action} would revert: {reason} {advice}',
  ACTION_UNKNOWN: 'There is no action "{action}"; there are {known}.',
  ARGUMENTS_INVALID: 'The arguments of {action} have mistakes:\n{mistakes}',
  WALLET_UNREACHABLE:
    'The wallet cannot be reached at {where}: {reason}. The wallet "none" needs no connection.',
  WALLET_REFUSED: 'The wallet refused the request: {reason}',
  WALLET_NOT_RENEWED:
    'Nothing was done: the permission to use the wallet has run out and could not be renewed: {reason}. Try again later.',
  WALLET_OTHER: 'The wallet signs as {have}, not as {want}.',
  WALLET_REQUEST_OPEN:
    'Nothing was sent: an earlier {action} was interrupted before the wallet reported a result. "svc request {requestId}" shows its state.',
  WALLET_REQUEST_UNDER_WAY:
    'The request was kept: another process is sending with this wallet. Wait for it or stop it; then "svc request {requestId}" shows the result.',
  WALLET_REQUEST_ENDED:
    'Nothing more was sent: another process has ended the request. "svc request {requestId}" shows the result.',
  WALLET_REQUEST_ELSEWHERE:
    'The request {requestId} is {status} and belongs to another chain than the current one. If that chain is gone, "svc request {requestId} --forget" drops the request.',
  WALLET_ANSWER_LOST:
    'Nothing was sent: the wallet received {action} before, and its reply was lost. If the wallet shows no such request, run "svc request {requestId} --forget".',
  WALLET_ANSWER_UNCLEAR:
    'The reply of the wallet is not understood: {reason}. Check the wallet: it may have received the request.',
  KEY_NEEDS_CONSENT:
    'This is not the embedded chain. To sign with PRIVATE_KEY for real money, add --yes-real-chain.',
  WALLET_NOT_DEPLOYED:
    'The wallet {address} has no code on this chain yet, so the contracts refuse its signature. Deploy it first, for example with any transaction.',
  WALLET_FOR_DEVELOPMENT:
    'The development wallet signs every request, so it works on the embedded chain only.',
  POLICY_INVALID: 'The spending policy {file} has mistakes:\n{mistakes}',
  POLICY_MISSING:
    'A wallet that signs without asking needs a spending policy: --policy <file> or SVC_POLICY.',
  POLICY_REFUSED: 'The policy refuses to sign this, and nobody is asked: {reason}.',
  POLICY_DRY_RUN: 'Nothing was signed, because the policy is a dry run: {outcome}',
  POLICY_ASKS_OWNER:
    'Nothing was signed: the policy leaves this to the owner, who decides at {approvalUrl} (request {requestId}). {reasons}',
  TOOLS_NOT_LOCAL:
    'Tools with a signing wallet serve stdio or this machine only; SVC_HOST is {host}. Use 127.0.0.1, or serve without --wallet.',
  DEPLOYMENT_MALFORMED: 'The deployment file cannot be used: {reason}.',
  DEPLOYMENT_MISPLACED: '{name} should be at {expected}, but the chain has it at {found}.',
  DEPLOYMENT_MISWIRED: 'The contracts are not connected as expected:\n{list}',
  ADDRESS_REQUIRED: 'A wallet address is required',
  LIMIT_INVALID: 'The limit must be a whole number from 1 to 100.',
  CURSOR_INVALID: 'The cursor must be the nextCursor of a list.',
  STATE_UNKNOWN:
    'Each state must be POSTED, CLAIMED, ACTIVE, DELIVERED, DISPUTED, COMPLETED, RESOLVED or CANCELLED; commas separate several.',
  TAG_INVALID: 'tag must name up to 8 tags of 1 to 60 characters, separated by commas.',
  AMOUNT_FILTER_INVALID: 'minAmountTokWei and maxAmountTokWei must be decimal strings of TOK wei.',
  DEADLINE_FILTER_INVALID: 'deadlineBefore must be a time in Unix seconds.',
  FUNDED_FILTER_INVALID: 'fullyFunded must be "true" or "false".',
  SEARCH_INVALID: 'q must have 1 to 12 words with letters or digits, in at most 100 characters.',
  SINCE_INVALID: 'since must be the number of a block.',
  SORT_UNKNOWN: 'The order must be "newest", "oldest", "highest", "lowest" or "deadline".',
  TASK_IDS_DIFFER: 'id and taskId name different tasks; send one of them.',
  TOO_MANY_IDS: 'One request may name up to 50 tasks.',
  TASK_MARKETS_DIFFER:
    'The tasks of one request must all be of one market. Send one request for each market.',
  TASK_ID_REPEATED: 'One request may name each task once.',
  MARKET_MISMATCH: 'The task id belongs to the market "{market}".',
  PROTOCOL_UNKNOWN: 'The protocol version must be "v1" or "v2".',
  MARKET_NOT_IN_V1: 'The earlier shape, v1, has only the market "standard".',
  TASK_NUMBER_MALFORMED: 'In the earlier shape, v1, a task id must be a plain number.',
  TASK_NOT_FOUND: 'Task not found',
  TX_HASH_MALFORMED: 'A transaction hash must be 0x and 64 hexadecimal digits.',
  TASK_AMOUNT_MALFORMED: 'taskAmountTok must be a decimal string of TOK wei.',
  BUDGET_MALFORMED: 'budgetUsdc must be a number that is not negative.',
  TIER_REQUIRED: 'A tier is required: the id of a plan in postingPlans of /api/site-config.',
  TIER_UNKNOWN: 'There is no such plan; /api/site-config lists them as postingPlans.',
  TIER_FREE: 'This plan is free, so it cannot be bought.',
  PAY_WITH_UNKNOWN: 'payWith must be "tok" or "usdc".',
  POSTING_LIMIT: 'Daily posting limit reached',
  POST_MISMATCH: 'The transaction is not this post: {reason}.',
  POST_UNSEEN: 'The transaction is not on the chain yet; record the post once it is mined.',
  TOK_NOT_ALLOWED: 'The price of TOK is stale or missing, so TOK payments are off; use payWith=usdc.',
  PAYMENT_UNSEEN: 'The transaction is not on the chain yet; try again once it is mined.',
  PAYMENT_UNCONFIRMED: 'The payment has {have} of {need} confirmations; try again in a moment.',
  PAYMENT_MISMATCH: 'The transaction does not pay for this plan: {reason}.',
  PAYMENT_ENDED: 'The period that this transaction paid for is over; buy the plan again.',
  PAYMENT_USED: 'This payment was already used.',
  ROUTE_NOT_FOUND: 'There is no such route.',
  METHOD_NOT_ALLOWED: 'This route accepts {allowed}.',
  BODY_TOO_LARGE: 'The body is larger than 64 KiB.',
  BODY_MALFORMED: 'The body is not valid JSON.',
  BODY_INVALID: 'The body does not fit: {reason}.',
  CONTENT_TYPE_WRONG: 'The body must be application/json.',
  BODY_ENCODED: 'Send the body as it is, without Content-Encoding.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB, or more than 200.',
  EXPECTATION_UNKNOWN: 'The only supported expectation is 100-continue.',
  REQUEST_TOO_SLOW: 'The request did not arrive in time.',
  REQUEST_MALFORMED: 'The request is malformed.',
  ORIGIN_FOREIGN: 'Pages of other sites, and other names for this server, may not write here.',
  WALLET_REQUEST_NOT_FOUND: 'Request not found',
  WALLET_REQUEST_NOT_YOURS:
    'Only the owner of {address} decides this: open the approval link with its secret, or sign in with that wallet.',
  WALLET_REQUEST_DECIDED: 'The request is already {status}.',
  REQUEST_CHAIN_WRONG: 'The request is for chain {found}; only requests for chain {expected} are taken here.',
  WALLET_REQUEST_KIND: 'The request asks for {wanted}.',
  TASK_ID_REQUIRED: 'A task id is required for this action.',
  NOT_READY_TO_ACT: 'The wallet is not ready for this: {reason}.',
  CLAIM_REFUSED: 'The claim would fail: {reason}',
  PAYMENT_REQUIRED: 'Payment required: {reason}.',
  FACILITATOR_UNREACHABLE: 'Payments cannot be checked now; nothing was charged. Try again in a moment.',
  FACILITATOR_KEY_MISSING: 'SVC_FACILITATOR=local needs SVC_FACILITATOR_KEY, a key with some ETH for gas.',
  SESSION_REQUIRED: 'This needs a session of your wallet: open one at /v1/sessions and send its token.',
  SESSION_REFUSED: 'The session is refused: {reason}.',
  SESSION_USED: 'This session document was used before; sign a new one.',
  NO_STANDING:
    'This wallet has no part in the market: deposit the entry collateral, or share a task with the other party.',
  RECIPIENT_REFUSES: 'The recipient does not accept messages of this wallet.',
  ENVELOPE_REFUSED: 'The message is refused: {detail}',
  MESSAGE_TOO_LARGE: 'A message must not be larger than 256 KiB.',
  MAIL_LIMIT: 'A limit of this gateway is reached: {reason}.',
  SIGNATURE_WRONG: 'The signature is not one of {address} for this document.',
  RATE_LIMITED: 'Too many requests; try again in {seconds} seconds.',
  IDEMPOTENCY_KEY_INVALID: 'Idempotency-Key must have 16 to 128 visible ASCII characters, such as a UUID.',
  IDEMPOTENCY_KEY_REUSED:
    'This Idempotency-Key belongs to another request. Send a new key with a new request.',
  IDEMPOTENCY_KEY_BUSY: 'The request with this Idempotency-Key is still in progress. Try again in a moment.',
  IDEMPOTENCY_KEYS_FULL:
    'This client has used 10,000 Idempotency-Keys in a day. Leave the header out, or wait.',
  CHAT_NOT_CONFIGURED: 'LLM_GATEWAY_API_KEY is not configured',
  CHAT_SYSTEM_INVALID: 'system must be a text of up to 8,000 characters.',
  CHAT_MESSAGES_INVALID:
    'messages must be 1 to 50 objects with a role, "user" or "assistant", and a content, a text.',
  CHAT_TOO_LARGE: 'system and messages are larger than 32 KiB together.',
  CHAT_BUSY: 'The chat service is busy; try again in {seconds} seconds.',
  CHAT_FAILED: 'The chat service gave no usable answer; try again later.',
  CHAT_TIMED_OUT: 'The chat service did not answer in time; try again later.',
  PRICE_MISSING: 'No price of TOK was published yet, so amounts in USDC are not available.',
  STREAMS_FULL: 'There are too many open streams; try again in a moment.',
  STORE_UNREACHABLE: 'The database cannot be reached; try again in a moment.',
  SCHEMA_UNKNOWN:
    'The tables of this database come from an older build of svc, which this one cannot read. Use an empty database, or replace the embedded market: npm start -- --fresh',
  STORE_NOT_WRITABLE: 'The database takes no writes now: {reason}. Reads still work; try again later.',
  NOT_READY: 'The chain has not been read yet; try again in a moment.',
  STOPPING: 'This server is shutting down; retry to reach another one.',
  INTERNAL: 'Something went wrong on our side.',
  CHAIN_CHANGED: 'The chain changed while it was being read; it will be read again.',
  CHAIN_LOGS_MISSING: 'Logs of block {block} are missing from the answer of the RPC.',
  FOLLOWER_OVERTAKEN: 'Another process has written newer rows; this one starts over.',
  FILE_NOT_FOUND: 'There is no such file here.',
  FILE_HASH_MALFORMED: 'A file is named by its SHA-256: 64 hexadecimal digits in lower case.',
  FILE_SUBJECT_MALFORMED: '"for" must be a task id, or the root of a conversation (0x and 64 digits).',
  FILE_TOO_LARGE: 'The file is larger than {limit} MB.',
  FILE_LENGTH_REQUIRED: 'An upload must say its Content-Length.',
  FILE_ENCODING_REFUSED: 'Send the bytes of the file as they are, without Content-Encoding.',
  FILE_QUOTA_REACHED: 'This wallet may keep no more than {limit} {where}.',
  FILE_RANGE_INVALID: 'The file has {bytes} bytes; the range lies outside of it.',
  FILE_UNSEALED: 'The sealed file does not open to what the document names: {reason}.',
  HASH_MISMATCH: 'The bytes are not those of the hash; nothing was kept.',
  UPLOAD_CUT: 'The connection ended before all bytes arrived; nothing was kept.',
  TASK_UNKNOWN: 'There is no such task on the chain yet.',
  NOT_A_PARTY: 'Only a party or the judge of this task or conversation may do this.',
  WITHHELD: 'The operator of this gateway does not serve this.',
  STORE_FULL: 'The file store is full; nothing was kept.',
  FILES_BUSY: 'Too many files are on their way; try again in a moment.',
  FILES_UNREACHABLE: 'The file store cannot be reached; try again in a moment.',
  API_UNREACHABLE: 'The API at {url} cannot be reached: {reason}.',
  API_REFUSED: '{reason}',
  API_UNEXPECTED: 'The reply of the API does not fit its contract: {reason}.',
  SITE_UNREADABLE: 'The site at {url} cannot be read: {reason}.',
  ENVELOPE_INVALID: 'The envelope would be refused: {reason}',
  TOOL_FAILED: '{tool}: {reason}',
  DEMO_NOT_HERE: 'The market at {url} is not on an embedded chain; the demo uses public keys and stops here.',
  TERMS_INVALID: 'The terms are inconsistent: {reason}',
  NEGOTIATION_NOT_FOUND: 'There is no negotiation {negotiationId} in this mailbox.',
  NEGOTIATION_AMBIGUOUS:
    'Several conversations have the negotiation id {negotiationId}. Name one by its root instead: {roots}.',
  NEGOTIATION_CLOSED: '{reason}',
  PLACE_TAKEN: 'Another message has this place in the conversation. Read it, then build on the newest one.',
  PLACE_GAP: 'Messages before this one are missing here. Send those first.',
  TRANSPORT_MISSING: 'XMTP support is not installed. Run: npm install @xmtp/node-sdk@5.5.0',
  TRANSPORT_UNREACHABLE: 'Messages cannot be sent through {transport} now: {reason}.',
  CHAIN_ENGINE_MISSING:
    'The embedded chain needs @nomicfoundation/edr. Run: npm install @nomicfoundation/edr@0.15.0',
  PRICE_SOURCE_FAILED: 'The price source {source} gave no price: {reason}.',
  CHAIN_FILE_BUSY:
    'Another svc start uses the chain in {file}. Stop it, or name another folder in SVC_DATA_DIR.',
  CHAIN_FILE_DAMAGED:
    'The chain in {file} is damaged: {reason}. To replace it with a new chain, run: svc start --fresh',
  CHAIN_FILE_DIFFERS: 'The chain in {file} was started {how}. To replace it with a new chain, add --fresh.',
  CHAIN_CANNOT_LISTEN: 'The chain cannot listen on {host}:{port}: {reason}.',
  SERVER_CANNOT_LISTEN: 'The {server} cannot listen on {host}:{port}: {reason}.',
  TOOLS_CANNOT_LISTEN: 'The tools cannot be served on {host}:{port}: {reason}.',
  CHAIN_NO_FREE_PORT: 'The chain found no free port from {first} to {last} on {host}.',
} as const;

export type ErrorCode = keyof typeof errorMessages;

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export type ErrorDetails<Code extends ErrorCode> = Record<
  Placeholders<(typeof errorMessages)[Code]>,
  string
> &
  Record<string, unknown>;

export class SvcError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly details: Record<string, unknown>;

  constructor(code: Code, details: ErrorDetails<Code>, cause?: unknown) {
    super(fill(errorMessages[code], details), cause === undefined ? undefined : { cause });
    this.name = 'SvcError';
    this.code = code;
    this.details = details;
  }
}

function fill(text: string, details: Record<string, unknown>): string {
  return text.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => String(details[name]));
}
