// The configuration of svc: the only place that reads the environment.

import { isIP } from 'node:net';
import { isAddress, parseAddress, parseUsdc } from '@svc/sdk/domain';
import { parseGwei } from 'viem';
import * as z from 'zod';
import { OperatorError } from './errors/operatorError.ts';
import { createSecret, type Secret } from './secrets.ts';

export type Config = ReturnType<typeof readConfig>;

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

const xmtpEnvs = ['production', 'dev', 'local'] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws one CONFIG_INVALID that names every mistake. An empty variable counts as unset. */
export function readConfig(environment: Environment = process.env) {
  const {
    chainRpcUrls,
    publicRpcUrl,
    chainName,
    explorerUrl,
    keeperMaxGwei,
    filesMax,
    filesBucket,
    filesKeyId,
    filesKeySecret,
    filesRegion,
    namesRpcUrl,
    namesRegistry,
    namesReverse,
    chatKey,
    chatUrl,
    chatModel,
    smtpUrl: mailUrl,
    mailFrom: mailSender,
    ...values
  } = parseVariables(environment);
  return {
    ...values,
    /** In order of preference; empty where neither variable is set. */
    rpcUrls: values.rpcUrls ?? chainRpcUrls ?? [],
    /** What clients learn about the chain; each undefined takes what is known about a chain with that id. */
    publicChain: { name: chainName, rpcUrl: publicRpcUrl, explorerUrl },
    /** Undefined allows any gas price. */
    keeperMaxGasPriceWei: keeperMaxGwei === undefined ? undefined : parseGwei(keeperMaxGwei),
    siteUrl: values.siteUrl ?? `http://127.0.0.1:${values.sitePort}`,
    gatewayUrl: values.gatewayUrl ?? `http://127.0.0.1:${values.gatewayPort}`,
    /** The public address of the gateway, if it is set. */
    gatewayPublicUrl: values.gatewayUrl,
    paidDiscovery: values.paidDiscovery === 'on',
    webhookPrivate: values.webhookPrivate !== 'off',
    /** Also for webhooks that wallets add, whoever they are. */
    noticePrivate: values.webhookPrivate === 'all',
    buildPages: values.buildPages === 'on',
    files: { maxBytes: filesMax, bucket: readBucket(filesBucket, filesKeyId, filesKeySecret, filesRegion) },
    mail: readMail(mailUrl, mailSender),
    names: namesRpcUrl && { rpcUrl: namesRpcUrl, registry: namesRegistry, reverse: namesReverse },
    chat: chatKey && { apiKey: chatKey, baseUrl: chatUrl, model: chatModel },
  };
}

/** Undefined keeps files in the data folder. */
function readBucket(url?: string, id?: string, secret?: Secret, region?: string) {
  if (url === undefined) return undefined;
  if (id !== undefined && secret !== undefined && region !== undefined) return { url, id, secret, region };
  const mistakes = '  SVC_FILES_BUCKET: needs SVC_FILES_KEY_ID and SVC_FILES_KEY_SECRET';
  throw new OperatorError('CONFIG_INVALID', { mistakes });
}

/** Undefined sends no e-mail. */
function readMail(url?: Secret, from?: string) {
  if (url === undefined) return undefined;
  if (from !== undefined) return { url, from };
  throw new OperatorError('CONFIG_INVALID', { mistakes: '  SVC_SMTP_URL: needs SVC_MAIL_FROM' });
}

/** One variable: its value, and where that comes from. */
export type Setting = {
  readonly name: string;
  readonly value: unknown;
  readonly source: 'environment' | 'default' | 'unset';
};

/** In the order of the documentation. Secrets are hidden when printed. */
export function readSettings(environment: Environment = process.env): Setting[] {
  const values = parseVariables(environment);
  const given = pickGiven(environment);
  return (Object.keys(settings) as (keyof typeof settings)[]).map((field) => {
    const [name] = settings[field];
    const value = values[field];
    const source = name in given ? 'environment' : value === undefined ? 'unset' : 'default';
    return { name, value, source };
  });
}

type Values = { readonly [Field in keyof typeof settings]: z.output<(typeof settings)[Field][1]> };

function parseVariables(environment: Environment): Values {
  const parsed = z.object(Object.fromEntries(Object.values(settings))).safeParse(pickGiven(environment));
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new OperatorError('CONFIG_INVALID', { mistakes: mistakes.join('\n') });
  }
  const entries = Object.entries(settings).map(([field, [name]]) => [field, parsed.data[name]]);
  return Object.fromEntries(entries) as Values;
}

function pickGiven(environment: Environment): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
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
const contactKey = text
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
  .transform((key) => createSecret(key));
const smtpUrl = text
  .refine((value) => /^smtps?:$/.test(protocolOf(value)), 'must be a smtp:// or smtps:// address')
  .transform((value) => createSecret(value, 'smtp://[redacted]'));
const mailFrom = text.regex(
  /^[^\s@<>"']+@[^\s@<>"']+$|^[^<>"@]{1,60} <[^\s@<>"']+@[^\s@<>"']+>$/,
  'must be a mail address, or a name and a mail address in angle brackets',
);
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
const hostName = text.regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address');
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
const isOn = choice(['on', 'off']);
const usdcPrice = text
  .regex(/^[0-9]{1,6}(\.[0-9]{1,6})?$/, { message: 'must be an amount of USDC such as 0.01', abort: true })
  .refine((amount) => parseUsdc(amount) > 0n, 'must be more than 0');
const projectId = text.regex(
  /^[0-9a-f]{32}$/,
  'must be the 32 hexadecimal digits of a WalletConnect project',
);
const keyId = text.regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be letters, digits, _ and -');
const region = text.regex(/^[a-z0-9-]{1,64}$/, 'must be a region such as eu-central-1');
const domain = text.regex(/^[a-z0-9.]{1,64}$/, 'must be a domain such as addr.reverse');
const npmPackage = text.regex(
  /^(@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]{0,100}$/,
  'must be the name of a npm package such as @market/svc',
);
/** Those that a browser runs or opens itself lead to no app. */
const schemes = text
  .transform((list) => list.split(',').map((scheme) => scheme.trim().toLowerCase()))
  .refine(
    (list) =>
      list.every(
        (scheme) =>
          /^[a-z][a-z0-9+.-]{2,40}$/.test(scheme) &&
          !/^(?:https?|javascript|data|file|blob|about|vbscript)$/.test(scheme),
      ),
    'must be schemes of apps, separated by commas',
  );
const contact = text.refine(isContact, 'must be a mail address or a http:// or https:// address');

/**
 * Every setting: its field in `Config`, its variable, and its check with its default. The comment above it is its row in
 * docs/configuration.md, which `npm run generate` writes; words in brackets at its start describe the default.
 */
const settings = {
  // RPC of the chain, or a comma list for fail-over; it takes precedence over `CHAIN_RPC_URL`. With neither: Base's public RPC
  // where `SVC_DEPLOYMENT` names a market, else the embedded chain
  rpcUrls: ['SVC_RPC_URL', rpcUrls.optional()],
  // the same
  chainRpcUrls: ['CHAIN_RPC_URL', rpcUrls.optional()],
  // [the chain of `SVC_DEPLOYMENT`, else `8453` (Base)] chain of the market. A site or a deployment file that names
  // another chain is refused, so that no site can choose where your key signs
  chainId: ['SVC_CHAIN_ID', wholeNumber(1, 999_999_999_999_999).optional()],
  // [Base's or Base Sepolia's, by chain id] RPC that clients and pages get in `/api/site-config`; anyone can read
  // it, so it must hold no key. Needed on any other chain
  publicRpcUrl: ['SVC_PUBLIC_RPC_URL', shownUrl.optional()],
  // [`Base`, `Base Sepolia`, or `Chain` and the id] name of the chain, shown to users
  chainName: ['SVC_CHAIN_NAME', text.max(60, 'must have at most 60 characters').optional()],
  // [`https://basescan.org` or `https://sepolia.basescan.org`, by chain id] block explorer that pages link to;
  // without one they show hashes only
  explorerUrl: ['SVC_EXPLORER_URL', shownUrl.optional()],
  // file with the addresses of a deployed market
  deploymentFile: ['SVC_DEPLOYMENT', text.optional()],
  // private key that signs what a command sends: `svc deploy`, `svc send`, `svc prepare --wallet key`; of the
  // servers only `svc wallet-mcp` and `svc mcp --wallet key` read it
  privateKey: ['PRIVATE_KEY', privateKey.optional()],
  // file with the key for `--wallet key`, instead of `PRIVATE_KEY`; only its owner may be able to read it
  keyFile: ['SVC_KEY_FILE', text.optional()],
  // file with the [spending policy](policy.md) of wallets that sign without asking
  policyFile: ['SVC_POLICY', text.optional()],
  // folder for the files that svc keeps
  dataDir: ['SVC_DATA_DIR', text.default('.svc')],
  // address to listen on
  host: ['SVC_HOST', hostName.default('127.0.0.1')],
  // port of the embedded chain
  chainPort: ['SVC_CHAIN_PORT', port.default(8545)],
  // whether a recorded post counts before the chain shows it: `accept` or `reject`
  recordPending: ['SVC_RECORD_PENDING', choice(['accept', 'reject']).default('accept')],
  // blocks until a transaction counts; an x402 payment needs one more for every 10 USDC, up to 30 more
  confirmations: ['SVC_CONFIRMATIONS', wholeNumber(0, 10_000).default(1)],
  // writes of one client in a minute that need no session: wallet requests and their results, recorded posts and payments; a
  // fifth as many receipts and paid claims, which ask the chain
  writesPerMinute: ['SVC_WRITES_PER_MINUTE', wholeNumber(1, 1_000_000).default(1_200)],
  // port of the site server
  sitePort: ['SVC_SITE_PORT', port.default(8080)],
  // [`http://127.0.0.1:8080`, or the port of `SVC_SITE_PORT`] where `svc prepare` and other commands find the market
  siteUrl: ['SVC_SITE_URL', shownUrl.optional()],
  // port of the local gateway
  gatewayPort: ['SVC_GATEWAY_PORT', port.default(4020)],
  // [`http://127.0.0.1:4020`, or the port of `SVC_GATEWAY_PORT`] where the gateway is reached: `svc prepare`
  // submits wallet requests there, and links to the gateway use it
  gatewayUrl: ['SVC_GATEWAY_URL', shownUrl.optional()],
  // schemes of addresses by which apps on a person's machine take the answer of a [sign-in](agents.md#sign-in), such as
  // `cursor,vscode`, beside `https` and addresses of the machine itself
  signInSchemes: ['SVC_SIGN_IN_SCHEMES', schemes.default([])],
  // key that signs readiness receipts; without it one is made at the first start and kept in the data folder
  gatewayKey: ['SVC_GATEWAY_KEY', privateKey.optional()],
  // a second key whose receipts and approval links count as well, while you change the first
  gatewayOtherKey: ['SVC_GATEWAY_OTHER_KEY', privateKey.optional()],
  // who settles x402 payments: `local`, the address of one elsewhere, or `off`; on the embedded chain `local`,
  // elsewhere `off` unless a key is given
  facilitator: ['SVC_FACILITATOR', facilitator.optional()],
  // key that pays the gas of settling them here
  facilitatorKey: ['SVC_FACILITATOR_KEY', privateKey.optional()],
  // [treasury] who is paid
  payTo: ['SVC_PAY_TO', address.optional()],
  // what a claim, or a paid read, costs
  claimPriceUsdc: ['SVC_CLAIM_PRICE_USDC', usdcPrice.default('0.01')],
  // `on` lets the [webhooks](webhooks.md) that you add lead to private addresses and to `http://`, for a receiver in your own
  // network; `all` also those that wallets add for their [notifications](notifications.md): anyone could then reach that network
  webhookPrivate: ['SVC_WEBHOOK_PRIVATE', choice(['off', 'on', 'all']).default('off')],
  // `on` serves `/v1/paid`, the market's reads for a payment each
  paidDiscovery: ['SVC_PAID_DISCOVERY', isOn.default('off')],
  // PostgreSQL to keep rows in, instead of SQLite in the data folder
  databaseUrl: ['DATABASE_URL', databaseUrl.optional()],
  // shape of answers where a request does not ask for one: `v1` or `v2`
  protocolVersion: ['SVC_PROTOCOL_VERSION', choice(['v1', 'v2']).default('v2')],
  // private key that pays for what `svc keeper` sends; it needs some Ether and nothing else
  keeperKey: ['SVC_KEEPER_KEY', privateKey.optional()],
  // `svc keeper` offers no more for a unit of gas, and waits while it costs more; any price unless set
  keeperMaxGwei: ['SVC_KEEPER_MAX_GWEI', gwei.optional()],
  // XMTP database; without it one for each wallet in the data folder
  xmtpDbPath: ['XMTP_DB_PATH', text.optional()],
  // XMTP network: `production`, `dev` or `local`
  xmtpEnv: ['SVC_XMTP_ENV', choice(xmtpEnvs).default('production')],
  // whether `svc start` builds pages that are missing or older than their sources: `on` or `off`
  buildPages: ['SVC_BUILD_PAGES', isOn.default('on')],
  // the id of a WalletConnect project: then pages offer wallets of other devices, and may reach its relay and the
  // public RPC; without it they make no outside request
  walletConnectProjectId: ['SVC_WALLETCONNECT_PROJECT_ID', projectId.optional()],
  // [`20GB`] room for all uploaded files together; a tenth of it is kept for evidence in disputes
  filesMax: ['SVC_FILES_MAX', fileSize.default(20 * 10 ** 9)],
  // store, bucket and folder of an S3-compatible store for uploaded files, such as `https://s3.example/bucket/svc`;
  // without it they are in the data folder
  filesBucket: ['SVC_FILES_BUCKET', shownUrl.optional()],
  // the name of the key for that bucket
  filesKeyId: ['SVC_FILES_KEY_ID', keyId.optional()],
  // the secret of that key
  filesKeySecret: ['SVC_FILES_KEY_SECRET', apiKey.optional()],
  // the region of that bucket
  filesRegion: ['SVC_FILES_REGION', region.default('us-east-1')],
  // the npm package of this service that you have published, such as `@market/svc`: then documents for agents say how to start
  // it. Without it they name none, because a name that is not yours may be somebody else's
  packageName: ['SVC_PACKAGE', npmPackage.optional()],
  // mail or web address for reports about files and texts; the pages show it
  abuseContact: ['SVC_ABUSE_CONTACT', contact.optional()],
  // 32 random bytes as 0x and 64 hexadecimal digits: encrypts the addresses for [notifications](notifications.md). Without it
  // a gateway offers none; `svc start` makes one. Keep it apart from backups of the database: another key does not open them
  contactKey: ['SVC_CONTACT_KEY', contactKey.optional()],
  // the mail server for notifications, such as `smtps://name:password@mail.example`; without it there is no e-mail
  smtpUrl: ['SVC_SMTP_URL', smtpUrl.optional()],
  // the sender of these e-mails, such as `svc <notices@market.example>`
  mailFrom: ['SVC_MAIL_FROM', mailFrom.optional()],
  // RPC of the chain with a registry of names, such as ENS on Ethereum: then profiles and tasks show the names of
  // wallets. Without it nobody is asked
  namesRpcUrl: ['SVC_NAMES_RPC_URL', secretUrl.optional()],
  // [ENS, `0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e`] the registry; for Basenames
  // `0xB94704422c2a1E396835A571837Aa5AE53285a95` on Base
  namesRegistry: ['SVC_NAMES_REGISTRY', address.default('0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e')],
  // the domain of its reverse records; for Basenames `80002105.reverse`
  namesReverse: ['SVC_NAMES_REVERSE', domain.default('addr.reverse')],
  // key for the chat gateway; without it chat answers 503
  chatKey: ['LLM_GATEWAY_API_KEY', apiKey.optional()],
  // chat gateway, any that accepts `POST …/chat/completions`
  chatUrl: ['LLM_BASE_URL', shownUrl.default('https://api.openai.com/v1')],
  // model that the chat gateway is asked for
  chatModel: ['SVC_LLM_MODEL', text.default('gpt-4o-mini')],
  // addresses and networks of your reverse proxies, with commas: their `X-Forwarded-For` names the client
  trustedProxies: ['SVC_TRUSTED_PROXIES', proxies.default([])],
  // how long `svc site` and `svc gateway` go on answering after SIGTERM, `/health` at 503, so that a proxy takes
  // them out first
  drainSeconds: ['SVC_DRAIN_SECONDS', wholeNumber(0, 600).default(0)],
  // `debug` (a line for each request), `info`, `warn` or `error`; `svc start` warns, `svc site` informs
  logLevel: ['SVC_LOG_LEVEL', choice(logLevels).optional()],
} as const satisfies Readonly<Record<string, readonly [name: string, check: z.ZodType]>>;

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
