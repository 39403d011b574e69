// Gives mutants to a few worker processes and collects the results.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answer, Order, Selection, TestResult } from './worker.ts';

export type Pool = {
  /** Without any mutant. */
  run(selection: Selection): Promise<readonly TestResult[]>;
  /** Tries one selection after the other and returns the first test that fails. */
  kill(mutant: number, selections: readonly Selection[]): Promise<TestResult | undefined>;
  close(): void;
};

const limitMs = 20 * 60_000;

export function createPool(size: number): Pool {
  const idle = Array.from({ length: size }, startWorker);
  const waiting: ((worker: ChildProcess) => void)[] = [];
  const workers = [...idle];

  const take = () => {
    const worker = idle.pop();
    return worker === undefined
      ? new Promise<ChildProcess>((resolve) => waiting.push(resolve))
      : Promise.resolve(worker);
  };
  const giveBack = (worker: ChildProcess) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(worker);
    else next(worker);
  };

  const withWorker = async <Result>(use: (worker: ChildProcess) => Promise<Result>) => {
    const worker = await take();
    try {
      return await use(worker);
    } finally {
      giveBack(worker);
    }
  };

  return {
    run: (selection) => withWorker((worker) => ask(worker, { mutant: 0, selection })),
    kill: (mutant, selections) =>
      withWorker(async (worker) => {
        for (const selection of selections) {
          const failed = (await ask(worker, { mutant, selection })).find(({ hasFailed }) => hasFailed);
          if (failed !== undefined) return failed;
        }
        return undefined;
      }),
    close() {
      for (const worker of workers) worker.kill();
    },
  };
}

function startWorker(): ChildProcess {
  return fork(join(import.meta.dirname, 'worker.ts'), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** A worker that ends early, or takes too long, ends the whole run: silence is no result. */
function ask(worker: ChildProcess, order: Order): Promise<readonly TestResult[]> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`Mutant ${order.mutant}: ${reason}`));
    const onExit = () => {
      clearTimeout(limit);
      fail('its worker ended or was stopped.');
    };
    const limit = setTimeout(() => worker.kill(), limitMs);
    worker.once('exit', onExit);
    worker.once('message', (answer: Answer) => {
      clearTimeout(limit);
      worker.off('exit', onExit);
      if ('error' in answer) fail(answer.error);
      else resolve(answer.results);
    });
    worker.send(order);
  });
}
