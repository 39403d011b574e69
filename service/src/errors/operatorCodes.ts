// Codes of what goes wrong for the operator and the commands: no route answers with them, and no participant's program needs them.
// The comments are rows of docs/errors.md; sdk/src/domain/routeErrors.ts explains them.

/** Names in braces are replaced by the error's details. */
export const operatorErrors = {
  // environment variables have invalid values; all of them are listed → correct these variables and start again;
  // `svc config` shows the result
  CONFIG_INVALID: 'The configuration has mistakes:\n{mistakes}',
  // a file cannot be read or written; the reason comes from the system → correct the path, the permissions or
  // the disk
  FILE_UNUSABLE: '{file} cannot be used: {reason}.',
  // `SVC_CONTACT_KEY` is not the key that the addresses in this database are encrypted with → set the earlier key; without
  // it, delete the rows of `notice_channels` and the rows `contacts` and `push` of `gateway_secrets`
  CONTACT_KEY_WRONG: 'SVC_CONTACT_KEY is another key than the one that this database was used with.',
  // a site or a deployment file names another chain than `SVC_CHAIN_ID`, which is 8453 unless it is set → check
  // the address of the market; then set `SVC_CHAIN_ID`
  MARKET_CHAIN_WRONG:
    'The market is on chain {found}, not on chain {expected}. If you mean that market, set SVC_CHAIN_ID={found}.',
  // a command that sends transactions has no key → set the variable for this one command
  KEY_MISSING: 'PRIVATE_KEY is not set; it is the key that signs and pays.',
  // `svc keeper` has no key → set it to a key that holds some Ether and nothing else, or use `--dry-run`
  KEEPER_KEY_MISSING: 'SVC_KEEPER_KEY is not set; it is the key that pays for what the keeper sends.',
  // the deployer cannot pay for the whole deployment at twice the current base fee → send it the difference;
  // unused Ether stays there
  BALANCE_TOO_LOW: '{address} has {have} ETH, but up to {need} ETH are needed.',
  // a deployment would give a role to the zero address → use an address with an owner
  ROLE_EMPTY: 'The {role} cannot be the zero address.',
  // `svc deploy` on a chain with real money, with a single key or one wallet as owner and fallback arbitrator, or without the feed
  // of its sequencer → name two contracts such as Safes, and `--sequencer-feed`; on a copy of such a chain, `--unsafe-roles`
  ROLES_UNSAFE:
    'On a public chain this deployment would be unsafe: {reasons}. Use two multi-signature wallets and name the feed.',
  // the address is not a contract, or another token → pass the right one with `--usdc`
  USDC_MISSING: 'There is no USDC at {address}: a token with 6 decimals was expected, decimals gave {found}.',
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
  // `SVC_GATEWAY_URL` leads to a gateway of another market, as when ports were taken; nothing was sent → set
  // `SVC_SITE_URL` and `SVC_GATEWAY_URL` as `npm start` prints them
  GATEWAY_FOREIGN:
    'The gateway at {gateway} serves another market than the site at {site}. Set SVC_GATEWAY_URL to the gateway of that site.',
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
  // the deployer's key sent other transactions during the deployment → deploy again with a key that sends
  // nothing else
  DEPLOYMENT_MISPLACED: '{name} should be at {expected}, but the chain has it at {found}.',
  // the chain differs from the deployment file; each difference is listed → do not use this deployment; restore
  // its file, or deploy again
  DEPLOYMENT_MISWIRED: 'The contracts are not connected as expected:\n{list}',
  // `svc payments refund` → the message says what to do; `svc payments list` shows what can be refunded
  REFUND_REFUSED: 'The payment is not refunded: {reason}.',
  // the contracts are not those that this build was made for → install the release of their edition, or deploy again
  // and name the new file; an embedded chain: `npm start -- --fresh`
  CONTRACTS_DIFFER:
    'This build is for contracts of edition {expected}, and these are {found}: {contracts} differ. Install the release for them, or deploy again.',
  // the gateway settles payments but has no key to pay for gas → set the key, or use another facilitator
  FACILITATOR_KEY_MISSING: 'SVC_FACILITATOR=local needs SVC_FACILITATOR_KEY, a key with some ETH for gas.',
  // an RPC does not return logs that the block contains (indexer only) → use another RPC if it continues
  CHAIN_LOGS_MISSING: 'Logs of block {block} are missing from the answer of the RPC.',
  // an RPC reports times of blocks that contradict each other, or a block far in the future that another RPC does not
  // (indexer only) → use another RPC if it continues; set the clock of this machine (NTP)
  CHAIN_TIME_WRONG: 'The time of block {block} in the answer of the RPC cannot be true.',
  // two processes followed the chain at the same time (indexer only) → nothing: one of them continues
  FOLLOWER_OVERTAKEN: 'Another process has written newer rows; this one starts over.',
  // the chain took back more blocks than the database keeps hashes of: another chain at the same address, or a test chain that was
  // reset (indexer only) → check the RPC; then start again with an empty index, `npm start -- --fresh` on the embedded chain
  FORK_TOO_DEEP:
    'The chain has left the rows below block {block}. Check the RPC, then read it again into an empty index.',
  // `svc audit` found no site there, or one that fails → start the site, or set the right one with `--site`
  SITE_UNREADABLE: 'The site at {url} cannot be read: {reason}.',
  // a tool cannot do what its arguments say; or a tool that `svc demo` called refused → read the reason, and
  // call again with other arguments
  TOOL_FAILED: '{tool}: {reason}',
  // a tool at `/mcp` of a gateway that reads messages of a wallet without a sign-in, or sends some → sign in, or use the tools on
  // your machine (`svc mcp`)
  TOOLS_WITHOUT_SESSION:
    'The tools of a gateway read messages of a wallet after a sign-in, and send none. Sign in with svc_inbox, or run svc mcp on your machine.',
  // the owner of one wallet has signed in, and a tool is asked about another → name the wallet that has signed in
  TOOLS_OF_ANOTHER_WALLET: 'Only the owner of {wallet} has signed in here. Call again with this address.',
  // `svc demo` found a real market → stop it, or set `SVC_SITE_URL` to an embedded one
  DEMO_NOT_HERE: 'The market at {url} is not on an embedded chain; the demo uses public keys and stops here.',
  // another wallet opened a conversation with the same id; ids can be copied, roots cannot → look at `svc inbox`
  // and pass the root of the one you mean as `--negotiation`
  NEGOTIATION_AMBIGUOUS:
    'Several conversations have the negotiation id {negotiationId}. Name one by its root instead: {roots}.',
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
  // the database was created by a build before 0.1 → use an empty database: the chain is read again; `--fresh` also
  // replaces the chain
  SCHEMA_UNKNOWN:
    'The tables of this database come from an older build of svc, which this one cannot read. Use an empty database, or replace the embedded market: npm start -- --fresh',
  // the database was filled for another chain, other contracts or another edition of them → name the database of this
  // deployment, or an empty one; an embedded chain: `npm start -- --fresh`
  DATABASE_OF_OTHER:
    'This database holds {kept}. SVC_DEPLOYMENT names {wanted}. Use the database of that deployment or an empty one, or replace the embedded market: npm start -- --fresh',
  // DATABASE_URL names a standby → name the primary
  DATABASE_STANDBY:
    'The database that DATABASE_URL names is a standby of PostgreSQL, which takes no writes. Name the primary.',
  // two `svc start` with one data folder → stop the other one, or use two folders
  CHAIN_FILE_BUSY:
    'Another svc start uses the chain in {file}. Stop it, or name another folder in SVC_DATA_DIR.',
  // the file was changed, or written by a version of svc whose chain computes other blocks → restore the file
  // from a backup, or `--fresh`; nothing is changed until then
  CHAIN_FILE_DAMAGED:
    'The chain in {file} is damaged: {reason}. To replace it with a new chain, run: svc start --fresh',
  // `--no-seed` with the file of a seeded chain, or the other way round → leave the option out, or add `--fresh`
  CHAIN_FILE_DIFFERS: 'The chain in {file} was started {how}. To replace it with a new chain, add --fresh.',
  // `svc start` may not use this port (for example below 1024) → choose another one with `--port`
  CHAIN_CANNOT_LISTEN: 'The chain cannot listen on {host}:{port}: {reason}.',
  // the port is in use or not allowed, or the host is not one of this machine → set `SVC_SITE_PORT`,
  // `SVC_GATEWAY_PORT` or `SVC_HOST`
  SERVER_CANNOT_LISTEN: 'The {server} cannot listen on {host}:{port}: {reason}.',
  // the port is in use or not allowed → choose another one with `--port`
  TOOLS_CANNOT_LISTEN: 'The tools cannot be served on {host}:{port}: {reason}.',
  // a hundred ports in a row are in use → free one, or choose another range with `--port`
  CHAIN_NO_FREE_PORT: 'The chain found no free port from {first} to {last} on {host}.',
} as const;
