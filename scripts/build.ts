// `npm run build`: what the packages publish. JavaScript, declarations and source maps of @svc/contracts and @svc/sdk,
// the pages, and svc as a bundle with the pages and guides inside.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build as buildPages } from 'vite';
import { buildBundle, buildNotices, copyFolder, writeText } from './bundle.ts';
import { root, runTool } from './tools.ts';

const dist = (name: string) => join(root, name, 'dist');

for (const name of ['contracts', 'sdk', 'service']) rmSync(dist(name), { recursive: true, force: true });
const { exitCode } = await runTool('tsc', ['-b', 'sdk/tsconfig.build.json']);
if (exitCode !== 0) throw new Error('The declarations could not be built.');

await buildPages({ root: join(root, 'web'), logLevel: 'warn' });
const bundle = await buildBundle({
  entryPoints: ['service/src/main.ts'],
  folder: dist('service'),
  hasSourceMaps: true,
});
copyFolder(dist('web'), join(dist('service'), 'web'));
writeText(join(dist('service'), 'third-party-licences.txt'), buildNotices([bundle]));

const bytes = Object.values(bundle.outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(
  `svc: ${Object.keys(bundle.outputs).length} files, ${(bytes / 1e6).toFixed(1)} MB with source maps`,
);
