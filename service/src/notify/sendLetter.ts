// Sends a letter over one channel: e-mail, Web Push, or a webhook in the format of Standard Webhooks.
import { buildPushPayload, type VapidKeys } from '@block65/webcrypto-web-push';
import type { NewChannel } from '@svc/sdk/internal/schemas/notifications';
import { signatureHeaders } from '../webhooks/signature.ts';
import { exchange } from '../webhooks/target.ts';
import type { Letter } from './letters.ts';
import { writeMailHtml, writeMailText } from './mailBody.ts';
import type { Mailer } from './mailer.ts';
import { describeAnswer, type Outcome } from './outcome.ts';

/** The address of a channel, as it is encrypted. */
export type Contact =
  | Exclude<NewChannel, { kind: 'webhook' }>
  | (Extract<NewChannel, { kind: 'webhook' }> & { readonly secret: string });

export type SenderNeeds = {
  /** Null where the operator has no mail server. */
  readonly mailer: Mailer | null;
  readonly pushKeys: Omit<VapidKeys, 'subject'>;
  /** Whom push services may ask; a mail address, or the gateway's own address without one. */
  readonly contact: string | undefined;
  readonly publicUrl: () => string;
  readonly isPrivateAllowed: boolean;
};

export type LetterSender = ReturnType<typeof createLetterSender>;

const timeoutMs = 5_000;
/** How long a push service keeps a notice for a browser that is not there. */
const pushSeconds = 86_400;

export function createLetterSender({
  mailer,
  pushKeys,
  contact: person,
  publicUrl,
  isPrivateAllowed,
}: SenderNeeds) {
  const subject = () =>
    person === undefined ? publicUrl() : /^https?:/.test(person) ? person : `mailto:${person}`;
  const post = (url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array) =>
    exchange({ url, headers: { 'User-Agent': 'svc-notice', ...headers }, body, isPrivateAllowed, timeoutMs });

  async function sendMail(email: string, letter: Letter, token: string): Promise<Outcome> {
    if (mailer === null) return { kind: 'down', reason: 'this gateway sends no e-mail' };
    const oneClick = `${publicUrl()}/v1/notifications/unsubscribe?token=${token}`;
    const links = {
      publicUrl: publicUrl(),
      unsubscribeUrl: `${publicUrl()}/notifications.html#unsubscribe=${token}`,
    };
    const [text, html] = [writeMailText(letter, links), writeMailHtml(letter, links)];
    return mailer.send({
      id: letter.id,
      to: email,
      subject: letter.subject,
      text,
      html,
      unsubscribeUrl: oneClick,
    });
  }

  /** Title and link only: push services are strangers. */
  async function sendPush(
    contact: Contact & { kind: 'push' },
    { subject: title, link, kind, data }: Letter,
  ): Promise<Outcome> {
    const message = {
      title,
      url: link.path,
      ...(kind === 'confirm' && { confirm: String(data.token) }),
    };
    const options = { ttl: pushSeconds, urgency: kind === 'last' ? 'high' : 'normal' } as const;
    const subscription = { endpoint: contact.endpoint, expirationTime: null, keys: contact.keys };
    const { headers, body } = await buildPushPayload({ data: message, options }, subscription, {
      ...pushKeys,
      subject: subject(),
    });
    const answer = await post(contact.endpoint, headers as Record<string, string>, body);
    return describeAnswer(answer, (status) => status === 404 || status === 410);
  }

  async function sendWebhook(
    { url, secret }: Contact & { kind: 'webhook' },
    letter: Letter,
  ): Promise<Outcome> {
    const { id, kind, subject, about, link, data } = letter;
    const body = JSON.stringify({
      type: `notice.${kind}`,
      timestamp: new Date().toISOString(),
      data: { title: subject, text: about, url: publicUrl() + link.path, ...data },
    });
    const headers = { 'Content-Type': 'application/json', ...signatureHeaders(secret, id, body) };
    return describeAnswer(await post(url, headers, body), (status) => status === 410);
  }

  /** `token` ends the channel. */
  return (contact: Contact, letter: Letter, token: string): Promise<Outcome> => {
    if (contact.kind === 'email') return sendMail(contact.email, letter, token);
    return contact.kind === 'push' ? sendPush(contact, letter) : sendWebhook(contact, letter);
  };
}

/** What a page shows of an address: enough to know it again. */
export function maskContact(contact: Contact): string {
  if (contact.kind === 'email') {
    const [name = '', domain = ''] = contact.email.split('@');
    return `${name.slice(0, 1)}…@${domain}`;
  }
  const { host } = new URL(contact.kind === 'push' ? contact.endpoint : contact.url);
  return host;
}

/** What makes two addresses the same. */
export function identifyContact(contact: Contact): string {
  if (contact.kind === 'email') return `email:${contact.email.toLowerCase()}`;
  return `${contact.kind}:${contact.kind === 'push' ? contact.endpoint : contact.url}`;
}
