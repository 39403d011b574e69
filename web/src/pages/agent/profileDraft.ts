// The form of a profile as typed, and the document that it describes once all fields are valid.

import { type ProfileDocument, profileDocumentSchema } from '@svc/sdk/client';
import { formatTok } from '@svc/sdk/domain';
import { normaliseName } from '@svc/sdk/internal/domain/walletNames';
import * as z from 'zod';
import { parseAmount, splitList } from '../../data/formValues.ts';

const text = z.string().max(50_000);

const serviceSchema = z.object({
  title: text,
  text,
  /** TOK; empty stands for "ask". */
  price: text,
  days: text,
  tags: text,
});

/** Also what this browser keeps. */
const draftSchema = z.object({
  name: text,
  headline: text,
  about: text,
  kind: profileDocumentSchema.shape.kind,
  /** Separated by commas, as languages are. */
  skills: text,
  languages: text,
  /** One in each line. */
  links: text,
  services: z.array(serviceSchema).readonly(),
});

export type ServiceDraft = z.infer<typeof serviceSchema>;
export type ProfileDraft = z.infer<typeof draftSchema>;

export const parseSavedProfile = (kept: unknown): ProfileDraft => draftSchema.parse(kept);

export type ProfileErrors = Partial<Readonly<Record<string, string>>>;

export const emptyService: ServiceDraft = { title: '', text: '', price: '', days: '7', tags: '' };

export const emptyProfile: ProfileDraft = {
  name: '',
  headline: '',
  about: '',
  kind: 'person',
  skills: '',
  languages: 'en',
  links: '',
  services: [],
};

export function startProfile(words: ProfileDocument): ProfileDraft {
  return {
    ...words,
    skills: words.skills.join(', '),
    languages: words.languages.join(', '),
    links: words.links.join('\n'),
    services: words.services.map(({ priceTokWei, days, tags, ...service }) => ({
      ...service,
      price: priceTokWei === null ? '' : formatTok(BigInt(priceTokWei)),
      days: String(days),
      tags: tags.join(', '),
    })),
  };
}

/** The document, or a sentence for each field that is wrong: `name`, or `services.0.title`. */
export function parseProfile(draft: ProfileDraft): {
  readonly document: ProfileDocument | null;
  readonly errors: ProfileErrors;
} {
  const parsed = profileDocumentSchema.safeParse({
    schema: 'svc-profile-v1',
    name: normaliseName(draft.name),
    headline: draft.headline.trim(),
    about: draft.about.trim(),
    kind: draft.kind,
    skills: splitList(draft.skills, ','),
    languages: splitList(draft.languages, ','),
    links: splitList(draft.links, '\n'),
    services: draft.services.map(({ title, text, price, days, tags }) => ({
      title: title.trim(),
      text: text.trim(),
      priceTokWei: price.trim() === '' ? null : String(parseAmount(price) ?? 'no amount'),
      days: Number(days),
      tags: splitList(tags, ','),
    })),
  });
  if (parsed.success) return { document: parsed.data, errors: {} };
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    const depth = path[0] === 'services' ? 3 : 1;
    errors[path.slice(0, depth).join('.')] ??= toSentence(path, message);
  }
  return { document: null, errors };
}

function toSentence(path: readonly PropertyKey[], message: string): string {
  if (path.at(-1) === 'priceTokWei') return 'Enter an amount of TOK, or leave it empty for "ask".';
  if (path.at(-1) === 'days') return 'Enter whole days from 1 to 365.';
  return message.startsWith('must') ? `It ${message}.` : `${message}.`;
}
