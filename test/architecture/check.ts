// Checks the packages against the rules of the architecture and names every breach.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, posix, relative, sep } from 'node:path';
import { type ParsedSource, parseSource } from './imports.ts';

/** A package, and the table of its rooms. A room is a folder below `sources`, or a file there. */
export type PackageRules = {
  readonly sources: string;
  /** Packages whose front doors its files may import. */
  readonly packages: readonly string[];
  /** Room -> rooms of the same package it may import; '*' stands for all rooms. A room missing here may not exist. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Must run in browsers, hence without `node:`. Prefixes after `!` are exempt. */
  readonly isBrowserSafe?: boolean;
  readonly nodeOnly?: readonly string[];
  /** Basenames that several files may have, because they are the same thing in two rooms. */
  readonly sharedNames?: readonly string[];
};

export type Rules = {
  readonly packages: Readonly<Record<string, PackageRules>>;
  /** Pairs of folders that never import each other. */
  readonly strangers: readonly (readonly [string, string])[];
  readonly maxLines: number;
  readonly forbiddenNames: readonly string[];
  readonly environmentReader: string;
};

export type Finding = {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
};

type SourceFile = ParsedSource & {
  readonly path: string;
  readonly package: string;
  readonly room: string;
  readonly text: string;
  readonly targets: Map<string, number>;
};

type Report = (rule: string, line: number, message: string) => void;

/** Reads the sources of every package below `root`; paths in findings are relative to it. */
export function checkArchitecture(root: string, rules: Rules): Finding[] {
  const files = new Map(listSources(root, rules).map((file) => [file.path, file]));
  const findings: Finding[] = [...findMissing(files, rules), ...findSharedNames(files, rules)];
  for (const file of files.values()) {
    const report: Report = (rule, line, message) => findings.push({ rule, file: file.path, line, message });
    checkFile(file, rules, report);
    for (const { specifier, line } of file.imports) {
      const target = resolveImport(root, file, specifier, rules);
      if (target === undefined) continue;
      if (!existsSync(join(root, target))) {
        report('unresolved', line, `imports "${specifier}", which is not a file`);
        continue;
      }
      file.targets.set(target, line);
      const to = files.get(target);
      if (to !== undefined)
        checkArrow(file, to, specifier, rules, (rule, message) => report(rule, line, message));
    }
  }
  return [...findings, ...findCycles(files)];
}

/** A rule about a folder that does not exist, or is empty, would hold for ever without checking anything. */
function findMissing(files: ReadonlyMap<string, SourceFile>, rules: Rules): Finding[] {
  const paths = [...files.keys()];
  const folders = [
    ...Object.values(rules.packages).flatMap(({ sources, rooms, nodeOnly = [] }) => [
      ...Object.keys(rooms).map((room) => (room === '' ? sources : `${sources}/${room}`)),
      ...nodeOnly,
    ]),
    ...rules.strangers.flat(),
    rules.environmentReader,
  ];
  return folders
    .filter((folder) => !paths.some((path) => isWithin(path, folder)))
    .map((folder) => ({
      rule: 'missing',
      file: folder,
      line: 1,
      message: 'a rule names it, but it has no files',
    }));
}

function findSharedNames(files: ReadonlyMap<string, SourceFile>, rules: Rules): Finding[] {
  const seen = new Map<string, string>();
  const findings: Finding[] = [];
  for (const file of files.values()) {
    const { sharedNames = [] } = rules.packages[file.package] as PackageRules;
    const name = basename(file.path);
    if (isTest(file.path) || isGenerated(file) || file.room === 'entry' || sharedNames.includes(name))
      continue;
    const key = `${file.package}/${name}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, file.path);
    else
      findings.push({ rule: 'shared-name', file: file.path, line: 1, message: `has the name of ${first}` });
  }
  return findings;
}

function checkFile(file: SourceFile, rules: Rules, report: Report): void {
  const { path, text, code, imports } = file;
  const own = rules.packages[file.package] as PackageRules;
  const name = basename(path).replace(/(\.test)?\.tsx?$/, '');
  if (own.rooms[file.room] === undefined) report('unknown-room', 1, `"${file.room}" is not in the table`);
  if (rules.forbiddenNames.includes(name))
    report('forbidden-name', 1, `"${name}" says nothing about the subject`);
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines > rules.maxLines && !isGenerated(file))
    report('long-file', lines, `${lines} lines, the limit is ${rules.maxLines}`);
  for (const line of file.computedImports)
    report('computed-import', line, 'imports a computed name, which cannot be checked');
  const mustRunInBrowser =
    own.isBrowserSafe === true &&
    !isTest(path) &&
    !(own.nodeOnly ?? []).some((prefix) => isWithin(path, prefix));
  for (const { specifier, line } of imports) {
    if (mustRunInBrowser && specifier.startsWith('node:'))
      report('node-in-browser', line, `imports "${specifier}", but browsers load this file`);
  }
  if (path === rules.environmentReader) return;
  const environment = code.match(/\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*(?:\?\.)?\[/);
  if (environment) report('process-env', lineOf(code, environment.index ?? 0), 'reads the environment');
  const destructured = code.match(/\}\s*=\s*process\b(?!\s*[.([?])/);
  if (destructured) report('process-env', lineOf(code, destructured.index ?? 0), 'destructures process');
  for (const { specifier, line } of imports) {
    if (/^(?:node:)?process$/.test(specifier)) report('process-env', line, `imports "${specifier}"`);
  }
}

function checkArrow(
  from: SourceFile,
  to: SourceFile,
  specifier: string,
  rules: Rules,
  report: (rule: string, message: string) => void,
): void {
  const own = rules.packages[from.package] as PackageRules;
  if (from.package !== to.package) {
    if (!specifier.startsWith('@svc/'))
      report('relative-across-packages', `reaches ${to.package} by "${specifier}", not by its name`);
    if (!own.packages.includes(to.package))
      report('forbidden-arrow', `${from.package} may not import ${to.package} ("${specifier}")`);
  } else if (from.room !== to.room) {
    if (!specifier.startsWith('#'))
      report('relative-across-rooms', `reaches ${to.room} by "${specifier}", not by "#"`);
    const allowed = own.rooms[from.room] ?? [];
    if (!allowed.includes('*') && !allowed.includes(to.room))
      report('forbidden-arrow', `${from.room} may not import ${to.room} ("${specifier}")`);
  } else if (specifier.startsWith('#') && from.room !== '') {
    report('hash-inside-room', `reaches its own room by "${specifier}", not by "./"`);
  }
  const browserCode = own.isBrowserSafe === true && !isTest(from.path);
  const nodeCode = (file: SourceFile) =>
    (rules.packages[file.package]?.nodeOnly ?? []).some((prefix) => isWithin(file.path, prefix));
  if (browserCode && !nodeCode(from) && nodeCode(to))
    report('browser-reach', `browsers would load ${to.path}, which is for Node ("${specifier}")`);
  for (const [left, right] of rules.strangers) {
    const isMeeting =
      (isWithin(from.path, left) && isWithin(to.path, right)) ||
      (isWithin(from.path, right) && isWithin(to.path, left));
    if (isMeeting) report('strangers', `${left} and ${right} may not import each other ("${specifier}")`);
  }
}

/** One finding for each group of files that import one another, with a way around it. */
function findCycles(files: ReadonlyMap<string, SourceFile>): Finding[] {
  const findings: Finding[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string) => {
    if (done.has(path)) return;
    const start = trail.indexOf(path);
    if (start !== -1) {
      const loop = [...trail.slice(start), path];
      const line = files.get(loop[0] as string)?.targets.get(loop[1] as string) ?? 1;
      findings.push({ rule: 'cycle', file: path, line, message: `is part of a cycle: ${loop.join(' -> ')}` });
      return;
    }
    trail.push(path);
    for (const target of files.get(path)?.targets.keys() ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of files.keys()) visit(path);
  return findings;
}

/** The file behind an import of ours, relative to `root`; nothing for other packages. */
function resolveImport(root: string, from: SourceFile, specifier: string, rules: Rules): string | undefined {
  const bare = specifier.replace(/\?.*$/, '');
  if (bare.startsWith('#')) return `${rules.packages[from.package]?.sources}/${bare.slice(1)}`;
  if (bare.startsWith('.')) return posix.join(posix.dirname(from.path), bare);
  const [, name, rest = ''] = bare.match(/^@svc\/([^/]+)(\/.*)?$/) ?? [];
  if (name === undefined) return undefined;
  const manifest = join(root, name, 'package.json');
  const { exports } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : { exports: {} };
  const [, file] = rest.match(/^\/internal\/(.+)$/) ?? [];
  const door = file
    ? exports['./internal/*']?.['@svc/source'].replace('*', file)
    : exports[`.${rest}`]?.['@svc/source'];
  return posix.join(name, door ?? `(no export .${rest})`);
}

function listSources(root: string, rules: Rules): SourceFile[] {
  return Object.entries(rules.packages).flatMap(([name, { sources, rooms }]) =>
    walk(join(root, sources)).map((absolute) => {
      const path = relative(root, absolute).split(sep).join('/');
      const first = path.slice(sources.length + 1).split('/')[0] ?? '';
      const room = '' in rooms ? '' : first.replace(/(\.test)?\.tsx?$/, '');
      const text = readFileSync(absolute, 'utf8');
      return { path, package: name, room, text, targets: new Map(), ...parseSource(text) };
    }),
  );
}

function walk(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return walk(path);
      return /\.tsx?$/.test(name) ? [path] : [];
    });
}

function isGenerated({ text }: SourceFile): boolean {
  return text.startsWith('// Generated by ');
}

function isWithin(path: string, prefix: string): boolean {
  return (
    path === prefix ||
    path.startsWith(`${prefix}/`) ||
    (/^(?:\.test)?\.tsx?$/.test(path.slice(prefix.length)) && path.startsWith(prefix))
  );
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

function lineOf(code: string, at: number): number {
  return code.slice(0, at).split('\n').length;
}
