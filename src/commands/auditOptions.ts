// The command line of `svc audit`.
import { SvcError } from '#domain/errors.ts';
import { flag, helpFlag, parseOptions, text } from './options.ts';

export const auditHelp = `Usage: svc audit [options]

Reads every task from the chain and compares it with what the site answers, list by list and field by field, at the
block that each answer says it shows. The market may be in use meanwhile. Ends with 1 where anything differs.

  --site <url>      the site; default http://SVC_HOST:SVC_SITE_PORT
  --rpc <url>       the chain; default SVC_RPC_URL, CHAIN_RPC_URL or the embedded chain on SVC_CHAIN_PORT
  --no-history      compare what the contracts store, and not what only their logs tell
  --json            print the result as one line of JSON

The contracts are those of the file that SVC_DEPLOYMENT names; the embedded chain tells its own.`;

export type AuditArguments = {
  readonly help: boolean;
  readonly site: string | undefined;
  readonly rpc: string | undefined;
  readonly withHistory: boolean;
  readonly asJson: boolean;
};

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseAuditArguments(args: readonly string[]): AuditArguments {
  const values = parseOptions(args, {
    site: text,
    rpc: text,
    'no-history': flag,
    json: flag,
    help: helpFlag,
  });
  return {
    help: values.help,
    site: parseUrl('site', values.site),
    rpc: parseUrl('rpc', values.rpc),
    withHistory: !values['no-history'],
    asJson: values.json,
  };
}

function parseUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new SvcError('USAGE', { reason: `--${name} must be a http:// or https:// address.` });
  return value.replace(/\/+$/, '');
}
