// The configuration of svc: the only place that reads the environment.
import { isIP } from 'node:net';
import { type Address, isAddress, parseAddress, parseUsdc, SvcError } from '@svc/sdk/domain';
import * as z from 'zod';

/** A value that prints as `shown` wherever it lands: in a log, in JSON, in an error. */
export type Secret = { readonly reveal: () => string; readonly toJSON: () => string };

export type Config = {
  /** In order of preference; empty where neither variable names one. */
  readonly rpcUrls: readonly Secret[];
  readonly dataDir: string;
  /** Path of the file with the addresses of a deployed market. */
  readonly deploymentFile: string | undefined;
  /** Signs what a command sends; no server ever reads it. */
  readonly privateKey: Secret | undefined;
  /** Pays for the exits that `svc keeper` calls. */
  readonly keeperKey: Secret | undefined;
  /** What a unit of gas may cost at most for `svc keeper`, in wei; undefined is any price. */
  readonly keeperMaxGasPriceWei: bigint | undefined;
  readonly host: string;
  readonly chainPort: number;
  readonly sitePort: number;
  /** Where commands that are no servers find the market. */
  readonly siteUrl: string;
  readonly gatewayPort: number;
  /** Where wallet requests are handed in. */
  readonly gatewayUrl: string;
  /** The same, where it was given: the name that the gateway itself goes by. */
  readonly gatewayPublicUrl: string | undefined;
  /** Signs readiness receipts; without it a key in the data folder, made at the first start. */
  readonly gatewayKey: Secret | undefined;
  /** Who settles x402 payments: `local`, `off` or the address of one elsewhere; undefined leaves it to the command. */
  readonly facilitator: string | undefined;
  /** Pays the gas of payments that are settled here. */
  readonly facilitatorKey: Secret | undefined;
  /** Who is paid; undefined is the deployment's treasury. */
  readonly payTo: Address | undefined;
  /** Whole USDC, as a decimal number. */
  readonly claimPriceUsdc: string;
  /** Whether /v1/paid is served. */
  readonly paidDiscovery: boolean;
  readonly mcpPort: number;
  /** PostgreSQL; without it SQLite in the data folder. */
  readonly databaseUrl: Secret | undefined;
  readonly confirmations: number;
  /** Whether a recorded post counts before the chain shows its transaction. */
  readonly recordPending: 'accept' | 'reject';
  /** The shape that answers have unless a request asks for another. */
  readonly protocolVersion: 'v1' | 'v2';
  /** The XMTP database; undefined means one for each wallet in the data folder. */
  readonly xmtpDbPath: string | undefined;
  readonly xmtpEnv: XmtpEnv;
  /** Whether `svc start` builds pages that are missing or older than their sources. */
  readonly buildPages: boolean;
  /** Lets pages connect wallets of other devices; without it they make no outside request. */
  readonly walletConnectProjectId: string | undefined;
  /** The chat gateway and the key for it; undefined where there is no key. */
  readonly chat: { readonly apiKey: Secret; readonly baseUrl: string; readonly model: string } | undefined;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** How long a server that is told to stop goes on answering, so that proxies can look elsewhere. */
  readonly drainSeconds: number;
  /** Undefined leaves it to the command. */
  readonly logLevel: LogLevel | undefined;
};

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

const xmtpEnvs = ['production', 'dev', 'local'] as const;
export type XmtpEnv = (typeof xmtpEnvs)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws one CONFIG_INVALID that names every mistake. An empty variable counts as unset. */
export function readConfig(environment: Environment = process.env): Config {
  const values = parseVariables(environment);
  return {
    rpcUrls: values.SVC_RPC_URL ?? values.CHAIN_RPC_URL ?? [],
    dataDir: values.SVC_DATA_DIR,
    deploymentFile: values.SVC_DEPLOYMENT,
    privateKey: values.PRIVATE_KEY,
    keeperKey: values.SVC_KEEPER_KEY,
    keeperMaxGasPriceWei:
      values.SVC_KEEPER_MAX_GWEI === undefined ? undefined : toWei(values.SVC_KEEPER_MAX_GWEI),
    host: values.SVC_HOST,
    chainPort: values.SVC_CHAIN_PORT,
    sitePort: values.SVC_SITE_PORT,
    siteUrl: values.SVC_SITE_URL ?? `http://127.0.0.1:${values.SVC_SITE_PORT}`,
    gatewayPort: values.SVC_GATEWAY_PORT,
    gatewayUrl: values.SVC_GATEWAY_URL ?? `http://127.0.0.1:${values.SVC_GATEWAY_PORT}`,
    gatewayPublicUrl: values.SVC_GATEWAY_URL,
    gatewayKey: values.SVC_GATEWAY_KEY,
    facilitator: values.SVC_FACILITATOR,
    facilitatorKey: values.SVC_FACILITATOR_KEY,
    payTo: values.SVC_PAY_TO,
    claimPriceUsdc: values.SVC_CLAIM_PRICE_USDC,
    paidDiscovery: values.SVC_PAID_DISCOVERY === 'on',
    mcpPort: values.SVC_MCP_PORT,
    databaseUrl: values.DATABASE_URL,
    confirmations: values.SVC_CONFIRMATIONS,
    recordPending: values.SVC_RECORD_PENDING,
    protocolVersion: values.SVC_PROTOCOL_VERSION,
    xmtpDbPath: values.XMTP_DB_PATH,
    xmtpEnv: values.SVC_XMTP_ENV,
    buildPages: values.SVC_BUILD_PAGES === 'on',
    walletConnectProjectId: values.SVC_WALLETCONNECT_PROJECT_ID,
    chat: values.LLM_GATEWAY_API_KEY && {
      apiKey: values.LLM_GATEWAY_API_KEY,
      baseUrl: values.LLM_BASE_URL,
      model: values.SVC_LLM_MODEL,
    },
    trustedProxies: values.SVC_TRUSTED_PROXIES,
    drainSeconds: values.SVC_DRAIN_SECONDS,
    logLevel: values.SVC_LOG_LEVEL,
  };
}

/** One variable of the configuration: what is in force, and who says so. */
export type Setting = {
  readonly name: string;
  readonly value: unknown;
  readonly source: 'environment' | 'default' | 'unset';
};

/** In the order of the documentation, secrets hidden when printed. */
export function readSettings(environment: Environment = process.env): Setting[] {
  const values: Readonly<Record<string, unknown>> = parseVariables(environment);
  const given = pickGiven(environment);
  return Object.keys(variables.shape).map((name) => {
    const value = values[name];
    const source = name in given ? 'environment' : value === undefined ? 'unset' : 'default';
    return { name, value, source };
  });
}

function parseVariables(environment: Environment) {
  const parsed = variables.safeParse(pickGiven(environment));
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new SvcError('CONFIG_INVALID', { mistakes: mistakes.join('\n') });
}

function pickGiven(environment: Environment): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

export function createSecret(value: string, shown = '[redacted]'): Secret {
  const show = () => shown;
  rememberTraces(value);
  return Object.freeze({
    reveal: () => value,
    toJSON: show,
    toString: show,
    [Symbol.for('nodejs.util.inspect.custom')]: show,
  });
}

/** What would betray a secret that is in force in this process, wherever it stands. */
let traces: readonly string[] = [];
/** Those of addresses in force, however short or common. */
let passwords: readonly string[] = [];
/** Passwords where even a common word is one: between `user:` and `@`, and behind its name, as in `password=`. */
let passwordPlaces = /(?!)/g;

/**
 * Strikes out every secret in force. For what leaves the process in words that are not ours: a library's error may
 * repeat the address it was given, key and all.
 */
export function redact(text: string): string {
  let clean = text;
  for (const trace of traces) if (clean.includes(trace)) clean = clean.replaceAll(trace, '[redacted]');
  return clean.replace(passwordPlaces, '[redacted]');
}

/** Shorter parts of an address than this are words, and no keys. */
const shortestTrace = 8;

function rememberTraces(value: string): void {
  const parts = URL.canParse(value) ? listUrlTraces(new URL(value)) : [value.replace(/^0x/, '')];
  const forms = [value, ...parts].flatMap(listForms).filter((form) => form.length >= shortestTrace);
  traces = joinLongestFirst(traces, forms);
}

/** So that no secret is struck out as the beginning of a longer one, of which the end would stay. */
function joinLongestFirst(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])].sort((left, right) => right.length - left.length);
}

function listUrlTraces({ protocol, username, password, hostname, pathname, searchParams }: URL): string[] {
  const [user, secret] = [decode(username), decode(password)];
  if (password !== '') rememberPassword([password, ...listForms(secret)]);
  // Struck out wherever it stands, `postgres` as a password would make every line about the database unreadable.
  const words = ['postgres', 'postgresql', user, hostname, ...hostname.split('.'), pathname.slice(1)];
  const isNoWord = (part: string) => !words.includes(part.toLowerCase());
  return [
    Buffer.from(`${user}:${secret}`).toString('base64'),
    ...[password, secret, ...searchParams.values()].filter(isNoWord),
    // Providers put their keys into user name and path; of a database, these name the user and the data.
    ...(protocol.startsWith('http') ? [username, user, ...pathname.split('/')] : []),
  ];
}

function rememberPassword(forms: readonly string[]): void {
  passwords = joinLongestFirst(passwords, forms);
  const any = `(?:${passwords.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
  passwordPlaces = new RegExp(`(?<=:)${any}(?=@)|(?<=(?:password|passwd|pwd)\\W{1,6})${any}`, 'gi');
}

/** As it is, in an address, and in a line of JSON. */
function listForms(text: string): string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
}

/** A percent sign that encodes nothing is taken as it is, as databases do. */
function decode(part: string): string {
  return part.replace(/(%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

// Messages never repeat a value, since it may be a secret that landed in the wrong variable.
const text = z.string().trim();
const url = text.refine(
  (value) => /^https?:$/.test(protocolOf(value)),
  'must be a http:// or https:// address',
);
const rpcUrls = text
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .pipe(z.array(url).min(1))
  // Providers put their keys into path, query or user name: show the host alone.
  .transform((urls) => urls.map((entry) => createSecret(entry, `${new URL(entry).origin}/[redacted]`)));
const privateKey = text
  .regex(/^0x[0-9a-fA-F]{64}$/, { message: 'must be 0x and 64 hexadecimal digits', abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < curveOrder, 'is no key of the curve secp256k1')
  .transform((key) => createSecret(key));
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const databaseUrl = text
  .refine((value) => /^postgres(ql)?:$/.test(protocolOf(value)), 'must be a postgres:// address')
  .transform((value) => createSecret(value, 'postgres://[redacted]'));
// What cannot stand in a header would otherwise be told by the error of who tries.
const apiKey = text
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .transform((key) => createSecret(key));
/** An address that is shown, and therefore must hold no secret. */
const shownUrl = url
  .refine((value) => isBareUrl(value), 'must have no user name, query or fragment')
  .transform((value) => value.replace(/\/+$/, ''));
const proxies = text
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .pipe(z.array(text.refine(isNetwork, 'must be IP addresses or networks such as 10.0.0.0/8, with commas')));
const port = wholeNumber(0, 65_535);
const facilitator = text
  .refine(
    (value) => value === 'local' || value === 'off' || /^https?:$/.test(protocolOf(value)),
    'must be local, off or a http:// or https:// address',
  )
  .refine((value) => isBareUrl(value), 'must have no user name, query or fragment');
const address = text
  .refine(isAddress, { message: 'must be 0x and 40 hexadecimal digits', abort: true })
  .transform(parseAddress);
const gwei = text.regex(/^[0-9]{1,6}(\.[0-9]{1,9})?$/, 'must be an amount of gwei such as 0.5');
const usdcPrice = text
  .regex(/^[0-9]{1,6}(\.[0-9]{1,6})?$/, { message: 'must be an amount of USDC such as 0.01', abort: true })
  .refine((amount) => parseUsdc(amount) > 0n, 'must be more than nothing');

const variables = z.object({
  SVC_RPC_URL: rpcUrls.optional(),
  CHAIN_RPC_URL: rpcUrls.optional(),
  SVC_DATA_DIR: text.default('.svc'),
  SVC_DEPLOYMENT: text.optional(),
  PRIVATE_KEY: privateKey.optional(),
  SVC_KEEPER_KEY: privateKey.optional(),
  SVC_KEEPER_MAX_GWEI: gwei.optional(),
  SVC_HOST: text.regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address').default('127.0.0.1'),
  SVC_CHAIN_PORT: port.default(8545),
  SVC_SITE_PORT: port.default(8080),
  SVC_SITE_URL: shownUrl.optional(),
  SVC_GATEWAY_PORT: port.default(4020),
  SVC_GATEWAY_URL: shownUrl.optional(),
  SVC_GATEWAY_KEY: privateKey.optional(),
  SVC_FACILITATOR: facilitator.optional(),
  SVC_FACILITATOR_KEY: privateKey.optional(),
  SVC_PAY_TO: address.optional(),
  SVC_CLAIM_PRICE_USDC: usdcPrice.default('0.01'),
  SVC_PAID_DISCOVERY: choice(['on', 'off']).default('off'),
  SVC_MCP_PORT: port.default(4021),
  DATABASE_URL: databaseUrl.optional(),
  SVC_CONFIRMATIONS: wholeNumber(0, 10_000).default(1),
  SVC_RECORD_PENDING: choice(['accept', 'reject']).default('accept'),
  SVC_PROTOCOL_VERSION: choice(['v1', 'v2']).default('v2'),
  XMTP_DB_PATH: text.optional(),
  SVC_XMTP_ENV: choice(xmtpEnvs).default('production'),
  SVC_BUILD_PAGES: choice(['on', 'off']).default('on'),
  SVC_WALLETCONNECT_PROJECT_ID: text
    .regex(/^[0-9a-f]{32}$/, 'must be the 32 hexadecimal digits of a WalletConnect project')
    .optional(),
  LLM_GATEWAY_API_KEY: apiKey.optional(),
  LLM_BASE_URL: shownUrl.default('https://api.openai.com/v1'),
  SVC_LLM_MODEL: text.default('gpt-4o-mini'),
  SVC_TRUSTED_PROXIES: proxies.default([]),
  SVC_DRAIN_SECONDS: wholeNumber(0, 600).default(0),
  SVC_LOG_LEVEL: choice(logLevels).optional(),
});

function toWei(amountGwei: string): bigint {
  const [whole = '', part = ''] = amountGwei.split('.');
  return BigInt(whole + part.padEnd(9, '0'));
}

function wholeNumber(low: number, high: number) {
  const message = `must be a whole number from ${low} to ${high}`;
  return text
    .regex(/^[0-9]{1,15}$/, { message, abort: true })
    .transform(Number)
    .refine((value) => value >= low && value <= high, message);
}

function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return text.pipe(z.enum(choices, { error: `must be one of ${choices.join(', ')}` }));
}

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : '';
}

function isBareUrl(value: string): boolean {
  if (!URL.canParse(value)) return true;
  const { username, password, search, hash } = new URL(value);
  return username + password + search + hash === '';
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
