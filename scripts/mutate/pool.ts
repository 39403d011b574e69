// Hands mutants to a few worker processes and collects how each of them ended.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Effort, TestFailure } from './project.ts';
import type { Answer, Order } from './worker.ts';

/** One attempt to kill a mutant: these files, with this effort. */
export type Attempt = { readonly effort: Effort; readonly files: readonly string[] };

export type Pool = {
  /** Tries one attempt after the other until a test fails; no mutant at all is number 0. */
  kill(mutant: number, attempts: readonly Attempt[]): Promise<TestFailure | undefined>;
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

  return {
    async kill(mutant, attempts) {
      const worker = await take();
      try {
        for (const { effort, files } of attempts) {
          const failure = await ask(worker, { mutant, effort, files });
          if (failure !== undefined) return failure;
        }
        return undefined;
      } finally {
        giveBack(worker);
      }
    },
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

/** A worker that ends, by itself or because it takes too long, ends the whole run: silence is no verdict. */
function ask(worker: ChildProcess, order: Order): Promise<TestFailure | undefined> {
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
      else resolve(answer.failure);
    });
    worker.send(order);
  });
}
