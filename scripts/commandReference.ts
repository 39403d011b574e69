// Builds docs/commands.md from what the commands say of themselves, so that neither can say what the other does not.
import { type ExitName, exitCodes, exitMeanings } from '#service/cli/failure.ts';
import { formatUsage } from '#service/cli/options.ts';
import { commands } from '#service/main.ts';

const intro = `# Commands

\`svc\` is one command with a subcommand for each job. In a clone it is \`npx --no svc\`; \`npm link\` in it
puts \`svc\` on the path. \`svc --help\` lists the subcommands, \`svc <command> --help\` explains one: that is what stands below, written by
\`npm run generate\`.

Settings that several commands share are [environment variables](configuration.md). What a command answers goes to
standard output, what it says meanwhile to standard error.

## Exit codes

| code | meaning |
|---|---|
${Object.entries(exitMeanings)
  .map(([name, meaning]) => `| ${exitCodes[name as ExitName]} | ${meaning} |`)
  .join('\n')}

[Errors](errors.md) explains every message that a failure may come with.
`;

export async function buildCommandReference(): Promise<string> {
  const parts: string[] = [intro];
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const help = formatUsage((await load()).usage);
    const [first = '', ...rest] = summary;
    parts.push(`## svc ${name}\n\n${first.toUpperCase()}${rest.join('')}.\n\n\`\`\`text\n${help}\n\`\`\`\n`);
  }
  return parts.join('\n');
}
