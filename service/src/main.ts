// The svc command: finds the command named on the command line and runs it.
import type { Output } from '#cli/failure.ts';
import type { Usage } from '#cli/options.ts';

export type Command = {
  readonly summary: string;
  /** Prints JSON without --json. */
  readonly isJson?: boolean;
  /** Loads the command only when it is called: --help stays fast, and no command loads the code of another. */
  readonly load: () => Promise<CommandModule>;
};

type CommandModule = {
  readonly usage: Usage;
  /** For a command that has its own subcommands. */
  readonly findUsage?: (args: readonly string[]) => Usage;
  /** Returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

export const commands: Readonly<Record<string, Command>> = {
  site: {
    summary: 'serve the HTTP API of a deployed market',
    load: () => import('#cli/site.ts'),
  },
  gateway: {
    summary: 'serve the local gateway of a deployed market: claims, payments, wallet requests, pages',
    load: () => import('#cli/gateway.ts'),
  },
  keeper: {
    summary: 'call the exits of tasks whose time is over',
    load: () => import('#cli/keeper.ts'),
  },
  'publish-price': {
    summary: 'publish the price of TOK from a source, within limits',
    load: () => import('#cli/publishPrice.ts'),
  },
  start: {
    summary: 'start a development chain with a market and its history',
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
    summary: 'receive messages; show negotiations, agreements and possible next messages',
    load: () => import('#cli/inbox.ts'),
  },
  messages: {
    summary: 'remove a message from the mailboxes of a gateway, for its operator',
    load: () => import('#cli/messages.ts'),
  },
  audit: {
    summary: 'compare the replies of the site with the chain, task by task',
    load: () => import('#cli/audit.ts'),
  },
  mcp: {
    summary: 'serve the tools of the market to an agent',
    load: () => import('#cli/mcp.ts'),
  },
  prepare: {
    summary: 'build the unsigned calls of an action and send them to a wallet',
    isJson: true,
    load: () => import('#cli/prepare.ts'),
  },
  policy: {
    summary: 'try a spending policy, and show what was spent and decided',
    load: () => import('#cli/policy.ts'),
  },
  request: {
    summary: 'show the status of a wallet request',
    isJson: true,
    load: () => import('#cli/request.ts'),
  },
  files: {
    summary: 'upload and download files of the work; list them and take them down',
    load: () => import('#cli/files.ts'),
  },
  webhook: {
    summary: 'send changes of tasks to a URL: add, list and remove webhooks, send again what failed',
    load: () => import('#cli/webhook.ts'),
  },
  demo: {
    summary: 'watch agents negotiate, work, dispute and be paid',
    load: () => import('#cli/demo.ts'),
  },
  doctor: {
    summary: 'check everything svc depends on, and say what to do',
    load: () => import('#cli/doctor.ts'),
  },
  'wallet-mcp': {
    summary: 'serve a development wallet as tools, as hosted wallet tool servers do',
    load: () => import('#cli/walletMcp.ts'),
  },
  config: {
    summary: 'print the configuration, with secrets hidden',
    load: () => import('#cli/config.ts'),
  },
  deploy: {
    summary: 'deploy both markets to a chain and write their addresses to a file',
    load: () => import('#cli/deploy.ts'),
  },
};

/** Runs one command line and returns the exit code. */
export async function main(args: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    const { readVersion } = await import('#app/packageFiles.ts');
    return print(output, readVersion());
  }
  if (name === '--help' || name === '-h' || name === 'help') return print(output, buildHelp());
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const asJson = args.includes('--json') || command?.isJson === true;
  try {
    if (command === undefined) throw await explainUnknown(name);
    const { run, usage, findUsage = () => usage } = await command.load();
    if (!rest.includes('--help') && !rest.includes('-h')) return await run(rest);
    const { formatUsage } = await import('#cli/options.ts');
    return print(output, formatUsage(findUsage(rest)));
  } catch (error) {
    const { reportFailure } = await import('#cli/failure.ts');
    return reportFailure(error, output, asJson);
  }
}

/** Sets the exit code instead of exiting, so that buffered output is still written. */
export async function start(args: readonly string[]): Promise<void> {
  process.exitCode = await main(args, { out: console.log, err: console.error });
}

async function explainUnknown(name: string | undefined): Promise<Error> {
  const { SvcError } = await import('@svc/sdk/domain');
  const reason =
    name === undefined ? buildHelp() : `There is no command "${name}"; "svc --help" lists all commands.`;
  return new SvcError('USAGE', { reason });
}

function buildHelp(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: svc <command> [options]', '', ...lines, '', 'svc --help, svc --version'].join('\n');
}

function print({ out }: Output, text: string): number {
  out(text);
  return 0;
}
