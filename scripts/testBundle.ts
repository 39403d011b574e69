// A bundle of svc and of the processes that tests start. Loading it takes a third of the time of loading the sources,
// and a test run starts svc about two hundred times.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { buildBundle } from './bundle.ts';
import { root } from './tools.ts';

const sources = [
  'service/src/**/*',
  'sdk/src/**/*',
  'contracts/generated/**/*.ts',
  'test/support/**/*.ts',
  'bench/*Process.ts',
];
const settings = ['package-lock.json', 'service/package.json', 'service/bin/*', 'scripts/*undle.ts'];
const processes = ['test/support/{databaseProcess,mailProcess}.ts', 'bench/{chainProcess,relayProcess}.ts'];

/** Returns the folder of a bundle of the present sources, laid out as an installed svc; builds it where it is missing. */
export async function prepareTestBundle(): Promise<string> {
  const cache = join(root, 'node_modules/.cache/svc');
  const folder = join(cache, hashSources());
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const others = readdirSync(cache);
  const fresh = join(cache, `building-${process.pid}`);
  await buildBundle({
    entryPoints: {
      main: 'service/src/main.ts',
      ...Object.fromEntries(globSync(processes, { cwd: root }).map((file) => [basename(file, '.ts'), file])),
    },
    folder: join(fresh, 'dist'),
    hasSourceMaps: false,
  });
  cpSync(join(root, 'service/bin'), join(fresh, 'bin'), { recursive: true });
  cpSync(join(root, 'service/package.json'), join(fresh, 'package.json'));
  symlinkSync(join(root, 'web/dist'), join(fresh, 'dist/web'), 'junction');
  try {
    renameSync(fresh, folder);
  } catch {
    // Another run has built the same at the same time.
    rmSync(fresh, { recursive: true, force: true });
  }
  // Only the last one is kept beside this: a run that began before a change may still use it.
  for (const name of others.slice(0, -1)) rmSync(join(cache, name), { recursive: true, force: true });
  return folder;
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const path of [...sources, ...settings]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .sort()) {
    if (/\.test\.ts$/.test(basename(path)) || !/\.\w+$/.test(path)) continue;
    hash.update(path).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex').slice(0, 16);
}
