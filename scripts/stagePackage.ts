// What is published of a workspace, in a separate folder. The SDK brings @svc/contracts along as far as it needs them, so that it installs
// from its file alone.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.ts';

const contracts = '@svc/contracts';

/** Copies the built workspace below `folder`; returns where to pack or publish it. */
export function stagePackage(workspace: string, folder: string): string {
  const staged = join(folder, `staged-${workspace}`);
  const own = join(root, workspace);
  cpSync(own, staged, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|artifacts|cache|test)$/.test(path.slice(own.length)),
  });
  if (workspace !== 'sdk') return staged;
  const path = join(staged, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { dependencies: Record<string, string> };
  writeFileSync(path, `${JSON.stringify({ ...manifest, bundleDependencies: [contracts] }, null, 2)}\n`);
  const inside = join(staged, 'node_modules', contracts);
  mkdirSync(join(inside, 'dist'), { recursive: true });
  const { name, version, license, type, exports } = JSON.parse(
    readFileSync(join(root, 'contracts/package.json'), 'utf8'),
  ) as Record<string, unknown> & { exports: Record<string, Record<string, string>> };
  const parts = ['./abi', './bytecode'].map((part) => {
    const { types, default: code } = exports[part] as Record<string, string>;
    return [part, { types, default: code }];
  });
  const manifestInside = { name, version, license, type, exports: Object.fromEntries(parts) };
  writeFileSync(join(inside, 'package.json'), `${JSON.stringify(manifestInside, null, 2)}\n`);
  const built = join(root, 'contracts/dist');
  const isLeftOut = (path: string) =>
    /^.(verification|code|addresses)\b|tsbuildinfo/.test(path.slice(built.length));
  cpSync(built, join(inside, 'dist'), { recursive: true, filter: (path) => !isLeftOut(path) });
  return staged;
}
