// The error class of svc, and the codes that no route answers with. routeErrors.ts has the others, and explains the comments.
import { routeErrors } from './routeErrors.ts';

/** Names in braces are replaced by the error's details. One that escapes from a server becomes INTERNAL. */
const otherErrors = {
  // the command line has an unknown argument, or lacks one → run `svc --help` or `svc <command> --help`
  USAGE: '{reason}',
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
  // the owner declined, or the wallet refused for the reason that it gives → sign, or correct what the wallet names
  WALLET_REJECTED: 'The wallet did not sign: {reason}',
  // the wallet may have sent it all the same: its answer was lost, and the chain shows nothing so far → look at the
  // wallet's history; start again only if it shows nothing
  ANSWER_LOST:
    'The wallet was asked for {action}, and its answer was lost. Look at the wallet’s history before you send it again.',
  // an earlier run of the wallet is under way, and might be the same wish in other words → wait for it, or look at the
  // wallet's history and give it up
  RUN_OPEN: 'Nothing was sent: what became of an earlier {action} is not known yet ({runId}).',
  // another tab, process or command has ended this run → look at its result
  RUN_ENDED: 'Nothing more was sent: the run {runId} was ended elsewhere.',
  // what is left costs more than was shown, or goes elsewhere → look at it as it is now, and confirm that
  PLAN_CHANGED: 'Nothing more was signed. {change}',
  // `svc prepare` has no action of this name → use a name from the list
  ACTION_UNKNOWN: 'There is no action "{action}"; there are {known}.',
  // an argument is missing, malformed, unknown or contradicts another; all are listed → correct them; `svc
  // prepare <action> --help` shows each with an example
  ARGUMENTS_INVALID: 'The arguments of {action} have mistakes:\n{mistakes}',
  // what the action would bring about is so already, such as a recommended balance → go on; give an amount to add more
  NOTHING_TO_DO: 'There is nothing to do: {reason}.',
  // `from` is not the address of the wallet → leave out `--from`, or use the wallet of that address
  WALLET_OTHER: 'The wallet signs as {have}, not as {want}.',
  // the file of `SVC_DEPLOYMENT` or `--out` is damaged or of another kind → write it again with `svc deploy`, or
  // restore it
  DEPLOYMENT_MALFORMED: 'The deployment file cannot be used: {reason}.',
  // the key is wrong, or the sender sealed another file than the document names → do not trust the file; ask the
  // sender for the right key
  FILE_UNSEALED: 'The sealed file does not open to what the document names: {reason}.',
  // the typed client gets no reply → check `baseUrl`
  API_UNREACHABLE: 'The API at {url} cannot be reached: {reason}.',
  // the API returned an error to the typed client; its text is repeated → do what the API says
  API_REFUSED: '{reason}',
  // the typed client got an unexpected reply → update the client or the server
  API_UNEXPECTED: 'The reply of the API does not fit its contract: {reason}.',
  // a message is incomplete, contradicts itself or is too large; nothing was sent → correct the payload; see the
  // [schemas](schemas)
  ENVELOPE_INVALID: 'The envelope would be refused: {reason}',
  // a terms document does not match its hashes, or is for another market → do not sign it; build it again with
  // `svc_build_task_terms` or `svc prepare build-task-terms`
  TERMS_INVALID: 'The terms are inconsistent: {reason}',
  // the id is wrong, or its first message has not arrived → `svc inbox` lists the negotiations
  NEGOTIATION_NOT_FOUND: 'There is no negotiation {negotiationId} in this mailbox.',
  // there is nothing to accept: no offer, an expired or vetoed one, or accepted already; or others write all the time → do what
  // the reason says
  NEGOTIATION_CLOSED: '{reason}',
  // the offer that was read is not the newest one any more; nothing was accepted → read the conversation again, then decide
  OFFER_CHANGED: 'Another offer is open now, with the settlementDigest {offered}: read it before you accept.',
} as const;

type Groups = (typeof routeErrors)[keyof typeof routeErrors] | typeof otherErrors;

type KeysOf<Group> = Group extends unknown ? keyof Group : never;
export type ErrorCode = KeysOf<Groups>;

type ErrorMessages = { readonly [Code in ErrorCode]: Extract<Groups, Record<Code, string>>[Code] };

export const errorMessages: ErrorMessages = Object.assign({}, ...Object.values(routeErrors), otherErrors);

const statuses = new Map(
  Object.entries(routeErrors).flatMap(([status, messages]) =>
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

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** What fills the placeholders of a message. */
export type DetailsOf<Text extends string> = Record<Placeholders<Text>, string> & Record<string, unknown>;

export type ErrorDetails<Code extends string> = [Code] extends [ErrorCode]
  ? DetailsOf<ErrorMessages[Code]>
  : never;

/** Every error of svc: a stable `code` for programs, a message for people, and `details` that fill the message. */
export class SvcError<Code extends string = ErrorCode> extends Error {
  readonly code: Code;
  readonly details: Record<string, unknown>;

  /** `messages` are for the codes of a class that extends this one. */
  constructor(
    code: Code,
    details: ErrorDetails<Code>,
    cause?: unknown,
    messages: Readonly<Record<string, string>> = errorMessages,
  ) {
    super(fill(messages[code] ?? code, details), cause === undefined ? undefined : { cause });
    this.name = 'SvcError';
    this.code = code;
    this.details = details;
  }
}

/** Whether it is an error with one of these codes. */
export function isErrorOf(error: unknown, ...codes: readonly ErrorCode[]): error is SvcError {
  return error instanceof SvcError && codes.includes(error.code);
}

function fill(text: string, details: Record<string, unknown>): string {
  return text.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => String(details[name]));
}
