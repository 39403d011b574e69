// The command line of `svc keeper`.
import { flag, parseOptions, parseWhole, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

const defaultDelaySeconds = 15;
const maxDelaySeconds = 3_600;

export const keeperUsage = {
  command: 'keeper',
  synopsis: ['[options]'],
  about:
    "Watches both markets and ends what has lasted too long: it calls each exit that the contracts open to anyone when a time is over, cheapest first. Gas is paid with SVC_KEEPER_KEY; the key needs some Ether and no right of any kind. Any number of keepers may run. While gas costs more than SVC_KEEPER_MAX_GWEI nothing is sent. It goes on until it is stopped, through failures of the chain's RPC as well.",
  options: {
    'dry-run': flag('tell which exits are open and what they would cost, call none, and end; needs no key'),
    once: flag('look once, call what is open, and end; 1 where a call failed or a signal ended it early'),
    delay: text(
      '<s>',
      'wait up to this many seconds, by chance, before a call, so that several keepers do not send the same; default 15, with --once none',
    ),
    'metrics-port': text(
      '<n>',
      'serve counters for Prometheus at http://SVC_HOST:<n>/metrics; 0 takes any port',
    ),
  },
  json: 'print one line of JSON for each event; with --dry-run one for all',
  notes: [
    'The market is the one in the file that SVC_DEPLOYMENT names, else the one that the site at SVC_SITE_URL serves.',
  ],
  examples: ['svc keeper --dry-run', 'SVC_KEEPER_KEY=0x… svc keeper --once --json'],
} as const satisfies Usage;

export type KeeperArguments = {
  readonly isDryRun: boolean;
  readonly isOnce: boolean;
  readonly delaySeconds: number;
  readonly metricsPort: number | undefined;
  readonly asJson: boolean;
};

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseKeeperArguments(args: readonly string[]): KeeperArguments {
  const { values } = parseOptions(keeperUsage, args);
  const delay = readValue('delay', values.delay, parseWhole(maxDelaySeconds));
  return {
    isDryRun: values['dry-run'],
    isOnce: values.once,
    delaySeconds: values.once ? 0 : (delay ?? defaultDelaySeconds),
    metricsPort: readValue('metrics-port', values['metrics-port'], parseWhole(65_535)),
    asJson: values.json,
  };
}
