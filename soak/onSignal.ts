// Loaded into the servers of a run: SIGUSR2 collects garbage, so that samples show the memory in use, and sets the clock.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;

let aheadMs = 0;
const now = Date.now.bind(Date);
Date.now = () => now() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (RealDate, args, caller) =>
    Reflect.construct(RealDate, args.length === 0 ? [now() + aheadMs] : args, caller),
});

function setClock(): void {
  try {
    aheadMs = Number(readFileSync(process.env.SOAK_CLOCK ?? '', 'utf8'));
  } catch {
    aheadMs = 0;
  }
}

setClock();
process.on('SIGUSR2', () => {
  setClock();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
});
