// Bundles svc with its JavaScript dependencies, so that an installed svc loads a few files instead of thousands.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { root } from './tools.ts';

/**
 * Loaded at run time where they are installed: the embedded chain's engine is native, the code of signatures is
 * WebAssembly beside its module, XMTP is an install on demand, the others are optional accelerators of `pg` and `ws`.
 */
const external = [
  '@nomicfoundation/edr',
  'tiny-secp256k1',
  '@xmtp/*',
  'pg-native',
  'bufferutil',
  'utf-8-validate',
];

/** CommonJS dependencies call `require` for Node's modules, which an ES module does not have. */
const banner = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** Parts that viem loads at their first use become parts of what uses them: an upgrade may have replaced their files by then. */
const wholeViem: Plugin = {
  name: 'whole viem',
  setup: ({ onLoad }) =>
    onLoad({ filter: /viem[\\/]_esm[\\/].*\.js$/ }, ({ path }) => {
      const imports: string[] = [];
      const contents = readFileSync(path, 'utf8').replace(/\bimport\(('[^']+')\)/g, (_, name) => {
        imports.push(`import * as part${imports.length} from ${name};`);
        return `Promise.resolve(part${imports.length - 1})`;
      });
      return { contents: [...imports, contents].join('\n') };
    }),
};

export type BundleOptions = {
  /** Name of the file in `folder`, without ending -> source file. */
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly hasSourceMaps: boolean;
};

export async function buildBundle({ entryPoints, folder, hasSourceMaps }: BundleOptions): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['@svc/source'],
    external,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: hasSourceMaps,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    banner: { js: banner },
    plugins: [wholeViem],
  });
  return metafile;
}

/** The licence texts of the packages that a bundle was made of. The pages' packages name theirs in docs/licences.md. */
export function buildNotices(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => findPackage(path) ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const holder = typeof author === 'object' ? author.name : author;
    return `${name} ${version} (${license})\n\n${readLicence(folder) ?? standardLicence(license, holder ?? name)}`;
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['This package contains the following packages.', ...texts].join(rule)}\n`;
}

/** The folder of the installed package that holds a file; nothing for files of this repository. */
function findPackage(path: string): string | undefined {
  const parts = relative(root, join(root, path)).split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at === -1) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
}

function readLicence(folder: string): string | undefined {
  const name = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file));
  return name === undefined ? undefined : readFileSync(join(root, folder, name), 'utf8').trim();
}

/** For packages that name their licence but do not include its text. */
function standardLicence(licence: string, holder: string): string {
  const source = {
    MIT: join(root, 'LICENSE'),
    'Apache-2.0': join(root, 'node_modules/typescript/LICENSE'),
  }[licence];
  if (source === undefined) throw new Error(`There is no text of the licence ${licence}.`);
  return readFileSync(source, 'utf8')
    .replace(/^Copyright \(c\).*$/m, `Copyright (c) ${holder}`)
    .trim();
}

export function writeText(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
