// The command line of `svc start`.
import { SvcError } from '#domain/errors.ts';
import { flag, helpFlag, parseOptions, text } from './options.ts';

export const startHelp = `Usage: svc start [options]

Starts a development chain with both markets and forty days of market history on it.
It lives in this process, keeps nothing, and ends with Ctrl-C.

  --port <n>              first port tried for the chain; default SVC_CHAIN_PORT or 8545, 0 takes any
  --no-seed               both markets and funded accounts, but no history
  --no-keeper             leave it to you to end tasks whose time is over
  --clock-offset <s>      let the chain's clock be this many seconds ahead
  --json                  print one line of JSON once all is ready`;

export type StartArguments = {
  readonly help: boolean;
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
  const values = parseOptions(args, {
    port: text,
    'no-seed': flag,
    'no-keeper': flag,
    'clock-offset': text,
    json: flag,
    help: helpFlag,
  });
  return {
    help: values.help,
    port: parseWhole('port', values.port, 65_535),
    isSeeded: !values['no-seed'],
    isKept: !values['no-keeper'],
    clockOffsetSeconds: parseWhole('clock-offset', values['clock-offset'], maxOffsetSeconds) ?? 0,
    asJson: values.json,
  };
}

function parseWhole(name: string, value: string | undefined, high: number): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[0-9]{1,15}$/.test(value) || Number(value) > high)
    throw new SvcError('USAGE', { reason: `--${name} must be a whole number from 0 to ${high}.` });
  return Number(value);
}
