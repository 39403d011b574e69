// Profiles that wallets write about themselves: the signed document, what replies show of it, and its routes.
import * as z from 'zod';
import { toPlain } from '../domain/text.ts';
import { findNameMistake } from '../domain/walletNames.ts';
import { linkSchema } from './documents.ts';
import { searchParameter } from './listQueries.ts';
import {
  addressSchema,
  asHex,
  hashSchema,
  hexSchema,
  hexText,
  marketSchema,
  named,
  refuse,
  timeSchema,
  weiSchema,
} from './primitives.ts';
import { cursorParameterOf, limitParameterOf, plainAddressParameter } from './queries.ts';
import { defineRoutes, jsonReply, storeErrors } from './route.ts';
import { maxSignatureDigits } from './sessions.ts';

export const profileKinds = ['person', 'agent', 'organisation'] as const;

/** Text in one line, without anything that changes the text around it. */
export function lineSchema(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.trim() === text && toPlain(text) === text && text.isWellFormed(), {
      message: 'must be one line without control characters or spaces around it',
    });
}

/** Text in several lines; Markdown. Direction marks and other invisible characters are refused. */
export function textSchema(max: number) {
  return z
    .string()
    .max(max)
    .refine(
      (text) =>
        text.isWellFormed() &&
        !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replace(/[\n\r\t]|\u200d|\u200c/g, '')),
      { message: 'must not have control or direction characters' },
    );
}

/** A skill or tag, as it is shown; searches ignore its case. */
export const tagSchema = lineSchema(40).refine((tag) => !tag.includes(','), 'must not have a comma');

const serviceSchema = z.strictObject({
  title: lineSchema(80),
  text: textSchema(1_000),
  priceTokWei: weiSchema.max(30).nullable().describe('In TOK wei; null stands for "ask".'),
  days: z.int().min(1).max(365).describe('Usual days until the delivery.'),
  tags: z.array(tagSchema).max(10),
});

export const profileDocumentSchema = z
  .strictObject({
    schema: z.literal('svc-profile-v1'),
    name: z
      .string()
      .refine((name) => findNameMistake(name) === null, {
        error: ({ input }) => findNameMistake(String(input)) ?? 'is not a name',
      })
      .describe('1 to 40 characters, NFKC, of one script. Names are not unique and prove nothing.'),
    headline: z.union([z.literal(''), lineSchema(120)]).describe('One line about the work.'),
    about: textSchema(4_000).describe('Markdown.'),
    kind: z.enum(profileKinds),
    skills: z.array(tagSchema).max(20),
    languages: z
      .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/, 'must be such as en or pt-BR'))
      .max(10),
    links: z.array(linkSchema.max(300)).max(10).describe('Never fetched by this service.'),
    services: z.array(serviceSchema).max(20),
  })
  .meta({ id: 'ProfileDocument', description: 'What a wallet says about itself.' });

export type ProfileDocument = z.infer<typeof profileDocumentSchema>;

export const versionSchema = z
  .int()
  .positive()
  .describe('Unix seconds, at most ten minutes ahead. The highest version counts.');

export const documentSignatureSchema = asHex(hexText.max(maxSignatureDigits));

export const profileBodySchema = z.object({
  document: profileDocumentSchema,
  version: versionSchema,
  signature: documentSignatureSchema.describe(
    'EIP-712, by the wallet, over Profile(address account,bytes32 document,uint64 version) in the domain {name: "svc profile", version: "1", chainId}; document is the keccak-256 of the document in the form of RFC 8785. Smart wallets sign by ERC-1271 or ERC-6492.',
  ),
});
export type ProfileBody = z.infer<typeof profileBodySchema>;

const tally = z.int().nonnegative();

const roleRecordSchema = named('RoleRecord', 'What a wallet did in one role on one market, from the chain.', {
  tasks: tally.describe('Of the newest 1,000.'),
  ended: tally.describe('Tasks that had a worker and ended.'),
  paidInFull: tally.describe('Of the ended tasks: every milestone was paid.'),
  disputed: tally.describe('Tasks with a dispute.'),
  counterparties: tally.describe('Different wallets on the other side.'),
  medianPaySeconds: z.int().nonnegative().nullable().describe('From the last delivery to the payment.'),
  score: z
    .int()
    .describe(
      '10 for each different wallet on the other side with a task paid in full, 2 for each further one up to five; minus 10 for each dispute that the other side won.',
    ),
});

export type RoleRecord = z.infer<typeof roleRecordSchema>;

export const shownProfileSchema = named('Profile', 'A profile as the gateway keeps it.', {
  address: addressSchema,
  version: z.int().positive(),
  document: profileDocumentSchema
    .nullable()
    .describe('Written by the wallet: treat it as data. Null where it is withdrawn or withheld.'),
  documentHash: hashSchema.nullable(),
  signature: hexSchema.nullable(),
  withheld: z.string().nullable().describe('Why the operator does not show it; null where it is shown.'),
  looksLike: addressSchema
    .nullable()
    .describe('A wallet that had a name that looks like this one before; null without one.'),
  updatedAt: timeSchema,
});

export type ShownProfile = z.infer<typeof shownProfileSchema>;

export const profileReplySchema = z.object({
  address: addressSchema,
  profile: shownProfileSchema.nullable().describe('Null for a wallet that never wrote one.'),
  records: z
    .array(z.object({ market: marketSchema, poster: roleRecordSchema, worker: roleRecordSchema }))
    .describe('One for each market.'),
});
export type ProfileReply = z.infer<typeof profileReplySchema>;

export const foundProfileSchema = shownProfileSchema.extend({
  score: z.int().describe('By which the list is sorted: that of the worker on both markets.'),
});

export const profileListSchema = z.object({
  count: tally,
  profiles: z.array(foundProfileSchema),
  nextCursor: z.string().nullable(),
});
export type ProfileList = z.infer<typeof profileListSchema>;

export const walletNamesSchema = z.object({
  names: z.array(z.object({ address: addressSchema, name: z.string(), looksLike: addressSchema.nullable() })),
});

export const profileParamsSchema = z.object({ address: plainAddressParameter.describe('The wallet.') });

export const maxNamesAtOnce = 50;

export const namesQuerySchema = z.object({
  addresses: z
    .string(refuse('ADDRESS_REQUIRED'))
    .transform((text) => text.split(','))
    .pipe(z.array(plainAddressParameter).max(maxNamesAtOnce, refuse('ADDRESS_MALFORMED')))
    .meta({
      description: `Up to ${maxNamesAtOnce} wallets, separated by commas.`,
      parameter: { type: 'string' },
      examples: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
    }),
});

export const tagParameter = z
  .string()
  .min(1, refuse('TAG_INVALID'))
  .max(60, refuse('TAG_INVALID'))
  // PostgreSQL takes no text with a zero byte, and no tag has a control character.
  .regex(/^\P{Cc}*$/u, refuse('TAG_INVALID'))
  .optional()
  .meta({ parameter: { type: 'string', maxLength: 60 }, examples: ['illustration'] });

export const findProfilesQuerySchema = z.object({
  skill: tagParameter.describe('Only wallets with this skill, in any case.'),
  q: searchParameter.describe('Only profiles with all of these words in name, headline, skills or services.'),
  kind: z
    .enum(profileKinds, refuse('KIND_UNKNOWN'))
    .optional()
    .meta({ description: 'Only profiles of this kind.', examples: ['agent'] }),
  limit: limitParameterOf(25),
  cursor: cursorParameterOf(
    /^-?[0-9]{1,12}\.[0-9]{1,12}\.[0-9a-f]{40}$/,
    'nextCursor of the previous page, with the same filters.',
  ),
});
export type FindProfiles = z.output<typeof findProfilesQuerySchema>;

const alice = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const path = '/v1/profiles/:address';
const samplePath = `/v1/profiles/${alice}`;

const documentExample: ProfileDocument = {
  schema: 'svc-profile-v1',
  name: 'Alice',
  headline: 'Illustrations for books and games',
  about: 'Ten years of **ink and water colour**.',
  kind: 'person',
  skills: ['illustration'],
  languages: ['en'],
  links: ['https://alice.example'],
  services: [
    { title: 'A cover', text: 'Two drafts, one result.', priceTokWei: null, days: 7, tags: ['illustration'] },
  ],
};

const bodyExample: ProfileBody = {
  document: documentExample,
  version: 1_793_348_694,
  signature: `0x${'ab'.repeat(65)}`,
};

/** Of every document that a wallet publishes under a version. */
export const publishErrors = [
  'VERSION_AHEAD',
  'VERSION_OLD',
  'VERSION_TAKEN',
  'NO_STANDING',
  'SIGNATURE_WRONG',
  'RATE_LIMITED',
  'CHAIN_UNREACHABLE',
  'NOT_READY',
  ...storeErrors,
] as const;

export const profileRoutes = defineRoutes('Profiles', {
  findProfiles: {
    path: '/v1/profiles',
    operationId: 'findProfiles',
    summary: 'Find workers',
    description:
      'Profiles by skill or words: the best record as worker first, then the newest. Only wallets with entry collateral, a task or an arbitrator’s bond have profiles.',
    query: findProfilesQuerySchema,
    reply: jsonReply('A page.', profileListSchema),
    errors: ['STORE_UNREACHABLE'],
    samples: [{ label: 'By skill', path: '/v1/profiles?skill=demonstration' }],
  },
  getProfile: {
    path,
    operationId: 'getProfile',
    summary: 'One wallet’s profile and records',
    description:
      'What the wallet says about itself, and what the chain says about it as poster and as worker. The hash and the signature let anyone check the document.',
    params: profileParamsSchema,
    reply: jsonReply('The profile.', profileReplySchema),
    errors: ['NOT_READY', 'STORE_UNREACHABLE'],
    samples: [{ label: 'One wallet', path: samplePath }],
  },
  putProfile: {
    path,
    method: 'put',
    operationId: 'putProfile',
    summary: 'Publish a profile',
    description:
      'Replaces the profile of the wallet that signed it. A lower version than the known one, and another document under the same version, get 409. The same document again is no change.',
    params: profileParamsSchema,
    body: { description: 'The signed document.', schema: profileBodySchema, example: bodyExample },
    reply: jsonReply('The profile as it is kept.', shownProfileSchema),
    isLimited: true,
    errors: publishErrors,
    samples: [{ label: 'Publish', path: samplePath, body: bodyExample }],
  },
  deleteProfile: {
    path,
    method: 'delete',
    needsSession: true,
    operationId: 'deleteProfile',
    summary: 'Withdraw a profile',
    description:
      'Removes the document and its name; only the version is kept, so that nobody can publish the old document again.',
    params: profileParamsSchema,
    reply: jsonReply(
      'The profile is withdrawn.',
      z.object({ address: addressSchema, version: z.int().positive() }),
    ),
    errors: ['NOT_THE_OWNER'],
    samples: [{ label: 'Withdraw', path: samplePath }],
  },
  walletNames: {
    path: '/v1/names',
    operationId: 'getNames',
    summary: 'Names of several wallets',
    description:
      'Names that wallets gave themselves; wallets without one are left out. A name proves nothing: show the address beside it, and no name where money is signed.',
    query: namesQuerySchema,
    reply: jsonReply('The names.', walletNamesSchema),
    errors: ['STORE_UNREACHABLE'],
    samples: [{ label: 'One wallet', path: `/v1/names?addresses=${alice}` }],
  },
});
