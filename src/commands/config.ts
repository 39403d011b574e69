// `svc config`: prints the configuration in force, secrets hidden.
import { readConfig } from '#config.ts';
import { SvcError } from '#domain/errors.ts';

export async function run(args: readonly string[]): Promise<number> {
  if (args.length > 0)
    throw new SvcError('USAGE', { reason: `svc config takes no arguments, but got "${args[0]}".` });
  console.log(JSON.stringify(readConfig(), (_, value) => value ?? null, 2));
  return 0;
}
