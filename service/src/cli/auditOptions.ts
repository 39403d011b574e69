// The command line of `svc audit`.
import { flag, parseHttpUrl, parseOptions, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

export const auditUsage = {
  command: 'audit',
  synopsis: ['[options]'],
  about:
    'Reads every task from the chain and compares it with what the site answers, list by list and field by field, at the block that each answer says it shows. The market may be in use meanwhile. Ends with 1 where anything differs.',
  options: {
    site: text('<url>', 'the site; default SVC_SITE_URL, or the one on this machine at SVC_SITE_PORT'),
    rpc: text(
      '<url>',
      "the chain; default SVC_RPC_URL or CHAIN_RPC_URL, else Base's public RPC where SVC_DEPLOYMENT is set, else the embedded chain on SVC_CHAIN_PORT",
    ),
    'no-history': flag('compare what the contracts store, and not what only their logs tell'),
  },
  json: 'print the result as one line of JSON',
  notes: ['The contracts are those of the file that SVC_DEPLOYMENT names; the embedded chain tells its own.'],
  examples: ['svc audit', 'svc audit --site https://market.example --json'],
} as const satisfies Usage;

export type AuditArguments = {
  readonly site: string | undefined;
  readonly rpc: string | undefined;
  readonly withHistory: boolean;
  readonly asJson: boolean;
};

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseAuditArguments(args: readonly string[]): AuditArguments {
  const { values } = parseOptions(auditUsage, args);
  return {
    site: readValue('site', values.site, parseHttpUrl),
    rpc: readValue('rpc', values.rpc, parseHttpUrl),
    withHistory: !values['no-history'],
    asJson: values.json,
  };
}
