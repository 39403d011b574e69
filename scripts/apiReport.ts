// Builds sdk/api/<entry>.md: every public name of an entry of the SDK with its declaration, so that a change of the public
// surface shows in review. The declarations are those that the compiler emits.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { root, runTool } from './tools.ts';

export const apiReportFolder = 'sdk/api';

/** Longer declarations, such as the catalog with the schemas of all arguments, are cut; a hash stands for the rest. */
const maxLines = 60;

export async function buildApiReports(): Promise<ReadonlyMap<string, string>> {
  // The types themselves are checked by `npm run types`.
  const options = ['-p', 'sdk/tsconfig.api.json', '--checkers', '1', '--noCheck'];
  const { exitCode, output } = await runTool('tsc', options, 'kept');
  if (exitCode !== 0) throw new Error(`The declarations of the SDK could not be built.\n${output}`);
  const entries = globSync('sdk/src/entry/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  return new Map(
    entries.sort().map((path) => {
      const name = basename(path, '.ts');
      return [`${apiReportFolder}/${name}.md`, describeEntry(name)];
    }),
  );
}

function describeEntry(name: string): string {
  const specifier = name === 'sdk' ? '@svc/sdk' : `@svc/sdk/${name}`;
  const exports = listExports(`entry/${name}`).sort((left, right) => (left.name < right.name ? -1 : 1));
  const parts = exports.map((one) => `\`\`\`ts\n${shorten(findDeclaration(one.name, one.from))}\n\`\`\`\n`);
  return `# ${specifier}\n\n${exports.length} names. Written by \`npm run generate\`; do not edit.\n\n${parts.join('\n')}`;
}

type Exported = { readonly name: string; readonly from: string };

/** The names that a file exports from other files, with the file; files are named from `sdk/src`, without ending. */
function listExports(path: string): Exported[] {
  return [
    ...readDeclarations(path).matchAll(/^export (?:type )?\{([^}]*)\} from ['"]([^'"]+)['"];$/gm),
  ].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => ({
        name: name.trim().replace(/^type /, ''),
        from: posix.join(posix.dirname(path), from).replace(/\.ts$/, ''),
      }))
      .filter(({ name }) => name !== ''),
  );
}

function findDeclaration(name: string, from: string): string {
  const text = readDeclarations(from);
  const start = text.search(
    new RegExp(`^export (declare )?(const|function|class|type|interface) ${name}\\b`, 'm'),
  );
  if (start === -1) {
    const again = listExports(from).find((one) => one.name === name);
    if (again === undefined) throw new Error(`${name} is not declared in ${from}.`);
    return findDeclaration(name, again.from);
  }
  const rest = text.slice(start);
  const end = rest.slice(1).search(/^(export|declare|import|type|const) /m);
  return (end === -1 ? rest : rest.slice(0, end + 1)).trim();
}

function readDeclarations(path: string): string {
  return readFileSync(join(root, 'node_modules/.cache/api/sdk/src', `${path}.d.ts`), 'utf8');
}

function shorten(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= maxLines) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${lines.slice(0, maxLines).join('\n')}\n// … ${lines.length - maxLines} more lines, ${hash}`;
}
