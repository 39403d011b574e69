// The form of a profile as typed, and the document that it describes once all fields are valid.
import { formatTok, parseTok } from '@svc/sdk/domain';
import { normaliseName } from '@svc/sdk/internal/domain/walletNames';
import { type ProfileDocument, profileDocumentSchema } from '@svc/sdk/schemas';
import { orNull } from '#data/orNull.ts';

export type ServiceDraft = {
  readonly title: string;
  readonly text: string;
  /** TOK; empty stands for "ask". */
  readonly price: string;
  readonly days: string;
  readonly tags: string;
};

export type ProfileDraft = {
  readonly name: string;
  readonly headline: string;
  readonly about: string;
  readonly kind: ProfileDocument['kind'];
  /** Separated by commas, as languages are. */
  readonly skills: string;
  readonly languages: string;
  /** One in each line. */
  readonly links: string;
  readonly services: readonly ServiceDraft[];
};

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
    skills: split(draft.skills, ','),
    languages: split(draft.languages, ','),
    links: split(draft.links, '\n'),
    services: draft.services.map(({ title, text, price, days, tags }) => ({
      title: title.trim(),
      text: text.trim(),
      priceTokWei: price.trim() === '' ? null : (orNull(() => String(parseTok(price.trim()))) ?? 'no amount'),
      days: Number(days),
      tags: split(tags, ','),
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

function split(text: string, at: string): string[] {
  return [
    ...new Set(
      text
        .split(at)
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ];
}
