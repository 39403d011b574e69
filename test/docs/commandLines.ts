// Finds the calls of svc and of npm scripts that pages print, in their code blocks and between backticks.
import { type Page, readBlocks, readCode } from './markdown.ts';

export type SvcCall = { readonly line: string; readonly command: string; readonly args: readonly string[] };

/** Of shells and of units; other languages only quote. */
const languages = ['sh', 'text', 'ini', ''];

export function readSvcCalls(page: Page): SvcCall[] {
  return listSimpleCommands(page).flatMap((line) => {
    // Values before it, as in a shell or a unit, and Node where svc is not on the path.
    const [, command, rest = ''] =
      /^(?:Usage: )?(?:\S+=\S*\s+)*(?:node |npx (?:--prefix \S+ )?--no )?(?:svc|\S*bin\/svc\.mjs)\s+([a-z][\w-]*)(.*)$/.exec(
        line,
      ) ?? [];
    return command === undefined ? [] : [{ line, command, args: rest.split(/\s+/).filter(Boolean) }];
  });
}

export function readNpmScripts(page: Page): string[] {
  const calls = listSimpleCommands(page).map((line) => /^npm run (?:--silent )?([\w:-]+)/.exec(line)?.[1]);
  return calls.filter((name) => name !== undefined);
}

function listSimpleCommands(page: Page): string[] {
  const blocks = readBlocks(page).filter(({ language }) => languages.includes(language));
  return [...blocks.map(({ text }) => text), ...readCode(page)].flatMap((text) =>
    text
      .replaceAll(/\\\n\s*/g, ' ')
      // What is quoted is a value, whatever it looks like.
      .replaceAll(/'[^'\n]*'|"[^"\n$]*"/g, '…')
      .replaceAll(/\s#.*$/gm, '')
      .split(/\n|\||&&|;|\$\(/)
      .map((part) => part.trim()),
  );
}
