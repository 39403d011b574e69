// Every error code: its HTTP status, its message and, in the comment above it, its row in docs/errors.md.
//
// The comment reads "when it happens → what to do". `npm run generate` writes the documentation from it. It is a comment
// because pages load the messages and nobody reads the documentation there.

/** By the status of the reply. Names in braces are replaced by the error's details. */
const messagesByStatus = {
  400: {
    // the name is not `standard` or `micro` → use one of the two
    MARKET_UNKNOWN: 'The market must be "standard" or "micro".',
    // a task id has another format, leading zeros or more than 20 digits → copy the id from a list
    TASK_ID_MALFORMED: 'A task id must read v2:standard:<number> or v2:micro:<number>.',
    // an address has the wrong length or prefix → correct it; upper and lower case do not matter
    ADDRESS_MALFORMED: 'An address must be 0x and 40 hexadecimal digits.',
    // a route about a wallet was called without an address → add `address=0x…`
    ADDRESS_REQUIRED: 'A wallet address is required',
    // `limit` is not a whole number from 1 to 100 → use up to 100, and `cursor` for the next page
    LIMIT_INVALID: 'The limit must be a whole number from 1 to 100.',
    // `cursor` is not a `nextCursor` → copy `nextCursor` of the previous page
    CURSOR_INVALID: 'The cursor must be the nextCursor of a list.',
    // `state` has a name that is no state, or in small letters → use names such as `POSTED,ACTIVE`
    STATE_UNKNOWN:
      'Each state must be POSTED, CLAIMED, ACTIVE, DELIVERED, DISPUTED, COMPLETED, RESOLVED or CANCELLED; commas separate several.',
    // `tag` is empty, too long, or names too many → name fewer tags
    TAG_INVALID: 'tag must name up to 8 tags of 1 to 60 characters, separated by commas.',
    // a filter by amount has a sign, a decimal point or letters → write wei: 1 TOK is `1000000000000000000`
    AMOUNT_FILTER_INVALID: 'minAmountTokWei and maxAmountTokWei must be decimal strings of TOK wei.',
    // `deadlineBefore` is no whole number of seconds → use Unix seconds
    DEADLINE_FILTER_INVALID: 'deadlineBefore must be a time in Unix seconds.',
    // `fullyFunded` has another value → use one of the two
    FUNDED_FILTER_INVALID: 'fullyFunded must be "true" or "false".',
    // the search text is empty, has only signs, or is too long → search for fewer words
    SEARCH_INVALID: 'q must have 1 to 12 words with letters or digits, in at most 100 characters.',
    // `since` is no number → use `Svc-Block` of an earlier reply
    SINCE_INVALID: 'since must be the number of a block.',
    // `sort` has another value → use one of these
    SORT_UNKNOWN: 'The order must be "newest", "oldest", "highest", "lowest" or "deadline".',
    // `id` and `taskId` are two names for one parameter and have different values → send one of them
    TASK_IDS_DIFFER: 'id and taskId name different tasks; send one of them.',
    // more than 50 ids in one request → send several requests
    TOO_MANY_IDS: 'One request may name up to 50 tasks.',
    // ids of both markets in one request → send one request for each market
    TASK_MARKETS_DIFFER:
      'The tasks of one request must all be of one market. Send one request for each market.',
    // an id twice in one request → leave out the second
    TASK_ID_REPEATED: 'One request may name each task once.',
    // `market` and the market in the id differ → leave out `market`, or correct it
    MARKET_MISMATCH: 'The task id belongs to the market "{market}".',
    // `protocolVersion` is neither `v1` nor `v2` → leave it out for the current format
    PROTOCOL_UNKNOWN: 'The protocol version must be "v1" or "v2".',
    // the earlier format does not have the market `micro` → use the current format
    MARKET_NOT_IN_V1: 'The earlier shape, v1, has only the market "standard".',
    // the earlier format was used with a namespaced id → pass the number alone, or use the current format
    TASK_NUMBER_MALFORMED: 'In the earlier shape, v1, a task id must be a plain number.',
    // `txHash` is not a transaction hash → copy the hash from the wallet or the receipt
    TX_HASH_MALFORMED: 'A transaction hash must be 0x and 64 hexadecimal digits.',
    // `taskAmountTok` is missing, has a sign, a decimal point or more than 96 bits → send the total amount of the
    // task in wei, as a string
    TASK_AMOUNT_MALFORMED: 'taskAmountTok must be a decimal string of TOK wei.',
    // `budgetUsdc` of the earlier format is not a number → send the amount in USDC as a number
    BUDGET_MALFORMED: 'budgetUsdc must be a number that is not negative.',
    // `tier` is missing or empty → add `tier=basic` or another plan
    TIER_REQUIRED: 'A tier is required: the id of a plan in postingPlans of /api/site-config.',
    // `tier` is not a plan of this market, or no longer sold → use an id from `postingPlans`
    TIER_UNKNOWN: 'There is no such plan; /api/site-config lists them as postingPlans.',
    // a quote for, or an upgrade to, the free plan → use a plan with a price
    TIER_FREE: 'This plan is free, so it cannot be bought.',
    // `payWith` is not `tok` or `usdc` → leave it out, or use one of the two
    PAY_WITH_UNKNOWN: 'payWith must be "tok" or "usdc".',
    // the body cannot be parsed → send one JSON document
    BODY_MALFORMED: 'The body is not valid JSON.',
    // a field is missing or invalid; the first one is named → compare with `/docs/api`
    BODY_INVALID: 'The body does not fit: {reason}.',
    // the data is not HTTP, or a parameter is invalid → compare with `/docs/api`
    REQUEST_MALFORMED: 'The request is malformed.',
    // calls or typed data for another chain → use the `chainId` of `site-config`, in the request and in the domain
    // of typed data
    REQUEST_CHAIN_WRONG:
      'The request is for chain {found}; only requests for chain {expected} are taken here.',
    // a receipt for claim, dismiss or leave needs `taskId` → add the task id
    TASK_ID_REQUIRED: 'A task id is required for this action.',
    // the header is empty, too short, too long, or was sent twice → send a UUID
    IDEMPOTENCY_KEY_INVALID: 'Idempotency-Key must have 16 to 128 visible ASCII characters, such as a UUID.',
    // `system` is not a text, or too long → shorten it, or leave it out
    CHAT_SYSTEM_INVALID: 'system must be a text of up to 8,000 characters.',
    // `messages` is missing, empty, too long, or contains an invalid message → compare with `/docs/api`
    CHAT_MESSAGES_INVALID:
      'messages must be 1 to 50 objects with a role, "user" or "assistant", and a content, a text.',
    // the last part of the path is something else → compute the hash with `sha256sum`
    FILE_HASH_MALFORMED: 'A file is named by its SHA-256: 64 hexadecimal digits in lower case.',
    // `for` is something else → use the id of the task, such as `v2:standard:3`
    FILE_SUBJECT_MALFORMED: '"for" must be a task id, or the root of a conversation (0x and 64 digits).',
    // the client or the network ended the upload → repeat the upload
    UPLOAD_CUT: 'The connection ended before all bytes arrived; nothing was kept.',
  },
  402: {
    // there is no valid receipt or payment; nothing was used → get a receipt at `/v1/payment-receipt`, or pay as
    // described in `accepts`
    PAYMENT_REQUIRED: 'Payment required: {reason}.',
  },
  403: {
    // a browser sent a write from another site, or with a host name that is not the gateway's → open the gateway's
    // page; if it has another name, set `SVC_GATEWAY_URL`
    ORIGIN_FOREIGN: 'Pages of other sites, and other names for this server, may not write here.',
    // a decision without the secret of the approval link (`Svc-Approval-Token`) and without a session of the
    // wallet → open the link as it was printed, `#token=` included, or sign in on its page
    WALLET_REQUEST_NOT_YOURS:
      'Only the owner of {address} decides this: open the approval link with its secret, or sign in with that wallet.',
    // the token is missing, unknown, revoked or expired → open a session and send its token as `Authorization:
    // Bearer`
    SESSION_REQUIRED: 'This needs a session of your wallet: open one at /v1/sessions and send its token.',
    // an unknown wallet opens a conversation, uploads a draft, or asks for a check on chain → `svc prepare
    // top-up`, or take part in a task first
    NO_STANDING:
      'This wallet has no part in the market: deposit the entry collateral, or share a task with the other party.',
    // the recipient blocks this wallet, and they share no live task → use another way to reach the recipient
    RECIPIENT_REFUSES: 'The recipient does not accept messages of this wallet.',
    // the wallet of the session has no part in it → sign in with the wallet that posted, works on or judges the
    // task
    NOT_A_PARTY: 'Only a party or the judge of this task or conversation may do this.',
  },
  404: {
    // no task has this number on this market → check id and market
    TASK_NOT_FOUND: 'Task not found',
    // there is no such path → see `/openapi.yaml` or `/docs/api` for all routes
    ROUTE_NOT_FOUND: 'There is no such route.',
    // there is no wallet request with this id on this chain → create a new one
    WALLET_REQUEST_NOT_FOUND: 'Request not found',
    // nobody uploaded the file to this gateway, or its time is over → ask the sender for it; check it against the
    // hash
    FILE_NOT_FOUND: 'There is no such file here.',
  },
  405: {
    // the path exists, but not with this method → use a method from `Allow`
    METHOD_NOT_ALLOWED: 'This route accepts {allowed}.',
  },
  408: {
    // the client sends too slowly → try again on a faster connection
    REQUEST_TOO_SLOW: 'The request did not arrive in time.',
  },
  409: {
    // another wallet, market or tier has used this payment → pay for this wallet; each payment works once
    PAYMENT_USED: 'This payment was already used.',
    // the owner, the chain or the time limit has decided it → read it; create a new one
    WALLET_REQUEST_DECIDED: 'The request is already {status}.',
    // a check of `readiness` failed; its `fix` names the action that helps → run that action, then ask again
    NOT_READY_TO_ACT: 'The wallet is not ready for this: {reason}.',
    // the chain would reject the claim; nothing was charged or used → do what the sentence says
    CLAIM_REFUSED: 'The claim would fail: {reason}',
    // each signed document opens one session → sign one with a new nonce
    SESSION_USED: 'This session document was used before; sign a new one.',
    // two requests with one key at the same time, or a server was stopped in the middle of one → repeat it after
    // `Retry-After`; the write happens once
    IDEMPOTENCY_KEY_BUSY:
      'The request with this Idempotency-Key is still in progress. Try again in a moment.',
    // two devices, or both parties, wrote at the same time; the relay keeps one chain → `svc send` does this by
    // itself; in your own code: read the mailbox, build the envelope on the new head, sign and send it
    PLACE_TAKEN: 'Another message has this place in the conversation. Read it, then build on the newest one.',
    // the conversation began over another transport → send the earlier envelopes in order; `svc send` does this by
    // itself
    PLACE_GAP: 'Messages before this one are missing here. Send those first.',
  },
  411: {
    // the upload is chunked, or has no body → send the length
    FILE_LENGTH_REQUIRED: 'An upload must say its Content-Length.',
  },
  413: {
    // the body of a request is too large → send less
    BODY_TOO_LARGE: 'The body is larger than 64 KiB.',
    // the wire text of a message is too long → send a file instead, and name it in the message
    MESSAGE_TOO_LARGE: 'A message must not be larger than 256 KiB.',
    // the texts are too long, counted in UTF-8 → leave out older messages
    CHAT_TOO_LARGE: 'system and messages are larger than 32 KiB together.',
    // a single file exceeds the limit → compress it, split it, or link to it
    FILE_TOO_LARGE: 'The file is larger than {limit} MB.',
    // the files of this wallet, or of this wallet for one task, are too many or too large → use fewer or smaller
    // files; drafts end after a day
    FILE_QUOTA_REACHED: 'This wallet may keep no more than {limit} {where}.',
  },
  415: {
    // the body has another content type → set `Content-Type: application/json`
    CONTENT_TYPE_WRONG: 'The body must be application/json.',
    // the body is compressed → send plain JSON
    BODY_ENCODED: 'Send the body as it is, without Content-Encoding.',
    // the upload is compressed on the way → send it without Content-Encoding
    FILE_ENCODING_REFUSED: 'Send the bytes of the file as they are, without Content-Encoding.',
  },
  416: {
    // the header Range asks for bytes after the end → ask for bytes that exist
    FILE_RANGE_INVALID: 'The file has {bytes} bytes; the range lies outside of it.',
  },
  417: {
    // `Expect` has an unsupported value → leave the header out
    EXPECTATION_UNKNOWN: 'The only supported expectation is 100-continue.',
  },
  422: {
    // a smart wallet signed (ERC-6492) before its contract exists on this chain → send any transaction with the
    // wallet, then sign again
    WALLET_NOT_DEPLOYED:
      'The wallet {address} has no code on this chain yet, so the contracts refuse its signature. Deploy it first, for example with any transaction.',
    // the transaction is reverted, belongs to another wallet, task or market, or pays another amount → record the
    // post with the values of its transaction
    POST_MISMATCH: 'The transaction is not this post: {reason}.',
    // `SVC_RECORD_PENDING=reject`, and the transaction is not on the chain yet → record it again when it is mined
    POST_UNSEEN: 'The transaction is not on the chain yet; record the post once it is mined.',
    // the oracle's price is too old or out of bounds → pay in USDC, or try again later
    TOK_NOT_ALLOWED: 'The price of TOK is stale or missing, so TOK payments are off; use payWith=usdc.',
    // the payment has no receipt yet → wait until it is mined, then send the same request again
    PAYMENT_UNSEEN: 'The transaction is not on the chain yet; try again once it is mined.',
    // the payment has fewer confirmations than `SVC_CONFIRMATIONS` → send the same request again some blocks later
    PAYMENT_UNCONFIRMED: 'The payment has {have} of {need} confirmations; try again in a moment.',
    // the transaction is reverted, or buys another plan, for another wallet, on the other market or in the other
    // currency → use the wallet, tier, currency and market of the payment
    PAYMENT_MISMATCH: 'The transaction does not pay for this plan: {reason}.',
    // the payment is older than the period it paid for → get a quote and pay again
    PAYMENT_ENDED: 'The period that this transaction paid for is over; buy the plan again.',
    // a signature was sent for calls, or transactions for a document → send what the request asks for
    WALLET_REQUEST_KIND: 'The request asks for {wanted}.',
    // the document names another gateway, has expired, or lasts longer than 24 hours → sign a document for the
    // address that you connect to, for 24 hours at most
    SESSION_REFUSED: 'The session is refused: {reason}.',
    // its form, hash, signature, time or recipient is wrong; `reason` in the reply names which → correct the
    // message; a recipient would refuse it as well
    ENVELOPE_REFUSED: 'The message is refused: {detail}',
    // another account signed, or another document → sign with the account of the request
    SIGNATURE_WRONG: 'The signature is not one of {address} for this document.',
    // the same key came with another body or query → make a new key for each request; keep it only to repeat that
    // request
    IDEMPOTENCY_KEY_REUSED:
      'This Idempotency-Key belongs to another request. Send a new key with a new request.',
    // the file changed since it was hashed, or on the way → hash it again and repeat
    HASH_MISMATCH: 'The bytes are not those of the hash; nothing was kept.',
    // the task does not exist, or is so new that this server has not seen it → check the id; try again in a moment
    TASK_UNKNOWN: 'There is no such task on the chain yet.',
  },
  429: {
    // the wallet has used its posts of this UTC day; the reply contains `quota` → wait for `Retry-After`, or buy a
    // plan
    POSTING_LIMIT: 'Daily posting limit reached',
    // too many messages in a day, or before the other party has answered → wait for an answer, or until tomorrow
    MAIL_LIMIT: 'A limit of this gateway is reached: {reason}.',
    // the limit of this client is used up; every reply shows it in `RateLimit` → wait for `Retry-After`
    RATE_LIMITED: 'Too many requests; try again in {seconds} seconds.',
    // a key is kept for a day, and each client has a limit → wait, or send the request without a key
    IDEMPOTENCY_KEYS_FULL:
      'This client has used 10,000 Idempotency-Keys in a day. Leave the header out, or wait.',
    // the chat service limits the server's key → wait for `Retry-After`
    CHAT_BUSY: 'The chat service is busy; try again in {seconds} seconds.',
  },
  431: {
    // the request line and headers together are too long, or the headers too many → shorten the URL or the cookies
    HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB, or more than 200.',
  },
  451: {
    // the operator took the file or document down → ask the operator; the contact stands on the pages
    WITHHELD: 'The operator of this gateway does not serve this.',
  },
  500: {
    // an unexpected error; the log has it under the request id → try again; report it with `X-Request-Id`
    INTERNAL: 'Something went wrong on our side.',
  },
  502: {
    // the chat service refused, failed, or sent an unexpected reply → try again later; the server's log has the
    // reason under the request id
    CHAT_FAILED: 'The chat service gave no usable answer; try again later.',
  },
  503: {
    // no node answers at the RPC address, or another server does → check `--rpc`, `SVC_RPC_URL` or `CHAIN_RPC_URL`
    CHAIN_UNREACHABLE: 'The chain cannot be reached: {reason}.',
    // after an upgrade, until all tasks are in the index → try again, or ask without filters
    SEARCH_NOT_READY:
      'The search index is still being built. Lists without filters work; try again in a minute.',
    // the facilitator of `SVC_FACILITATOR`, or its chain, does not answer → send the same payment again, or use a
    // receipt, which is free
    FACILITATOR_UNREACHABLE: 'Payments cannot be checked now; nothing was charged. Try again in a moment.',
    // the server has no key for a chat service → the operator sets `LLM_GATEWAY_API_KEY` and restarts the server
    CHAT_NOT_CONFIGURED: 'LLM_GATEWAY_API_KEY is not configured',
    // nobody has published a price, which the earlier format needs → use the current format, or publish a price
    PRICE_MISSING: 'No price of TOK was published yet, so amounts in USDC are not available.',
    // this process has reached its number of event streams → wait for `Retry-After`, or use another replica
    STREAMS_FULL: 'There are too many open streams; try again in a moment.',
    // PostgreSQL is down, starting, or has no free connection; cached replies still work → wait for `Retry-After`;
    // check `DATABASE_URL` and its server
    STORE_UNREACHABLE: 'The database cannot be reached; try again in a moment.',
    // its disk is full, or it is read-only, such as a primary that became a standby; `/health` says so too → make
    // room, or point `DATABASE_URL` to the primary
    STORE_NOT_WRITABLE: 'The database takes no writes now: {reason}. Reads still work; try again later.',
    // the chain was not read yet or is unreachable, or payments or the history of a board are still being read →
    // wait for `Retry-After`; see `/health`
    NOT_READY: 'The chain has not been read yet; try again in a moment.',
    // `/health` of a process that is stopping and still serves requests → nothing: the proxy removes the replica
    STOPPING: 'This server is shutting down; retry to reach another one.',
    // a fork or a new block came between two reads (indexer only) → nothing: the indexer reads again
    CHAIN_CHANGED: 'The chain changed while it was being read; it will be read again.',
    // too many uploads run at once, or the same file is just being removed → repeat after a moment
    FILES_BUSY: 'Too many files are on their way; try again in a moment.',
    // the bucket does not answer, or refuses this gateway's key → try again; operators: check `SVC_FILES_BUCKET`
    // and its key
    FILES_UNREACHABLE: 'The file store cannot be reached; try again in a moment.',
  },
  504: {
    // the chat service took longer than 60 seconds → ask for less, or later
    CHAT_TIMED_OUT: 'The chat service did not answer in time; try again later.',
  },
  507: {
    // all room is taken; a tenth is kept for evidence in disputes → try again later; operators: raise
    // `SVC_FILES_MAX` or free disk space
    STORE_FULL: 'The file store is full; nothing was kept.',
  },
  /** No route answers with these. One that escapes from a server becomes INTERNAL. */
  none: {
    // environment variables have invalid values; all of them are listed → correct these variables and start again;
    // `svc config` shows the result
    CONFIG_INVALID: 'The configuration has mistakes:\n{mistakes}',
    // the command line has an unknown argument, or lacks one → run `svc --help` or `svc <command> --help`
    USAGE: '{reason}',
    // a file cannot be read or written; the reason comes from the system → correct the path, the permissions or
    // the disk
    FILE_UNUSABLE: '{file} cannot be used: {reason}.',
    // an amount has a sign, an exponent, a separator, too many decimal places or no digits → write it like `1500`
    // or `0.25`
    AMOUNT_MALFORMED: 'An amount in {unit} must be a plain decimal number {places}.',
    // an amount exceeds the range of the contracts → use a smaller one
    AMOUNT_TOO_LARGE: 'An amount in {unit} must stay below 2^96 of its smallest unit.',
    // a field is missing, a text contains half a surrogate pair, or a file name has a path in it → correct the
    // field that the message names
    DOCUMENT_INVALID: 'The document is not valid: {reason}.',
    // its texts together are too long: 4,096 bytes fit on chain, 131,072 in a file store → shorten the texts, or
    // put them into a file and name it
    DOCUMENT_TOO_LARGE: 'The document has {bytes} bytes; {limit} are allowed.',
    // the node returned an error; its text is repeated → do what the node says
    CHAIN_REFUSED: 'The chain refused the request: {reason}',
    // the RPC serves another chain → use the RPC of the right chain
    CHAIN_WRONG: 'The RPC serves chain {found}, not chain {expected}.',
    // a site or a deployment file names another chain than `SVC_CHAIN_ID`, which is 8453 unless it is set → check
    // the address of the market; then set `SVC_CHAIN_ID`
    MARKET_CHAIN_WRONG:
      'The market is on chain {found}, not on chain {expected}. If you mean that market, set SVC_CHAIN_ID={found}.',
    // the chain is slow, or the fee was too low → look for the hash on the chain before you send anything again
    TRANSACTION_NOT_MINED: 'The transaction {hash} was not mined within {seconds} seconds.',
    // the fee is below the node's minimum, or too close to that of a pending transaction with the same nonce →
    // wait until that one is mined, or offer more
    TRANSACTION_UNDERPRICED:
      'The chain did not accept the transaction {hash} at {maxFeePerGas} wei per unit of gas.',
    // a contract reverted; the sentence gives the reason → do what the sentence says
    TRANSACTION_REVERTED: '{sentence}',
    // the wallet sent another transaction with the same nonce → check that transaction; prepare the action again
    TRANSACTION_REPLACED: 'Another transaction of the wallet replaced {hash}, which will never be mined.',
    // a command that sends transactions has no key → set the variable for this one command
    KEY_MISSING: 'PRIVATE_KEY is not set; it is the key that signs and pays.',
    // `svc keeper` has no key → set it to a key that holds some Ether and nothing else, or use `--dry-run`
    KEEPER_KEY_MISSING: 'SVC_KEEPER_KEY is not set; it is the key that pays for what the keeper sends.',
    // the deployer cannot pay for the whole deployment at twice the current base fee → send it the difference;
    // unused Ether stays there
    BALANCE_TOO_LOW: '{address} has {have} ETH, but up to {need} ETH are needed.',
    // a deployment would give a role to the zero address → use an address with an owner
    ROLE_EMPTY: 'The {role} cannot be the zero address.',
    // the address is not a contract, or another token → pass the right one with `--usdc`
    USDC_MISSING:
      'There is no USDC at {address}: a token with 6 decimals was expected, decimals gave {found}.',
    // `--test-usdc` on Base, Ethereum or another public chain → use the real USDC
    TEST_USDC_REFUSED:
      'Chain {chainId} is a public chain with real money. Anyone can mint test USDC, so it is not deployed there: leave out --test-usdc.',
    // an oracle with this feed would never have a price → pass the right one with `--sequencer-feed`, or none
    SEQUENCER_FEED_MISSING: 'There is no contract at {address}, which was given as sequencer feed.',
    // an earlier `svc deploy` was interrupted; the report lists what exists and what is missing → use `--abandon`,
    // or `--finish` if nothing is missing
    DEPLOYMENT_UNFINISHED: '{report}',
    // `--abandon` or `--finish` without a journal → leave the option out, or pass the right `--out`
    DEPLOYMENT_NOT_STARTED: 'There is no unfinished deployment: {file} does not exist.',
    // a deployment file exists and was verified → use it; `--again` deploys new contracts and replaces the file
    DEPLOYMENT_EXISTS: '{file} already holds a deployment, and {verdict}. To deploy again: --again.',
    // `svc site` does not know which market to serve → set `SVC_DEPLOYMENT` to the file; `svc start` needs none
    DEPLOYMENT_NOT_NAMED: 'SVC_DEPLOYMENT must name the file that svc deploy has written.',
    // a command found neither a site nor a deployment file → start the market, or set its address
    MARKET_NOT_FOUND:
      'No market answers at {url}: start one with npm start, or set SVC_SITE_URL, or SVC_DEPLOYMENT and SVC_RPC_URL.',
    // the tool `svc_prepare` tried calls that the chain would reject; no wallet was asked → do what the message
    // says, then prepare it again
    CALL_WOULD_REVERT: '{action} would revert: {reason} {advice}',
    // `svc prepare` has no action of this name → use a name from the list
    ACTION_UNKNOWN: 'There is no action "{action}"; there are {known}.',
    // an argument is missing, malformed, unknown or contradicts another; all are listed → correct them; `svc
    // prepare <action> --help` shows each with an example
    ARGUMENTS_INVALID: 'The arguments of {action} have mistakes:\n{mistakes}',
    // the gateway or the wallet tool server does not answer → start it (`npm start` runs a gateway), or choose
    // another wallet
    WALLET_UNREACHABLE:
      'The wallet cannot be reached at {where}: {reason}. The wallet "none" needs no connection.',
    // the gateway or the wallet tool server refused; its text is repeated → do what it says
    WALLET_REFUSED: 'The wallet refused the request: {reason}',
    // the authorization server of the hosted wallet is down or faulty; the permission remains → try again; if it
    // continues, check the wallet's site
    WALLET_NOT_RENEWED:
      'Nothing was done: the permission to use the wallet has run out and could not be renewed: {reason}. Try again later.',
    // `from` is not the address of the wallet → leave out `--from`, or use the wallet of that address
    WALLET_OTHER: 'The wallet signs as {have}, not as {want}.',
    // a process ended between sending and the receipt; continuing could send twice → run `svc request`; the same
    // command continues where it stopped, `--forget` gives it up
    WALLET_REQUEST_OPEN:
      'Nothing was sent: an earlier {action} was interrupted before the wallet reported a result. "svc request {requestId}" shows its state.',
    // `--forget` while another process holds the lock of the wallet; it has signed and may sign more → wait, or
    // end that process; then run `svc request`, and forget what is still open
    WALLET_REQUEST_UNDER_WAY:
      'The request was kept: another process is sending with this wallet. Wait for it or stop it; then "svc request {requestId}" shows the result.',
    // another process changed the request before its next transaction was signed → run `svc request`; prepare the
    // action again if you still want it
    WALLET_REQUEST_ENDED:
      'Nothing more was sent: another process has ended the request. "svc request {requestId}" shows the result.',
    // each start of the embedded chain is a new chain; or `SVC_SITE_URL` now points to another market → ask the
    // chain of the request; forget the request if that chain is gone
    WALLET_REQUEST_ELSEWHERE:
      'The request {requestId} is {status} and belongs to another chain than the current one. If that chain is gone, "svc request {requestId} --forget" drops the request.',
    // a wallet tool server took the calls, but its reply with the id was lost → check the wallet; forget the
    // request if it is not there
    WALLET_ANSWER_LOST:
      'Nothing was sent: the wallet received {action} before, and its reply was lost. If the wallet shows no such request, run "svc request {requestId} --forget".',
    // the reply of the tool server has neither the data nor an id; it may have taken the calls → check the wallet;
    // forget the request with `svc request` if it is not there
    WALLET_ANSWER_UNCLEAR:
      'The reply of the wallet is not understood: {reason}. Check the wallet: it may have received the request.',
    // `--wallet key` on a chain other than that of `svc start` on this machine → check the chain, then add the
    // flag; or use another wallet
    KEY_NEEDS_CONSENT:
      'This is not the embedded chain. To sign with PRIVATE_KEY for real money, add --yes-real-chain.',
    // `svc wallet-mcp` was started for another chain → start a market with `npm start`; for real money use a
    // wallet that asks you
    WALLET_FOR_DEVELOPMENT:
      'The development wallet signs every request, so it works on the embedded chain only.',
    // a field or an action of the policy is unknown, missing, repeated or malformed; each line names where →
    // correct the file; `svc policy check <file>` tries it ([policy](policy.md))
    POLICY_INVALID: 'The spending policy {file} has mistakes:\n{mistakes}',
    // `svc mcp --wallet key` or `mcp` without a policy → write one ([policy](policy.md))
    POLICY_MISSING:
      'A wallet that signs without asking needs a spending policy: --policy <file> or SVC_POLICY.',
    // the calls or the typed data are none that an action of svc makes, so their cost is unknown → use an action
    // of svc; sign anything else in your own wallet
    POLICY_REFUSED: 'The policy refuses to sign this, and nobody is asked: {reason}.',
    // `mode` of the policy is `dry-run` → set `"mode": "enforce"` and restart the tools once the log shows what
    // you want
    POLICY_DRY_RUN: 'Nothing was signed, because the policy is a dry run: {outcome}',
    // `svc send` accepted an offer that exceeds the policy → let the owner sign there; `svc request <requestId>`
    // then shows the signature, which goes into `--payload`
    POLICY_ASKS_OWNER:
      'Nothing was signed: the policy leaves this to the owner, who decides at {approvalUrl} (request {requestId}). {reasons}',
    // `svc mcp --http` with a signing wallet and a public `SVC_HOST` → listen on 127.0.0.1, or let the public
    // tools ask the owner
    TOOLS_NOT_LOCAL:
      'Tools with a signing wallet serve stdio or this machine only; SVC_HOST is {host}. Use 127.0.0.1, or serve without --wallet.',
    // the file of `SVC_DEPLOYMENT` or `--out` is damaged or of another kind → write it again with `svc deploy`, or
    // restore it
    DEPLOYMENT_MALFORMED: 'The deployment file cannot be used: {reason}.',
    // the deployer's key sent other transactions during the deployment → deploy again with a key that sends
    // nothing else
    DEPLOYMENT_MISPLACED: '{name} should be at {expected}, but the chain has it at {found}.',
    // the chain differs from the deployment file; each difference is listed → do not use this deployment; restore
    // its file, or deploy again
    DEPLOYMENT_MISWIRED: 'The contracts are not connected as expected:\n{list}',
    // the gateway settles payments but has no key to pay for gas → set the key, or use another facilitator
    FACILITATOR_KEY_MISSING: 'SVC_FACILITATOR=local needs SVC_FACILITATOR_KEY, a key with some ETH for gas.',
    // an RPC does not return logs that the block contains (indexer only) → use another RPC if it continues
    CHAIN_LOGS_MISSING: 'Logs of block {block} are missing from the answer of the RPC.',
    // two processes followed the chain at the same time (indexer only) → nothing: one of them continues
    FOLLOWER_OVERTAKEN: 'Another process has written newer rows; this one starts over.',
    // the key is wrong, or the sender sealed another file than the document names → do not trust the file; ask the
    // sender for the right key
    FILE_UNSEALED: 'The sealed file does not open to what the document names: {reason}.',
    // the typed client gets no reply → check `baseUrl`
    API_UNREACHABLE: 'The API at {url} cannot be reached: {reason}.',
    // the API returned an error to the typed client; its text is repeated → do what the API says
    API_REFUSED: '{reason}',
    // the typed client got an unexpected reply → update the client or the server
    API_UNEXPECTED: 'The reply of the API does not fit its contract: {reason}.',
    // `svc audit` found no site there, or one that fails → start the site, or set the right one with `--site`
    SITE_UNREADABLE: 'The site at {url} cannot be read: {reason}.',
    // a message is incomplete, contradicts itself or is too large; nothing was sent → correct the payload; see the
    // [schemas](schemas)
    ENVELOPE_INVALID: 'The envelope would be refused: {reason}',
    // a tool cannot do what its arguments say; or a tool that `svc demo` called refused → read the reason, and
    // call again with other arguments
    TOOL_FAILED: '{tool}: {reason}',
    // `svc demo` found a real market → stop it, or set `SVC_SITE_URL` to an embedded one
    DEMO_NOT_HERE:
      'The market at {url} is not on an embedded chain; the demo uses public keys and stops here.',
    // a terms document does not match its hashes → do not sign it; build it again with `svc_build_task_terms` or
    // `svc prepare build-task-terms`
    TERMS_INVALID: 'The terms are inconsistent: {reason}',
    // the id is wrong, or its first message has not arrived → `svc inbox` lists the negotiations
    NEGOTIATION_NOT_FOUND: 'There is no negotiation {negotiationId} in this mailbox.',
    // another wallet opened a conversation with the same id; ids can be copied, roots cannot → look at `svc inbox`
    // and pass the root of the one you mean as `--negotiation`
    NEGOTIATION_AMBIGUOUS:
      'Several conversations have the negotiation id {negotiationId}. Name one by its root instead: {roots}.',
    // there is nothing to accept: no offer, an expired or vetoed one, accepted already, another digest, or another
    // market → do what the reason says
    NEGOTIATION_CLOSED: '{reason}',
    // `--transport xmtp` without the optional package → install it, or use `--transport local`
    TRANSPORT_MISSING: 'XMTP support is not installed. Run: npm install @xmtp/node-sdk@5.5.0',
    // the XMTP network or the mailbox does not answer → the message stays in the outbox; the next `svc send` or
    // `svc inbox` retries
    TRANSPORT_UNREACHABLE: 'Messages cannot be sent through {transport} now: {reason}.',
    // `svc start` or `svc demo` in an installation without the chain's engine → run that command, or run a
    // deployed market with `svc site`
    CHAIN_ENGINE_MISSING:
      'The embedded chain needs @nomicfoundation/edr. Run: npm install @nomicfoundation/edr@0.15.0',
    // a file, endpoint or pool of `svc publish-price` cannot be read, or holds no price → check the source; the
    // published price stays
    PRICE_SOURCE_FAILED: 'The price source {source} gave no price: {reason}.',
    // two `svc start` with one data folder → stop the other one, or use two folders
    CHAIN_FILE_BUSY:
      'Another svc start uses the chain in {file}. Stop it, or name another folder in SVC_DATA_DIR.',
    // the file was changed, or written by a version of svc whose chain computes other blocks → restore the file
    // from a backup, or `--fresh`; nothing is changed until then
    CHAIN_FILE_DAMAGED:
      'The chain in {file} is damaged: {reason}. To replace it with a new chain, run: svc start --fresh',
    // `--no-seed` with the file of a seeded chain, or the other way round → leave the option away, or `--fresh`
    CHAIN_FILE_DIFFERS: 'The chain in {file} was started {how}. To replace it with a new chain, add --fresh.',
    // `svc start` may not use this port (for example below 1024) → choose another one with `--port`
    CHAIN_CANNOT_LISTEN: 'The chain cannot listen on {host}:{port}: {reason}.',
    // the port is in use or not allowed, or the host is not one of this machine → set `SVC_SITE_PORT`,
    // `SVC_GATEWAY_PORT` or `SVC_HOST`
    SERVER_CANNOT_LISTEN: 'The {server} cannot listen on {host}:{port}: {reason}.',
    // the port is in use or not allowed → choose another one with `SVC_MCP_PORT` or `--port`
    TOOLS_CANNOT_LISTEN: 'The tools cannot be served on {host}:{port}: {reason}.',
    // a hundred ports in a row are in use → free one, or choose another range with `--port`
    CHAIN_NO_FREE_PORT: 'The chain found no free port from {first} to {last} on {host}.',
  },
} as const;

type Groups = typeof messagesByStatus;

export type ErrorCode = { [Status in keyof Groups]: keyof Groups[Status] }[keyof Groups];

type ErrorMessages = {
  readonly [Code in ErrorCode]: Extract<Groups[keyof Groups], Record<Code, string>>[Code];
};

export const errorMessages: ErrorMessages = Object.assign({}, ...Object.values(messagesByStatus));

const { none: _, ...answered } = messagesByStatus;

const statuses = new Map(
  Object.entries(answered).flatMap(([status, messages]) =>
    Object.keys(messages).map((code) => [code, Number(status)]),
  ),
);

/** The HTTP status of a code; undefined for a code that no route answers with. */
export function findStatus(code: ErrorCode): number | undefined {
  return statuses.get(code);
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorMessages, text);
}

/** What tools add to the message, for the model that called them. */
export const errorAdvice: Partial<Record<ErrorCode, string>> = {
  API_UNREACHABLE: 'Is the market running? `npm start` starts one; SVC_SITE_URL says where it is.',
  CHAIN_UNREACHABLE: 'Reads through the API may still work; try again in a moment.',
};

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export type ErrorDetails<Code extends ErrorCode> = Record<Placeholders<ErrorMessages[Code]>, string> &
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
