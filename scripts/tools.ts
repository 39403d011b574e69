// Starts the command-line tools of the project with the Node that runs the scripts.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

// By file, not through node_modules/.bin: there a shell, or on Windows a command file, would stand in between.
const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  hardhat: 'node_modules/hardhat/dist/src/cli.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  tsc: 'node_modules/typescript/bin/tsc',
  vite: 'node_modules/vite/bin/vite.js',
};

export type Outcome = { readonly exitCode: number; readonly output: string };

/** `shown` as it comes, or `kept` for the caller to show: of two that run side by side nobody could read both. */
type Display = 'shown' | 'kept';

/** Hardhat takes the folder that it runs in for the project. */
const folderOf = (tool: keyof typeof tools) => (tool === 'hardhat' ? join(root, 'contracts') : root);

/** Answers what was printed, its mistakes included. */
export function runTool(
  tool: keyof typeof tools,
  args: readonly string[],
  display: Display = 'shown',
  folder = folderOf(tool),
  settings: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  return runNode([join(root, tools[tool]), ...args], display, folder, settings);
}

export function runNode(
  args: readonly string[],
  display: Display = 'shown',
  cwd = root,
  settings: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const env = { ...process.env, ...color, ...settings };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from.setEncoding('utf8');
    from.on('data', (chunk: string) => {
      output += chunk;
      if (display === 'shown') to.write(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
