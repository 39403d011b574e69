// Builds docs/commands.md from the help that the commands themselves print, so that neither can say what the other does not.
import { commands } from '../src/main.ts';

const intro = `# Commands

\`svc\` is one command with a subcommand for each job. In a clone it is \`node bin/svc.mjs\`; installed as a package it is
\`svc\`. \`svc --help\` lists the subcommands, \`svc <command> --help\` explains one: that is what stands below, written by
\`npm run generate\`.

Settings that several commands share are [environment variables](configuration.md). What a command answers goes to
standard output, what it says meanwhile to standard error.

## Exit codes

| code | of | meaning |
|---|---|---|
| 0 | all | it went well; a server or a watcher was asked to end, by Ctrl-C or SIGTERM, and did |
| 1 | all | it failed, and the last lines say why; a configuration with mistakes; a second signal while ending |
| 1 | \`audit\` | the site and the chain differ |
| 1 | \`doctor\` | something keeps svc from working |
| 1 | \`keeper --once\` | a call failed |
| 1 | \`send\`, \`send-proposal\`, \`inbox\` | a message lies in the outbox: kept, not delivered |
| 2 | all | wrongly called: an unknown command or option, a wrong argument |
| 3 | \`prepare\` | the calls would revert; no wallet was asked |
| 4 | \`prepare\` | the request was rejected, failed or expired, or the wait was broken off |

[Errors](errors.md) explains every message that a failure may come with.
`;

export async function buildCommandReference(): Promise<string> {
  const parts: string[] = [intro];
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const help = await captureHelp((await load()).run);
    const [first = '', ...rest] = summary;
    parts.push(
      `## svc ${name}\n\n${first.toUpperCase()}${rest.join('')}.\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`,
    );
  }
  return parts.join('\n');
}

async function captureHelp(run: (args: readonly string[]) => Promise<number>): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (text: string) => lines.push(text);
  try {
    await run(['--help']);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}
