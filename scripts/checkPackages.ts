// `npm run packages:check`: publint over what `npm run build` has built. Fails on errors and warnings.
import { join } from 'node:path';
import { root, runNode } from './tools.ts';

const cli = join(root, 'node_modules/publint/src/cli.js');

for (const name of ['contracts', 'sdk', 'service']) {
  const { exitCode } = await runNode([cli, 'run', '--pack', 'npm', '--strict', join(root, name)]);
  if (exitCode !== 0) process.exitCode = 1;
}
