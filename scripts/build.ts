// `npm run build`: what the packages publish. JavaScript, declarations and source maps of @svc/contracts and @svc/sdk,
// the pages, and svc as a bundle with the pages, the guides and the files of hosting/ inside.
//
// --keep-pages   builds the pages only when their sources changed
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb, readWebState } from '#service/app/webPages.ts';
import { buildSkill, skillRoles } from '#service/mcp/skills.ts';
import { buildBundle, buildNotices, writeText } from './bundle.ts';
import { root, runTool } from './tools.ts';

const dist = (name: string) => join(root, name, 'dist');

for (const name of ['contracts', 'sdk', 'service']) rmSync(dist(name), { recursive: true, force: true });
// Several checkers repeat much of each other's work.
const { exitCode } = await runTool('tsc', ['-b', 'sdk/tsconfig.build.json', '--checkers', '1']);
if (exitCode !== 0) throw new Error('The declarations could not be built.');

const mayKeepPages = process.argv.includes('--keep-pages') && readWebState() === 'fresh';
if (!mayKeepPages) await buildWeb(new AbortController().signal);
const { outputs, inputs } = await buildBundle({
  entryPoints: { main: 'service/src/main.ts' },
  folder: dist('service'),
  hasSourceMaps: true,
});
cpSync(dist('web'), join(dist('service'), 'web'), { recursive: true });
cpSync(join(root, 'hosting'), join(dist('service'), 'hosting'), { recursive: true });
for (const role of skillRoles)
  writeText(join(dist('service'), 'skills', `svc-${role}`, 'SKILL.md'), buildSkill(role));
// Its sources are part of the verification input.
const openzeppelin = 'node_modules/@openzeppelin/contracts/package.json';
writeText(
  join(dist('service'), 'third-party-licences.txt'),
  buildNotices([...Object.keys(inputs), openzeppelin]),
);

const bytes = Object.values(outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`svc: ${Object.keys(outputs).length} files, ${(bytes / 1e6).toFixed(1)} MB with source maps`);
