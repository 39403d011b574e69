// Sends e-mails: by SMTP, or into the memory of an embedded market, where /dev/mail shows them.
import { createTransport } from 'nodemailer';
import { describeFailure, type Outcome } from './outcome.ts';

export type Mail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Takes the POST of a one-click unsubscription (RFC 8058). */
  readonly unsubscribeUrl: string;
};

export type Mailer = {
  readonly send: (mail: Mail) => Promise<Outcome>;
  readonly close: () => void;
};

const connectMs = 4_000;
/** Servers examine a letter before they accept it. One that is not waited for gets the same letter again. */
const longestAnswerMs = 30_000;

export function createSmtpMailer(url: string, from: string, answerMs = longestAnswerMs): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.replace(/^.*@/, '').replace(/>.*$/, '');
  return {
    send: async ({ id, to, subject, text, html, unsubscribeUrl }) => {
      try {
        await transport.sendMail({
          from,
          // An object, so that no part of the address is read as a list or a name.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            'Auto-Submitted': 'auto-generated',
          },
        });
        return { kind: 'sent' };
      } catch (error) {
        return describeFailure(error);
      }
    },
    close: () => transport.close(),
  };
}

export type CaughtMail = Mail & { readonly at: number };

/** More are forgotten, the oldest first. */
const keptMails = 100;

export function createMailCatcher() {
  const caught: CaughtMail[] = [];
  return {
    /** Newest first. */
    list: (): readonly CaughtMail[] => caught.toReversed(),
    send: async (mail: Mail): Promise<Outcome> => {
      caught.push({ ...mail, at: Math.floor(Date.now() / 1_000) });
      if (caught.length > keptMails) caught.shift();
      return { kind: 'sent' };
    },
    close: () => undefined,
  } satisfies Mailer & { readonly list: () => readonly CaughtMail[] };
}

export type MailCatcher = ReturnType<typeof createMailCatcher>;
