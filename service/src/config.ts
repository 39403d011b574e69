// The configuration of svc: the only place that reads the environment.
import { isIP } from 'node:net';
import { isAddress, parseAddress, parseUsdc, SvcError } from '@svc/sdk/domain';
import { parseGwei } from 'viem';
import * as z from 'zod';

/** A value that is hidden wherever it is printed: in a log, in JSON, in an error. */
export type Secret = { readonly reveal: () => string; readonly toJSON: () => string };

export type Config = ReturnType<typeof readConfig>;

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

const xmtpEnvs = ['production', 'dev', 'local'] as const;
export type XmtpEnv = (typeof xmtpEnvs)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws one CONFIG_INVALID that names every mistake. An empty variable counts as unset. */
export function readConfig(environment: Environment = process.env) {
  const values = parseVariables(environment);
  const { LLM_GATEWAY_API_KEY: apiKey, SVC_KEEPER_MAX_GWEI: maxGwei } = values;
  return {
    /** In order of preference; empty where neither variable is set. */
    rpcUrls: values.SVC_RPC_URL ?? values.CHAIN_RPC_URL ?? [],
    /** The chain of the market; undefined takes that of the deployment file, and without one 8453. */
    chainId: values.SVC_CHAIN_ID,
    /** What clients learn about the chain; each undefined takes what is known about a chain with that id. */
    publicChain: {
      name: values.SVC_CHAIN_NAME,
      rpcUrl: values.SVC_PUBLIC_RPC_URL,
      explorerUrl: values.SVC_EXPLORER_URL,
    },
    dataDir: values.SVC_DATA_DIR,
    /** The file with the addresses of a deployed market. */
    deploymentFile: values.SVC_DEPLOYMENT,
    /** Signs what a command sends. Of the servers, only those whose wallet is a key read it. */
    privateKey: values.PRIVATE_KEY,
    /** A file with the key, instead of PRIVATE_KEY. */
    keyFile: values.SVC_KEY_FILE,
    /** What wallets that sign without asking may spend. */
    policyFile: values.SVC_POLICY,
    /** Pays for the exits that `svc keeper` calls. */
    keeperKey: values.SVC_KEEPER_KEY,
    /** Undefined allows any gas price. */
    keeperMaxGasPriceWei: maxGwei === undefined ? undefined : parseGwei(maxGwei),
    host: values.SVC_HOST,
    chainPort: values.SVC_CHAIN_PORT,
    sitePort: values.SVC_SITE_PORT,
    /** Where commands find the market. */
    siteUrl: values.SVC_SITE_URL ?? `http://127.0.0.1:${values.SVC_SITE_PORT}`,
    gatewayPort: values.SVC_GATEWAY_PORT,
    /** Where commands submit wallet requests. */
    gatewayUrl: values.SVC_GATEWAY_URL ?? `http://127.0.0.1:${values.SVC_GATEWAY_PORT}`,
    /** The public address of the gateway, if it is set. */
    gatewayPublicUrl: values.SVC_GATEWAY_URL,
    /** Signs readiness receipts; default a key in the data folder, created at the first start. */
    gatewayKey: values.SVC_GATEWAY_KEY,
    /** Settles x402 payments: `local`, `off` or the address of another server; undefined lets the command decide. */
    facilitator: values.SVC_FACILITATOR,
    /** Pays the gas of payments that are settled here. */
    facilitatorKey: values.SVC_FACILITATOR_KEY,
    /** Receives payments; default the treasury of the deployment. */
    payTo: values.SVC_PAY_TO,
    claimPriceUsdc: values.SVC_CLAIM_PRICE_USDC,
    /** Whether /v1/paid is served. */
    paidDiscovery: values.SVC_PAID_DISCOVERY === 'on',
    webhookPrivate: values.SVC_WEBHOOK_PRIVATE === 'on',
    mcpPort: values.SVC_MCP_PORT,
    /** PostgreSQL; default SQLite in the data folder. */
    databaseUrl: values.DATABASE_URL,
    confirmations: values.SVC_CONFIRMATIONS,
    recheckHours: values.SVC_RECHECK_HOURS,
    writesPerMinute: values.SVC_WRITES_PER_MINUTE,
    /** Whether a recorded post counts before the chain shows its transaction. */
    recordPending: values.SVC_RECORD_PENDING,
    /** The format of replies unless a request asks for the other one. */
    protocolVersion: values.SVC_PROTOCOL_VERSION,
    /** The XMTP database; default one for each wallet in the data folder. */
    xmtpDbPath: values.XMTP_DB_PATH,
    xmtpEnv: values.SVC_XMTP_ENV,
    /** Whether `svc start` builds pages that are missing or older than their sources. */
    buildPages: values.SVC_BUILD_PAGES === 'on',
    /** Lets pages connect wallets on other devices; without it they make no outside request. */
    walletConnectProjectId: values.SVC_WALLETCONNECT_PROJECT_ID,
    files: {
      /** All files together, in bytes. */
      maxBytes: values.SVC_FILES_MAX,
      bucket: readBucket(values),
    },
    /** Where people report files and texts that should go; shown on the pages. */
    abuseContact: values.SVC_ABUSE_CONTACT,
    /** Where names of wallets are looked up; nowhere without an RPC. */
    names: values.SVC_NAMES_RPC_URL && {
      rpcUrl: values.SVC_NAMES_RPC_URL,
      registry: values.SVC_NAMES_REGISTRY,
      reverse: values.SVC_NAMES_REVERSE,
    },
    chat: apiKey && { apiKey, baseUrl: values.LLM_BASE_URL, model: values.SVC_LLM_MODEL },
    /** Addresses and networks whose X-Forwarded-For is trusted. */
    trustedProxies: values.SVC_TRUSTED_PROXIES,
    /** How long a server keeps answering after SIGTERM, so that load balancers can react. */
    drainSeconds: values.SVC_DRAIN_SECONDS,
    /** Undefined lets the command decide. */
    logLevel: values.SVC_LOG_LEVEL,
  };
}

/** Undefined keeps files in the data folder. */
function readBucket(values: z.output<typeof variables>) {
  const { SVC_FILES_BUCKET: url, SVC_FILES_KEY_ID: id, SVC_FILES_KEY_SECRET: secret } = values;
  if (url === undefined) return undefined;
  if (id === undefined || secret === undefined)
    throw new SvcError('CONFIG_INVALID', {
      mistakes: '  SVC_FILES_BUCKET: needs SVC_FILES_KEY_ID and SVC_FILES_KEY_SECRET',
    });
  return { url, id, secret, region: values.SVC_FILES_REGION };
}

/** One variable: its value, and where that comes from. */
export type Setting = {
  readonly name: string;
  readonly value: unknown;
  readonly source: 'environment' | 'default' | 'unset';
};

/** In the order of the documentation. Secrets are hidden when printed. */
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

/** Texts that would reveal a secret of this process, anywhere. */
let traces: readonly string[] = [];
/** Passwords of addresses, however short or common. */
let passwords: readonly string[] = [];
/** Where even a common word is a password: between `user:` and `@`, and after its name, as in `password=`. */
let passwordPlaces = /(?!)/g;

/** Removes every secret of this process from a text that others wrote: the error of a library may repeat an address with its key. */
export function redact(text: string): string {
  let clean = text;
  for (const trace of traces) if (clean.includes(trace)) clean = clean.replaceAll(trace, '[redacted]');
  return clean.replace(passwordPlaces, '[redacted]');
}

/** Shorter parts of an address are words, not keys. */
const shortestTrace = 8;

function rememberTraces(value: string): void {
  const parts = URL.canParse(value) ? listUrlTraces(new URL(value)) : [value.replace(/^0x/, '')];
  const forms = [value, ...parts].flatMap(listForms).filter((form) => form.length >= shortestTrace);
  traces = joinLongestFirst(traces, forms);
}

/** Longest first: otherwise the end of a longer secret would stay where a shorter one is its beginning. */
function joinLongestFirst(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])].sort((left, right) => right.length - left.length);
}

function listUrlTraces({ protocol, username, password, hostname, pathname, searchParams }: URL): string[] {
  const [user, secret] = [decode(username), decode(password)];
  if (password !== '') rememberPassword([password, ...listForms(secret)]);
  // Removing `postgres` as a password everywhere would make every line about the database unreadable.
  const words = ['postgres', 'postgresql', user, hostname, ...hostname.split('.'), pathname.slice(1)];
  const isNoWord = (part: string) => !words.includes(part.toLowerCase());
  return [
    Buffer.from(`${user}:${secret}`).toString('base64'),
    ...[password, secret, ...searchParams.values()].filter(isNoWord),
    // Providers put keys into user name and path; in the address of a database these are no secrets.
    ...(protocol.startsWith('http') ? [username, user, ...pathname.split('/')] : []),
  ];
}

function rememberPassword(forms: readonly string[]): void {
  passwords = joinLongestFirst(passwords, forms);
  const any = `(?:${passwords.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
  passwordPlaces = new RegExp(`(?<=:)${any}(?=@)|(?<=(?:password|passwd|pwd)\\W{1,6})${any}`, 'gi');
}

/** As it is, in an address, and in JSON. */
function listForms(text: string): string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
}

/** A percent sign that encodes nothing stays, as with databases. */
function decode(part: string): string {
  return part.replace(/(%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

// Messages never repeat a value: it may be a secret in the wrong variable.
const text = z.string().trim();
const url = text.refine(
  (value) => /^https?:$/.test(protocolOf(value)),
  'must be a http:// or https:// address',
);
// Providers put keys into path, query or user name: only the host is shown.
const secretUrl = url.transform((entry) => createSecret(entry, `${new URL(entry).origin}/[redacted]`));
const rpcUrls = text
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .pipe(z.array(secretUrl).min(1));
const privateKey = text
  .regex(/^0x[0-9a-fA-F]{64}$/, { message: 'must be 0x and 64 hexadecimal digits', abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < curveOrder, 'is no key of the curve secp256k1')
  .transform((key) => createSecret(key));
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const databaseUrl = text
  .refine((value) => /^postgres(ql)?:$/.test(protocolOf(value)), 'must be a postgres:// address')
  .transform((value) => createSecret(value, 'postgres://[redacted]'));
// Otherwise the error of the HTTP client would show a key that no header can hold.
const apiKey = text
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .transform((key) => createSecret(key));
/** An address that is shown, so it must contain no secret. */
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
const fileSize = text
  .regex(/^[0-9]{1,6} ?[MGT]B$/i, 'must be a size such as 500MB or 20GB')
  .transform(
    (size) => Number.parseInt(size, 10) * 1_000 ** ('MGT'.indexOf(size.at(-2)?.toUpperCase() ?? '') + 2),
  );
const usdcPrice = text
  .regex(/^[0-9]{1,6}(\.[0-9]{1,6})?$/, { message: 'must be an amount of USDC such as 0.01', abort: true })
  .refine((amount) => parseUsdc(amount) > 0n, 'must be more than 0');

const variables = z.object({
  SVC_RPC_URL: rpcUrls.optional(),
  CHAIN_RPC_URL: rpcUrls.optional(),
  SVC_CHAIN_ID: wholeNumber(1, 999_999_999_999_999).optional(),
  SVC_PUBLIC_RPC_URL: shownUrl.optional(),
  SVC_CHAIN_NAME: text.max(60, 'must have at most 60 characters').optional(),
  SVC_EXPLORER_URL: shownUrl.optional(),
  SVC_DATA_DIR: text.default('.svc'),
  SVC_DEPLOYMENT: text.optional(),
  PRIVATE_KEY: privateKey.optional(),
  SVC_KEY_FILE: text.optional(),
  SVC_POLICY: text.optional(),
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
  SVC_WEBHOOK_PRIVATE: choice(['on', 'off']).default('off'),
  SVC_MCP_PORT: port.default(4021),
  DATABASE_URL: databaseUrl.optional(),
  SVC_CONFIRMATIONS: wholeNumber(0, 10_000).default(1),
  SVC_RECHECK_HOURS: wholeNumber(0, 720).default(24),
  SVC_WRITES_PER_MINUTE: wholeNumber(1, 1_000_000).default(1_200),
  SVC_RECORD_PENDING: choice(['accept', 'reject']).default('accept'),
  SVC_PROTOCOL_VERSION: choice(['v1', 'v2']).default('v2'),
  XMTP_DB_PATH: text.optional(),
  SVC_XMTP_ENV: choice(xmtpEnvs).default('production'),
  SVC_BUILD_PAGES: choice(['on', 'off']).default('on'),
  SVC_WALLETCONNECT_PROJECT_ID: text
    .regex(/^[0-9a-f]{32}$/, 'must be the 32 hexadecimal digits of a WalletConnect project')
    .optional(),
  SVC_FILES_MAX: fileSize.default(20 * 10 ** 9),
  SVC_FILES_BUCKET: shownUrl.optional(),
  SVC_FILES_KEY_ID: text.regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be letters, digits, _ and -').optional(),
  SVC_FILES_KEY_SECRET: apiKey.optional(),
  SVC_FILES_REGION: text
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  SVC_ABUSE_CONTACT: text
    .refine(isContact, 'must be a mail address or a http:// or https:// address')
    .optional(),
  SVC_NAMES_RPC_URL: secretUrl.optional(),
  SVC_NAMES_REGISTRY: address.default('0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'),
  SVC_NAMES_REVERSE: text
    .regex(/^[a-z0-9.]{1,64}$/, 'must be a domain such as addr.reverse')
    .default('addr.reverse'),
  LLM_GATEWAY_API_KEY: apiKey.optional(),
  LLM_BASE_URL: shownUrl.default('https://api.openai.com/v1'),
  SVC_LLM_MODEL: text.default('gpt-4o-mini'),
  SVC_TRUSTED_PROXIES: proxies.default([]),
  SVC_DRAIN_SECONDS: wholeNumber(0, 600).default(0),
  SVC_LOG_LEVEL: choice(logLevels).optional(),
});

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

function isContact(value: string): boolean {
  return /^[^\s@<>"']+@[^\s@<>"']+$/.test(value) || (/^https?:$/.test(protocolOf(value)) && isBareUrl(value));
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
