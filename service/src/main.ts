// The svc command: finds the command named on the command line and runs it.
import type { Output } from './cli/failure.ts';
import type { Usage } from './cli/options.ts';

type Command = {
  readonly summary: string;
  /** Prints JSON without --json. */
  readonly isJson: boolean;
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

const command = (summary: string, load: Command['load'], isJson = false) => ({ summary, load, isJson });

export const commands: Readonly<Record<string, Command>> = {
  site: command('serve the HTTP API of a deployed market', () => import('./cli/site.ts')),
  gateway: command(
    'serve the local gateway of a deployed market: claims, payments, wallet requests, pages',
    () => import('./cli/gateway.ts'),
  ),
  keeper: command('call the exits of tasks whose time is over', () => import('./cli/keeper.ts')),
  'publish-price': command(
    'publish the price of TOK from a source, within limits',
    () => import('./cli/publishPrice.ts'),
  ),
  start: command('start a development chain with a market and its history', () => import('./cli/start.ts')),
  'send-proposal': command(
    'offer terms to another wallet, or other terms in a negotiation',
    () => import('./cli/sendProposal.ts'),
  ),
  send: command('accept an offer, or send any other message of a negotiation', () => import('./cli/send.ts')),
  work: command('list what concerns a wallet, its turn first', () => import('./cli/work.ts')),
  inbox: command(
    'receive messages; show negotiations, agreements and possible next messages',
    () => import('./cli/inbox.ts'),
  ),
  messages: command(
    'remove a message from the mailboxes of a gateway, for its operator',
    () => import('./cli/messages.ts'),
  ),
  audit: command(
    'compare the replies of the site with the chain, task by task',
    () => import('./cli/audit.ts'),
  ),
  mcp: command('serve the tools of the market to an agent', () => import('./cli/mcp.ts')),
  prepare: command(
    'build the unsigned calls of an action and send them to a wallet',
    () => import('./cli/prepare.ts'),
    true,
  ),
  policy: command(
    'try a spending policy, and show what was spent and decided',
    () => import('./cli/policy.ts'),
  ),
  request: command('show the status of a wallet request', () => import('./cli/request.ts'), true),
  profile: command(
    'show, publish and withdraw the profile of a wallet',
    () => import('./cli/profile.ts'),
    true,
  ),
  files: command(
    'upload and download files of the work; list them and take them down',
    () => import('./cli/files.ts'),
  ),
  webhook: command(
    'send changes of tasks to a URL: add, list and remove webhooks, send again what failed',
    () => import('./cli/webhook.ts'),
  ),
  backup: command(
    'copy the data folder while it is in use; begin new numbers after a restore',
    () => import('./cli/backup.ts'),
  ),
  payments: command(
    'list x402 payments without an answer, compare them with the chain, refund them',
    () => import('./cli/payments.ts'),
  ),
  demo: command('watch agents negotiate, work, dispute and be paid', () => import('./cli/demo.ts')),
  doctor: command('check everything svc depends on, and say what to do', () => import('./cli/doctor.ts')),
  'wallet-mcp': command(
    'serve a development wallet as tools, as hosted wallet tool servers do',
    () => import('./cli/walletMcp.ts'),
  ),
  config: command('print the configuration, with secrets hidden', () => import('./cli/config.ts')),
  deploy: command(
    'deploy both markets to a chain and write their addresses to a file',
    () => import('./cli/deploy.ts'),
  ),
};

/** Runs one command line and returns the exit code. */
export async function main(args: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    const { readVersion } = await import('./app/packageFiles.ts');
    return print(output, readVersion());
  }
  if (name === '--help' || name === '-h' || name === 'help') return print(output, buildHelp());
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const asJson = args.includes('--json') || command?.isJson === true;
  try {
    if (command === undefined) throw await explainUnknown(name);
    const { run, usage, findUsage = () => usage } = await command.load();
    if (!rest.includes('--help') && !rest.includes('-h')) return await run(rest);
    const { formatUsage } = await import('./cli/options.ts');
    return print(output, formatUsage(findUsage(rest)));
  } catch (error) {
    const { reportFailure } = await import('./cli/failure.ts');
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
