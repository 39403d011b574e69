// Filters and sort order of task lists.
import * as z from 'zod';
import { parseUsd } from '../domain/dollars.ts';
import { type ErrorCode, SvcError } from '../domain/errors.ts';
import { maxSearchLength, maxSearchTerms, readSearch, tagKey } from '../domain/searchWords.ts';
import { type TaskState, taskStates } from '../domain/state.ts';
import { refuse } from './primitives.ts';
import {
  cursorParameterOf,
  limitParameter,
  marketParameter,
  numberParameter,
  optionalAddressParameter,
} from './queries.ts';

export const listSorts = ['newest', 'mixed', 'oldest', 'highest', 'lowest', 'deadline', 'funded'] as const;
export type ListSort = (typeof listSorts)[number];

/** A value below is split at commas. */
const maxValues = 8;

function listOf<Value>(code: ErrorCode, parse: (text: string) => Value | null) {
  const read = (text: string) => text.split(',').map((part) => parse(part.trim()));
  const isGood = (values: readonly unknown[]) => values.length <= maxValues && !values.includes(null);
  return z
    .string()
    .refine((text) => isGood(read(text)), refuse(code))
    .transform((text) => read(text) as readonly Value[])
    .optional();
}

const shownStates: readonly string[] = taskStates.filter((state) => state !== 'NONE');

const amount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, refuse('AMOUNT_FILTER_INVALID'))
  .transform(BigInt)
  .optional();
const amountMeta = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' };

const usd = z
  .string()
  .transform((text, context) => {
    const parsed = parseUsd(text);
    if (parsed === null) context.addIssue({ code: 'custom', message: 'AMOUNT_FILTER_INVALID' });
    return parsed ?? 0n;
  })
  .optional();
const usdMeta = { type: 'string', pattern: '^[0-9]{1,12}([.][0-9]{1,8})?$' };

/** The words of a search. */
export const searchParameter = z
  .string()
  .max(maxSearchLength, refuse('SEARCH_INVALID'))
  .transform((text, context) => {
    const terms = readSearch(text);
    if (terms.length === 0 || terms.length > maxSearchTerms)
      context.addIssue({ code: 'custom', message: 'SEARCH_INVALID' });
    return terms;
  })
  .optional()
  .meta({ parameter: { type: 'string', maxLength: maxSearchLength }, examples: ['lighthouse'] });

const filterParameters = {
  state: listOf('STATE_UNKNOWN', (text) => (shownStates.includes(text) ? (text as TaskState) : null)).meta({
    description: 'Only tasks in one of these states, separated by commas.',
    parameter: { type: 'string' },
    examples: ['ACTIVE,DELIVERED'],
  }),
  tag: listOf('TAG_INVALID', (text) => (/^\P{Cc}{1,60}$/u.test(text) ? tagKey(text) : null)).meta({
    description: 'Only tasks with all of these tags, separated by commas, in any case.',
    parameter: { type: 'string' },
    examples: ['illustration'],
  }),
  minAmountTokWei: amount.meta({
    description:
      'Only tasks that pay at least this: while one can be claimed what is left to earn, then its total amount.',
    parameter: amountMeta,
    examples: ['5000000000000000000000'],
  }),
  maxAmountTokWei: amount.meta({
    description: 'Only tasks that pay at most this, counted in the same way.',
    parameter: amountMeta,
    examples: ['50000000000000000000000'],
  }),
  minAmountUsd: usd.meta({
    description:
      'Only tasks that pay at least this in dollars, at the current price of TOK: the price turns the dollars into TOK, and the ' +
      'TOK of each task is compared with them. 503 PRICE_MISSING where no price was ever published.',
    parameter: usdMeta,
    examples: ['25'],
  }),
  maxAmountUsd: usd.meta({
    description: 'Only tasks that pay at most this in dollars, compared in the same way.',
    parameter: usdMeta,
    examples: ['99.50'],
  }),
  poster: optionalAddressParameter.describe('Only tasks of this poster.'),
  deadlineBefore: numberParameter(/^[0-9]{1,12}$/, 'DEADLINE_FILTER_INVALID')
    .optional()
    .meta({
      description: 'Only tasks whose deadline, in Unix seconds, is earlier.',
      parameter: { type: 'integer', minimum: 0, maximum: 999_999_999_999 },
      examples: [1_797_719_094],
    }),
  fullyFunded: z
    .enum(['true', 'false'], refuse('FUNDED_FILTER_INVALID'))
    .transform((text) => text === 'true')
    .optional()
    .meta({
      description: 'Only tasks whose escrow holds the whole amount, or only the others.',
      parameter: { type: 'boolean' },
      examples: [true],
    }),
  q: searchParameter.meta({
    description:
      'Only tasks that have all of these words in their texts, tags, id, poster or worker. Three letters or more also ' +
      'match the beginning of a word; numbers and ids match as a whole.',
    parameter: { type: 'string', maxLength: maxSearchLength },
    examples: ['lighthouse', 'v2:standard:3'],
  }),
  since: numberParameter(/^[0-9]{1,15}$/, 'SINCE_INVALID')
    .optional()
    .meta({
      description:
        'Only tasks that changed after a reply with this Svc-Block, also those that a fork or a correction changed at or ' +
        'below it. A block too far back, or from before the index was built, gives all tasks.',
      parameter: { type: 'integer', minimum: 0 },
      examples: [190],
    }),
  sort: z
    .enum(listSorts, refuse('SORT_UNKNOWN'))
    .optional()
    .meta({
      description:
        'The order; newest first unless given. mixed: newest first, with at most a fifth of a page by one poster, whose other ' +
        'tasks are left out; poster shows all of one. funded: fully funded tasks first, then newest first.',
      examples: ['highest', 'mixed'],
    }),
};

/** Of a list that can be sorted: what it is sorted by may come before the number. */
const listCursorParameter = cursorParameterOf(
  /^([0-9]{1,80}\.)?[1-9][0-9]{0,14}$/,
  'nextCursor of the previous page, with the same filters and order.',
  '40',
);

export function listParametersOf<Limit extends z.ZodType>(limit: Limit) {
  return { market: marketParameter, limit, cursor: listCursorParameter, ...filterParameters };
}

export const listParameters = listParametersOf(limitParameter);

export const feedParameters = { market: marketParameter, tag: filterParameters.tag };

export const savedSearchSchema = z
  .object({ market: marketParameter, view: z.literal('wanted').optional(), ...filterParameters })
  .omit({ state: true, deadlineBefore: true, since: true, sort: true });

/** The filters of a saved search; throws the mistake that a list would answer with. */
export function readSavedSearch(query: string): z.output<typeof savedSearchSchema> {
  const parsed = savedSearchSchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (parsed.success) return parsed.data;
  throw new SvcError((parsed.error.issues[0]?.message ?? 'REQUEST_MALFORMED') as 'REQUEST_MALFORMED', {});
}

export type ListQuery = z.output<z.ZodObject<typeof listParameters>>;

const filterNames = Object.keys(filterParameters) as (keyof typeof filterParameters)[];

/** The filters and the order that a request names. */
export function pickFilters(query: Partial<ListQuery>): Pick<ListQuery, keyof typeof filterParameters> {
  return Object.fromEntries(
    filterNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
}
