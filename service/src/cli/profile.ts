// `svc profile`: shows, publishes and withdraws the profile of a wallet at a gateway.
import { createProfileClient, openSession, profileDocumentSchema } from '@svc/sdk/client';
import { parseAddress, SvcError } from '@svc/sdk/domain';
import { normaliseName } from '@svc/sdk/internal/domain/walletNames';
import * as z from 'zod';
import { readSessionOptions } from './files.ts';
import { readAccount, readJsonInput } from './negotiation.ts';
import { defineVerbs, type Usage } from './options.ts';

export const usage = {
  command: 'profile',
  synopsis: ['show <address>', 'publish <path>', 'withdraw'],
  about:
    'A profile is what posters and workers read of a wallet: name, one line, skills, services. It is signed by the wallet, costs nothing, and proves nothing. The gateway is the one at SVC_GATEWAY_URL.',
  words: 2,
  wordList: {
    show: 'print the profile of a wallet, and its records on both markets',
    publish: 'sign the document in a JSON file (svc-profile-v1) with the key in PRIVATE_KEY, and publish it',
    withdraw: 'remove the profile of the key in PRIVATE_KEY',
  },
  options: {},
  json: 'print the result as one line of JSON',
  examples: [
    'svc profile show 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    'PRIVATE_KEY=0x… svc profile publish profile.json',
  ],
} as const satisfies Usage;

export const run = defineVerbs(usage, async ({ verb, values, need }, config) => {
  const connection = { baseUrl: config.gatewayUrl };
  const profiles = createProfileClient(connection);
  const print = (result: object) => void console.log(JSON.stringify(result, null, values.json ? 0 : 2));
  if (verb === 'show') return print(await profiles.get(parseAddress(need('the address of a wallet'))));
  const path = verb === 'publish' ? need('the path of a JSON file') : null;
  const account = readAccount(config);
  const session = await readSessionOptions(config);
  if (path !== null) return print(await profiles.publish(account, await readProfile(path), session));
  const { token } = await openSession(connection, account, session);
  return print(await profiles.withdraw(account.address, token));
});

async function readProfile(path: string) {
  const value = await readJsonInput(path);
  const name = typeof value.name === 'string' ? { name: normaliseName(value.name) } : {};
  const parsed = profileDocumentSchema.safeParse({ schema: 'svc-profile-v1', ...value, ...name });
  if (!parsed.success) throw new SvcError('DOCUMENT_INVALID', { reason: z.prettifyError(parsed.error) });
  return parsed.data;
}
