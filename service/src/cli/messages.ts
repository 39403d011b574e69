// `svc messages remove`: the operator takes the text of a message out of the mailboxes of a gateway.
import type { Hex } from 'viem';
import { removeMessage } from '#app/mailServices.ts';
import { readConfig } from '#config.ts';
import { parseOptions, type Usage, usageError } from './options.ts';

export const usage = {
  command: 'messages',
  synopsis: ['remove <hash>'],
  about:
    'Removes the text of a message from the rows in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set. Its hash and its place in the conversation stay, so that the messages after it can still be checked; the gateway does not take it again. The gateway may be running.',
  words: 2,
  wordList: { remove: 'what to do', hash: 'the hash of the message, as mailboxes show it' },
  options: {},
  json: 'print {"hash", "removed"}',
  notes: ['The exit code is 1 where there is no such message.'],
  examples: ['svc messages remove 0x3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c'],
} as const satisfies Usage;

/** Throws USAGE. */
export function parseMessagesArguments(args: readonly string[]) {
  const { values, words } = parseOptions(usage, args);
  const [verb, hash = ''] = words;
  if (verb !== 'remove' || !/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw usageError('svc messages needs: remove <hash>, 0x and 64 hexadecimal digits.');
  return { ...values, hash: hash.toLowerCase() as Hex };
}

export async function run(args: readonly string[]): Promise<number> {
  const { hash, json } = parseMessagesArguments(args);
  const removed = await removeMessage(readConfig(), hash);
  if (json) console.log(JSON.stringify({ hash, removed }));
  else console.log(removed ? 'The text of the message is removed.' : 'There is no such message.');
  return removed ? 0 : 1;
}
