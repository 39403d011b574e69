// Error codes that servers answer with: status, message and, in the comment above each, its row in docs/errors.md.
//
// The comment reads "when it happens → what to do". `npm run generate` writes the documentation from it. It is a comment
// because pages load the messages and need no documentation.

/** By the status of the reply. Names in braces are replaced by the error's details. */
export const routeErrors = {
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
    // `role` is none of the roles of a concern → use `poster`, `worker`, `sponsor`, `proposedArbitrator` or `arbitrator`
    ROLE_UNKNOWN: 'The role must be poster, worker, sponsor, proposedArbitrator or arbitrator.',
    // `state` has a name that is no state, or in small letters → use names such as `POSTED,ACTIVE`
    STATE_UNKNOWN:
      'Each state must be POSTED, CLAIMED, ACTIVE, DELIVERED, DISPUTED, COMPLETED, RESOLVED or CANCELLED; commas separate several.',
    // `tag` or `skill` is empty or too long, or names too many → name fewer or shorter ones
    TAG_INVALID:
      'A tag or skill has 1 to 60 characters, none of them a control character. Lists of tasks take up to 8 tags, separated by commas.',
    // the id of a listing has another format → use 0x and 64 hexadecimal digits in lower case
    LISTING_ID_MALFORMED: 'The id of a listing must be 0x and 64 hexadecimal digits in lower case.',
    // `kind` has another value → use one of these
    KIND_UNKNOWN: 'The kind must be "person", "agent" or "organisation".',
    // a filter by amount has a sign or letters, or wei have a decimal point → write wei (1 TOK is `1000000000000000000`), or dollars such as `12.50`
    AMOUNT_FILTER_INVALID:
      'minAmountTokWei and maxAmountTokWei must be decimal strings of TOK wei, minAmountUsd and maxAmountUsd dollars with up to 8 decimals.',
    // `deadlineBefore` is no whole number of seconds → use Unix seconds
    DEADLINE_FILTER_INVALID: 'deadlineBefore must be a time in Unix seconds.',
    // `fullyFunded` has another value → use one of the two
    FUNDED_FILTER_INVALID: 'fullyFunded must be "true" or "false".',
    // the search text is empty, has only signs, or is too long → search for fewer words
    SEARCH_INVALID: 'q must have 1 to 12 words with letters or digits, in at most 100 characters.',
    // `since` is no number → use `Svc-Block` of an earlier reply
    SINCE_INVALID: 'since must be the number of a block.',
    // `sort` has another value → use one of these
    SORT_UNKNOWN:
      'The order must be "newest", "mixed", "oldest", "highest", "lowest", "deadline" or "funded".',
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
    // one of the two values would be taken and the other not → send the parameter once
    PARAMETER_REPEATED: 'The parameter "{name}" is given more than once.',
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
    CHAT_MESSAGES_INVALID: 'messages must be 1 to 50 objects with a role and a content, both texts.',
    // the chat service does not take this conversation, such as a role that its model does not know → change roles
    // or contents; the server's log has the status under the request id
    CHAT_REFUSED: 'The chat service refuses this conversation. Change its roles or contents.',
    // the last part of the path is something else → compute the hash with `sha256sum`
    FILE_HASH_MALFORMED: 'A file is named by its SHA-256: 64 hexadecimal digits in lower case.',
    // `for` or `sealed` is something else → use the id of the task, such as `v2:standard:3`, and `sealed=true`
    FILE_SUBJECT_MALFORMED:
      '"for" must be a task id, or the root of a conversation (0x and 64 digits); "sealed" true or false.',
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
      'This wallet has no part in the market: deposit the entry collateral, or take part in a task.',
    // the collateral came in the last 24 hours, and the recipient has no open task → wait until then, or write to a
    // wallet with an open task or a task in common
    STANDING_NEW:
      'To write to a wallet without an open task, your entry collateral must have been in place for 24 hours without a break: until {until}.',
    // the recipient blocks this wallet, and they share no live task → use another way to reach the recipient
    RECIPIENT_REFUSES: 'The recipient does not accept messages of this wallet.',
    // the session is one of another wallet → sign in with the wallet that published it
    NOT_THE_OWNER: 'Only the wallet that this belongs to may do this.',
    // the list of another wallet than that of the session → leave out `address`, or sign in with that wallet
    TODO_OF_ANOTHER: 'A session lists what waits for its own wallet only: sign in with that wallet.',
    // the wallet of the session has no part in it → sign in with the wallet that posted, works on or judges the
    // task
    NOT_A_PARTY: 'Only a party or the judge of this task or conversation may do this.',
  },
  404: {
    // the wallet of the session has no channel with this id → read `/v1/notifications`
    CHANNEL_NOT_FOUND: 'This wallet has no such channel.',
    // the token of a confirmation or unsubscription is incomplete, or its address was removed → open the link as it was
    // sent, or add the address again
    LINK_INVALID: 'This link does not work: it is incomplete, or its address was removed.',
    // nobody published it here, or it ended long ago → check the id
    LISTING_NOT_FOUND: 'There is no such listing.',
    // no task has this number on this market → check id and market
    TASK_NOT_FOUND: 'Task not found',
    // there is no such path → see `/openapi.yaml` or `/docs/api` for all routes
    ROUTE_NOT_FOUND: 'There is no such route.',
    // there is no wallet request with this id on this chain → create a new one
    WALLET_REQUEST_NOT_FOUND: 'Request not found',
    // the wallet of the session is no party of it, or it was swept → list the conversations of this wallet
    CONVERSATION_NOT_FOUND: 'There is no such conversation of this wallet.',
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
    // a limit of channels or saved searches is reached, the address is refused, or the channel is not confirmed; the message says which → do what it says
    CONTACT_REFUSED: 'This is refused: {reason}.',
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
    // two devices, or both parties, wrote at the same time; the relay keeps one chain → `svc send` does this by
    // itself; in your own code: read the mailbox, build the envelope on the new head, sign and send it
    PLACE_TAKEN: 'Another message has this place in the conversation. Read it, then build on the newest one.',
    // a newer version of this profile or listing is known, perhaps from another device → read it, then sign a
    // higher version
    VERSION_OLD: 'Version {known} is known already. Sign a higher version.',
    // two documents under one version, or one that was withdrawn → sign the document again with a new version
    VERSION_TAKEN: 'Version {known} was used for another document. Sign a higher version.',
    // the conversation began over another transport → send the earlier envelopes in order; `svc send` does this by
    // itself
    PLACE_GAP: 'Messages before this one are missing here. Send those first.',
    // the message before this one lost its place to another one, so nothing can fill the gap → read the conversation,
    // build the envelope on the head, with the sequence that `startAt` names, sign and send it
    PLACE_GONE:
      'The message before this one has no place here any more. Read the conversation, and go on with the sequence `startAt`.',
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
    // a file of a private task that is not encrypted, or one declared as sealed whose bytes are text or a known format →
    // seal it (`svc files put --seal`, `seal` of `svc_attach_file`, `sealFile` of the SDK), and upload it with `sealed=true`
    FILE_NOT_SEALED: 'The file is not sealed: {reason}.',
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
    // the question of a client was answered, has expired, or was answered elsewhere → start again in the client
    SIGN_IN_REFUSED: 'The sign-in is refused: {reason}.',
    // it has ended, lasts too long, or the work would be due before its end → choose other times and sign again
    LISTING_TIMES:
      'A listing must end in the future, at most 30 days after its version, and before its deadline.',
    // the clock of the signer is wrong → correct it and sign again
    VERSION_AHEAD: 'The version must be Unix seconds, at most ten minutes ahead.',
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
    // five are live, or a hundred were published in a month → close one, or wait until one ends
    LISTING_LIMIT: 'A wallet may have five live listings. Close one, or wait until one ends.',
    // too many messages in a day, or before the other party has answered → wait for an answer, or until tomorrow
    MAIL_LIMIT: 'A limit of this gateway is reached: {reason}.',
    // the limit of this client is used up; every reply shows it in `RateLimit` → wait for `Retry-After`
    RATE_LIMITED: 'Too many requests; try again in {seconds} seconds.',
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
    // the chat service refused the server's key, failed, or sent an unexpected reply → try again later; the server's log has the
    // reason under the request id
    CHAT_FAILED: 'The chat service gave no usable answer; try again later.',
  },
  503: {
    // the operator has set no key for addresses → ask the operator, or use another gateway
    NOTICES_OFF: 'This gateway offers no notifications: SVC_CONTACT_KEY is not set.',
    // no node answers at the RPC address, or another server does → check `--rpc`, `SVC_RPC_URL` or `CHAIN_RPC_URL`
    CHAIN_UNREACHABLE: 'The chain cannot be reached: {reason}.',
    // the facilitator of `SVC_FACILITATOR`, or its chain, does not answer → send the same payment again, or use a
    // receipt, which is free
    FACILITATOR_UNREACHABLE: 'Payments cannot be checked now; nothing was charged. Try again in a moment.',
    // the account of `SVC_FACILITATOR_KEY` has too little Ether for gas → use a receipt, which is free; operators: send
    // it Ether, then the same payment works
    FACILITATOR_UNFUNDED:
      'Payments cannot be settled now; nothing was charged. Try again later, or use a receipt.',
    // the server has no key for a chat service → the operator sets `LLM_GATEWAY_API_KEY` and restarts the server
    CHAT_NOT_CONFIGURED: 'LLM_GATEWAY_API_KEY is not configured',
    // nobody has published a price, which the earlier format and filters in dollars need → use the current format and TOK, or publish a price
    PRICE_MISSING: 'No price of TOK was published yet, so amounts in USD are not available.',
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
    // `/health` of a process whose database is empty, or was away for long: the chain is read from its first block → wait; `block`,
    // `target`, `percent` and `seconds` say how far it is
    CATCHING_UP: 'The chain is being read for the first time; {percent} % is done.',
    // this replica has not read the block of `Svc-At-Least-Block` within two seconds → wait for `Retry-After`; another
    // replica may have it
    BLOCK_NOT_REACHED: 'This server has not seen block {block} yet; try again in a moment.',
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
} as const;
