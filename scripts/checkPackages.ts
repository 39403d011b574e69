// `npm run packages:check`: publint over what `npm run build` has built. Fails on errors and warnings.
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from './tools.ts';

for (const name of ['contracts', 'sdk', 'service']) {
  const { messages, pkg } = await publint({ pkgDir: join(root, name), pack: 'npm' });
  for (const message of messages) console.log(`${name}: ${message.type}: ${formatMessage(message, pkg)}`);
  if (messages.some(({ type }) => type !== 'suggestion')) process.exitCode = 1;
  console.log(`${name}: ${messages.length} findings`);
}
