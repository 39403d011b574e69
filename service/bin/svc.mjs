#!/usr/bin/env node
// Starts svc: from its sources in a checkout, from the bundle elsewhere. A system's Node that is too old starts an installed one.
import { spawn } from 'child_process';
import { existsSync } from 'fs';
import * as nodeModule from 'module';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';
import { chooseRuntime, explain, neededBy } from './runtime.mjs';

// Set for the second start only, so that it can never start a third.
const marker = 'SVC_STARTED_BY_OLD_NODE';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));
const isCheckout = existsSync(join(root, 'src/main.ts'));
const at = {
  version: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  root,
  needed: isCheckout ? neededBy.sources : neededBy.bundle,
  isChild: process.env[marker] === '1',
};

const choice = chooseRuntime(at);
if (choice.run === 'here') {
  importMain().then((module) => module.start(process.argv.slice(2)));
} else if (choice.run === 'with') {
  startWith(choice.node);
} else {
  giveUp(choice.reason);
}

function startWith(node) {
  const env = Object.assign({}, process.env, { [marker]: '1' });
  const child = spawn(node, [script].concat(process.argv.slice(2)), { stdio: 'inherit', env });
  // Ctrl-C in a terminal reaches parent and child; passing it on as well would count as a second one.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const listener = () => {
      if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  // A binary for another libc exists and still cannot be started.
  child.on('error', () => giveUp(explain(at)));
  child.on('exit', (code, signal) => {
    listeners.forEach((entry) => {
      process.removeListener(entry.signal, entry.listener);
    });
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
  });
}

function giveUp(reason) {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

function importMain() {
  hideSqliteWarning();
  if (!isCheckout) {
    // In the user's temporary folder: nothing is written into an installed package.
    nodeModule.enableCompileCache();
    return import('../dist/main.js');
  }
  // Nearly halves the next start.
  nodeModule.enableCompileCache(join(root, '../node_modules/.cache/compile'));
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['@svc/source', ...context.conditions] }),
  });
  return import('../src/main.ts');
}

/** Node 22 calls its SQLite experimental at every start. The functions used here are the same in Node 24. */
function hideSqliteWarning() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      emitWarning.call(process, warning, ...rest);
  };
}
