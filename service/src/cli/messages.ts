// `svc messages remove`: the operator takes the text of a message out of the mailboxes of a gateway.
import { isHash } from 'viem';
import { removeMessage } from '../app/mailServices.ts';
import { defineVerbs, type Usage, usageError } from './options.ts';

export const usage = {
  command: 'messages',
  synopsis: ['remove <hash>'],
  about:
    'Removes the text of a message from the rows in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set. Its hash and its place in the conversation stay, so that the messages after it can still be checked; the gateway does not take it again. The gateway may be running.',
  words: 2,
  wordList: { remove: 'takes the text out; the hash is that of the message, as mailboxes show it' },
  options: {},
  json: 'print {"hash", "removed"}',
  notes: ['The exit code is 1 where there is no such message.'],
  examples: ['svc messages remove 0x3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c'],
} as const satisfies Usage;

export const run = defineVerbs(usage, async ({ need, say }, config) => {
  const hash = need('the hash of a message').toLowerCase();
  if (!isHash(hash)) throw usageError('remove needs a hash: 0x and 64 hexadecimal digits.');
  const removed = await removeMessage(config, hash);
  say({ hash, removed }, removed ? 'The text of the message is removed.' : 'There is no such message.');
  return removed ? 0 : 1;
});
