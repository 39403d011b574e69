// The command line of `svc keeper`.
import { SvcError } from '#domain/errors.ts';
import { flag, helpFlag, parseOptions } from './options.ts';

export const keeperHelp = `Usage: svc keeper [options]

Watches both markets and ends what has lasted too long: it calls each exit that the contracts open to anyone when a
time is over, cheapest first. Gas is paid with SVC_KEEPER_KEY; the key needs some Ether and no right of any kind. Any
number of keepers may run. It goes on until it is stopped, through failures of the chain's RPC as well.

  --dry-run       tell which exits are open and what they would cost, call none, and end; needs no key
  --once          look once, call what is open, and end; 1 where a call failed
  --delay <s>     wait up to this many seconds, by chance, before a call, so that several keepers do not send the
                  same; default 15, with --once none
  --json          print one line of JSON for each event

The market is the one in the file that SVC_DEPLOYMENT names, else the one that the site at SVC_SITE_URL serves.`;

export type KeeperArguments = {
  readonly help: boolean;
  readonly isDryRun: boolean;
  readonly isOnce: boolean;
  readonly delaySeconds: number;
  readonly asJson: boolean;
};

const defaultDelaySeconds = 15;
const maxDelaySeconds = 3_600;

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseKeeperArguments(args: readonly string[]): KeeperArguments {
  const values = parseOptions(args, {
    'dry-run': flag,
    once: flag,
    delay: { type: 'string' },
    json: flag,
    help: helpFlag,
  });
  const { help, 'dry-run': isDryRun, once: isOnce, delay, json: asJson } = values;
  if (delay !== undefined && (!/^[0-9]{1,4}$/.test(delay) || Number(delay) > maxDelaySeconds))
    throw new SvcError('USAGE', { reason: `--delay must be a whole number from 0 to ${maxDelaySeconds}.` });
  const delaySeconds = isOnce ? 0 : Number(delay ?? defaultDelaySeconds);
  return { help, isDryRun, isOnce, delaySeconds, asJson };
}
