// Keeps an embedded chain in a file while it runs, and plays the file again when it starts: same blocks, same hashes.
//
// The engine cannot save its state. It is deterministic, so the same calls at the same times give the same blocks.

import { type Hex, numberToHex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { ChainFile, KeptChain } from './chainFile.ts';
import { createRequest, type Evm } from './evm.ts';

/** All other methods may change the chain, so they run one at a time. */
function isRead(method: string): boolean {
  return /^(eth|net|web3|debug)_/.test(method) && !method.startsWith('eth_send');
}

/** Their effect is the time of the next block, which is kept with the call that mines it. */
const timeCalls = ['evm_increaseTime', 'evm_setNextBlockTimestamp'];

type Head = { readonly number: number; readonly hash: Hex; readonly timestamp: number };

async function readBlock(evm: Evm, block: Hex | 'latest'): Promise<Head> {
  const found = await evm.request({ method: 'eth_getBlockByNumber', params: [block, false] });
  const { number, hash, timestamp } = found as { readonly [Field in keyof Head]: Hex };
  return { number: Number(number), hash, timestamp: Number(timestamp) };
}

/** A chain that nobody uses mines fewer empty blocks, because each one is kept for ever. */
const idleAfterMs = 10 * 60_000;
const idleIntervalMs = 20_000;
/** Rounding and slow machines also make a block look ahead of the clock. */
const aheadTolerance = 5;

/**
 * Answers as the chain does, after the file has the call that changed it. `head` is the chain's newest block.
 * Empty blocks are mined here and not by the engine, so that no block comes between a call and its record.
 */
export function keepChain(evm: Evm, file: ChainFile, head: number, aheadSeconds = 0): Evm {
  let recorded = head;
  let ahead = aheadSeconds;
  let queue: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let lastUsed = performance.now();
  let lastMined = performance.now();

  async function record(method: string, params: unknown): Promise<void> {
    const newest = await readBlock(evm, 'latest');
    const isMined = newest.number > recorded;
    const first = newest.number > recorded + 1 ? await readBlock(evm, numberToHex(recorded + 1)) : newest;
    recorded = newest.number;
    const { number: block, hash } = newest;
    if (!timeCalls.includes(method))
      file.add({ method, params, timestamp: isMined ? first.timestamp : null, block, hash });
    if (!isMined) return;
    lastMined = performance.now();
    const lead = newest.timestamp - Math.floor(Date.now() / 1_000);
    if (lead <= ahead + aheadTolerance) return;
    ahead = lead;
    file.saveAhead(ahead);
  }

  async function change(method: string, params: unknown): Promise<string> {
    if (method === 'evm_setIntervalMining') {
      setMining(Number((params as unknown[])[0]));
      return '{"result":true}';
    }
    const answer = await evm.ask(method, params);
    if (!answer.startsWith('{"error"')) await record(method, params);
    if (method.startsWith('eth_send')) lastUsed = performance.now();
    return answer;
  }

  function setMining(everyMs: number): void {
    clearInterval(timer);
    const mineOnTime = () => {
      const time = performance.now();
      if (time - lastUsed > idleAfterMs && time - lastMined < idleIntervalMs) return;
      ask('evm_mine', []).catch(() => undefined);
    };
    timer = everyMs > 0 ? setInterval(mineOnTime, everyMs).unref() : undefined;
  }

  const ask: Evm['ask'] = (method, params) => {
    if (isRead(method)) return evm.ask(method, params);
    const turn = queue.then(() => change(method, params));
    queue = turn.catch(() => undefined);
    return turn;
  };
  return { ask, request: createRequest(ask), onNotification: evm.onNotification };
}

type PlayOptions = {
  readonly onPlayed?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
};

/** Makes the calls of the file on a new chain. Throws CHAIN_FILE_DAMAGED where one fails, or a block gets another hash. */
export async function playChain(
  evm: Evm,
  path: string,
  chain: KeptChain,
  { onPlayed, signal }: PlayOptions = {},
): Promise<number> {
  const damaged = (reason: string, cause?: unknown) =>
    new OperatorError('CHAIN_FILE_DAMAGED', { file: path, reason }, cause);
  let [head, done] = [0, 0];
  for (const { method, params, timestamp, block, hash } of chain.calls()) {
    try {
      if (timestamp !== null) await evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] });
      await evm.request({ method, params });
    } catch (error) {
      const reason = (error as Error).message.replace(/\.+$/, '');
      throw damaged(`block ${block} cannot be mined again: ${reason}`, error);
    }
    if ((await readBlock(evm, 'latest')).hash !== hash)
      throw damaged(`block ${block} was changed, or another version of svc kept it`);
    head = block;
    onPlayed?.(++done, chain.callCount);
    signal?.throwIfAborted();
  }
  return head;
}
