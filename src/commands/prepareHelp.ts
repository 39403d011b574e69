// What `svc prepare --help` says, of all actions and of each.
import type { Action } from '#tools/prepare/action.ts';
import { actions } from '#tools/prepare/actions.ts';
import { buildCommand, flagOf } from '#tools/prepare/commandLine.ts';
import { listArguments } from './prepareOptions.ts';

const shared = `Wallet
  --wallet local         hand the calls to the gateway, whose page asks the wallet's owner (default)
  --wallet none          print the calls and ask nobody
  --wallet key           sign and send with PRIVATE_KEY; on the embedded chain, elsewhere with --yes-real-chain
  --wallet mcp --wallet-server <url or command>
                         hand the calls to a wallet tool server
  --wait                 wait until the request is settled, rejected, failed or expired

Arguments may also come as one JSON object on standard input: end the line with "-". Flags win over it.
One JSON document is printed on standard output, words for people on standard error.

Exit codes: 0 prepared (with --wait: settled); 1 failed; 2 wrong arguments; 3 the calls would revert, and no wallet was
asked; 4 the request was rejected, failed or expired, or the wait was broken off.`;

export function describeActions(): string {
  const width = Math.max(...actions.map(({ name }) => name.length));
  const list = actions.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: svc prepare <action> [arguments] [--wallet <kind>] [--wait]

Builds the unsigned calls of an action, tries them on the chain as it is, and hands them to a wallet.
svc prepare <action> --help shows the arguments of one.

${list.join('\n')}

${shared}`;
}

export function describeAction(action: Action): string {
  const shapes = listArguments(action);
  const width = Math.max(...shapes.map(({ name }) => flagOf(name).length));
  const list = shapes.map(
    ({ name, description, isRequired }) =>
      `  ${flagOf(name).padEnd(width)}  ${isRequired ? '(required) ' : ''}${description}`,
  );
  const tail = action.kind === 'write' ? `\n\n${shared}` : '';
  return `Usage: svc prepare ${action.name} [arguments]

${action.summary[0]?.toUpperCase()}${action.summary.slice(1)}.

${list.join('\n')}

Example
  ${buildCommand(action.name, action.example)}${tail}`;
}
