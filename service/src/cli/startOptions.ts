// The command line of `svc start`.
import { flag, parseOptions, parseWhole, readValue, text } from './options.ts';
import type { Usage } from './usage.ts';

export const startUsage = {
  command: 'start',
  synopsis: ['[options]'],
  about:
    'Starts a development chain with both markets and forty days of market history on it, the site, the gateway, a keeper and the pages. It lives in this process, keeps nothing of the chain, and ends with Ctrl-C.',
  options: {
    port: text('<n>', 'first port tried for the chain; default SVC_CHAIN_PORT or 8545, 0 takes any'),
    'no-seed': flag('both markets and funded accounts, but no history'),
    'no-keeper': flag('leave it to you to end tasks whose time is over'),
    'clock-offset': text('<s>', "let the chain's clock be this many seconds ahead"),
  },
  json: 'print one line of JSON once all is ready',
  examples: ['svc start', 'svc start --no-seed --port 0 --json'],
} as const satisfies Usage;

export type StartArguments = {
  readonly port: number | undefined;
  readonly isSeeded: boolean;
  /** Whether exits are called as soon as they are open. */
  readonly isKept: boolean;
  readonly clockOffsetSeconds: number;
  readonly asJson: boolean;
};

const maxOffsetSeconds = 10 * 365 * 86_400;

/** Throws USAGE that names the option which is unknown or has a wrong value. */
export function parseStartArguments(args: readonly string[]): StartArguments {
  const { values } = parseOptions(startUsage, args);
  return {
    port: readValue('port', values.port, parseWhole(65_535)),
    isSeeded: !values['no-seed'],
    isKept: !values['no-keeper'],
    clockOffsetSeconds: readValue('clock-offset', values['clock-offset'], parseWhole(maxOffsetSeconds)) ?? 0,
    asJson: values.json,
  };
}
