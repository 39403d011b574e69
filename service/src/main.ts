// The svc command: finds the command named on the command line and runs it.

import { readVersion } from '#app/packageFiles.ts';
import { exitCodes } from '#cli/exitCodes.ts';
import { type Output, reportFailure, reportMistake } from '#cli/failure.ts';
import { formatUsage, type Usage } from '#cli/usage.ts';

export type Command = {
  readonly summary: string;
  /** Prints JSON without being asked to. */
  readonly isJson?: boolean;
  /** Loaded only when called, so that `--help` is instant and one command never pays for another. */
  readonly load: () => Promise<CommandModule>;
};

type CommandModule = {
  readonly usage: Usage;
  /** For a command with commands of its own. */
  readonly findUsage?: (args: readonly string[]) => Usage;
  /** Answers the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

export const commands: Readonly<Record<string, Command>> = {
  site: {
    summary: 'serve the HTTP API over a deployed market',
    load: () => import('#cli/site.ts'),
  },
  gateway: {
    summary: 'serve the local gateway over a deployed market: claims, payments, wallet requests, pages',
    load: () => import('#cli/gateway.ts'),
  },
  keeper: {
    summary: 'end what has lasted too long: call every exit of a task that is open to anyone',
    load: () => import('#cli/keeper.ts'),
  },
  start: {
    summary: 'start a development chain with a living market on it',
    load: () => import('#cli/start.ts'),
  },
  'send-proposal': {
    summary: 'offer terms to another wallet, or other terms in a negotiation',
    load: () => import('#cli/sendProposal.ts'),
  },
  send: {
    summary: 'accept an offer, or send any other message of a negotiation',
    load: () => import('#cli/send.ts'),
  },
  inbox: {
    summary: 'take in messages; show negotiations, what is agreed and what may come next',
    load: () => import('#cli/inbox.ts'),
  },
  audit: {
    summary: 'compare what the site answers with what the chain says, task by task',
    load: () => import('#cli/audit.ts'),
  },
  mcp: {
    summary: 'serve the tools of the market to an agent',
    load: () => import('#cli/mcp.ts'),
  },
  prepare: {
    summary: 'build the unsigned calls of an action and hand them to a wallet',
    isJson: true,
    load: () => import('#cli/prepare.ts'),
  },
  request: {
    summary: 'tell what became of a request that a wallet was handed',
    isJson: true,
    load: () => import('#cli/request.ts'),
  },
  demo: {
    summary: 'watch agents negotiate, work, dispute and be paid',
    load: () => import('#cli/demo.ts'),
  },
  doctor: {
    summary: 'check everything svc needs and say how to mend what is wrong',
    load: () => import('#cli/doctor.ts'),
  },
  'wallet-mcp': {
    summary: 'serve a development wallet to tools, as hosted wallet tool servers do',
    load: () => import('#cli/walletMcp.ts'),
  },
  config: {
    summary: 'print the configuration in force, secrets hidden',
    load: () => import('#cli/config.ts'),
  },
  deploy: {
    summary: 'deploy both markets to a chain and write their addresses to a file',
    load: () => import('#cli/deploy.ts'),
  },
};

/** Runs one command line and answers the exit code. */
export async function main(args: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return say(output.out, readVersion());
  if (name === '--help' || name === '-h' || name === 'help') return say(output.out, buildHelp());
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const asJson = args.includes('--json') || command?.isJson === true;
  if (name === undefined) return reportMistake(buildHelp(), output, asJson);
  if (command === undefined)
    return reportMistake(
      `There is no command "${name}"; "svc --help" lists those there are.`,
      output,
      asJson,
    );
  try {
    const { run, usage, findUsage = () => usage } = await command.load();
    if (rest.includes('--help') || rest.includes('-h')) return say(output.out, formatUsage(findUsage(rest)));
    return await run(rest);
  } catch (error) {
    return reportFailure(error, output, asJson);
  }
}

/** Sets the exit code instead of exiting, so that output still in the pipe is written. */
export async function start(args: readonly string[]): Promise<void> {
  process.exitCode = await main(args, { out: console.log, err: console.error });
}

function buildHelp(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: svc <command> [options]', '', ...lines, '', 'svc --help, svc --version'].join('\n');
}

function say(write: (text: string) => void, text: string): number {
  write(text);
  return exitCodes.ok;
}
