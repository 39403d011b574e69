// The faults of the market of many agents: one after the other, each for a few seconds, then everything works again.
import { sleep } from '@svc/sdk/domain';
import type { DemoAgent } from './demoAgent.ts';
import type { SwarmMarket } from './swarmMarket.ts';
import { pick } from './swarmPlayer.ts';

export type Fault = {
  readonly kind: string;
  readonly detail: string;
  /** Seconds since the market opened. */
  readonly at: number;
  readonly seconds: number;
};

type Scene = {
  readonly market: SwarmMarket;
  readonly agents: readonly DemoAgent[];
  readonly random: () => number;
};

const pausedMs = 3_000;
const moodMs = 5_000;

/** In this order, again and again. Each returns what it did, once everything works again. */
const kinds: readonly (readonly [kind: string, play: (scene: Scene) => Promise<string>])[] = [
  ['agent killed', killAgent],
  ['slow chain', ({ market }) => disturbChain(market, 'slow', 'answers of the chain are 0.4 s late')],
  ['gateway killed', restartGateway],
  ['agent killed', killAgent],
  ['failing chain', ({ market }) => disturbChain(market, 'failing', 'every third request is refused')],
  ['agent killed', killAgent],
  ['gateway paused', pauseGateway],
];

async function killAgent({ agents, random }: Scene): Promise<string> {
  const victim = pick(agents, random);
  const pid = victim.pid();
  // SIGKILL, as a crash or a full machine does; its program starts it again at its next step.
  if (pid !== null) process.kill(pid, 'SIGKILL');
  return victim.name;
}

async function disturbChain({ rpc }: SwarmMarket, mood: 'slow' | 'failing', what: string): Promise<string> {
  const before = rpc.disturbed();
  rpc.setMood(mood);
  await sleep(moodMs);
  rpc.setMood('well');
  const { late, refused } = rpc.disturbed();
  return `${what}: ${late - before.late + refused - before.refused} requests`;
}

async function restartGateway({ market }: Scene): Promise<string> {
  await market.gateway.restart();
  return 'SIGKILL, then started again on its folder';
}

async function pauseGateway({ market }: Scene): Promise<string> {
  market.gateway.signal('SIGSTOP');
  await sleep(pausedMs);
  market.gateway.signal('SIGCONT');
  return 'SIGSTOP: it accepts connections and answers nothing';
}

/** Plays faults until the signal aborts; resolves when the last one is over. */
export async function playFaults(
  scene: Scene,
  everyMs: number,
  signal: AbortSignal,
  onFault: (fault: Fault) => void,
): Promise<void> {
  const openedAt = performance.now();
  for (let at = 0; ; at++) {
    await sleep(everyMs, signal);
    if (signal.aborted) return;
    const [kind, play] = kinds[at % kinds.length] as (typeof kinds)[number];
    const begunAt = performance.now();
    const detail = await play(scene);
    const seconds = Math.round((performance.now() - begunAt) / 100) / 10;
    onFault({ kind, detail, at: Math.round((begunAt - openedAt) / 1_000), seconds });
  }
}
