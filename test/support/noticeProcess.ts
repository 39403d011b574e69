// A process that reads changes and sends notices as a gateway does, without the rest of it, until it is killed.
import { setTimeout as pause } from 'node:timers/promises';
import { createSmtpMailer } from '#service/notify/mailer.ts';
import { createLetterSender } from '#service/notify/sendLetter.ts';
import { openDatabase } from './databasePlace.ts';
import { openNotices } from './notices.ts';

const { at, smtp, identity, now } = JSON.parse(String(process.argv[2]));
const { round } = openNotices(openDatabase(at), {
  identity,
  now: () => now,
  send: createLetterSender({
    mailer: createSmtpMailer(smtp, 'svc <notices@market.example>'),
    pushKeys: { publicKey: '', privateKey: '' },
    contact: undefined,
    publicUrl: () => 'http://market.example',
    isPrivateAllowed: true,
  }),
});
console.log('ready');
for (;;) {
  await round().catch(() => undefined);
  await pause(5);
}
