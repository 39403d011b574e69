// `svc demo`: two agents negotiate, agree, work and are paid; then two of them dispute. Through the tools alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatUsdc } from '@svc/sdk/domain';
import { watchSignals } from '#app/signals.ts';
import { playDisputed } from './demo/disputed.ts';
import { playNegotiated } from './demo/negotiated.ts';
import { createPlayer, type Player } from './demo/player.ts';
import { openStage, type Stage } from './demo/stage.ts';
import { createTold, type Tell, type Told } from './demo/told.ts';
import { parseOptions } from './options.ts';
import { buildPrepareNeeds } from './prepareNeeds.ts';
import type { Usage } from './usage.ts';

export const usage = {
  command: 'demo',
  synopsis: ['[--json]'],
  about:
    'Plays two tasks on the embedded chain with three agents, each with its own key, mailbox and tool server (svc mcp): a proposal, a counter-offer and an agreement that is worked on and paid; and an open task that ends in a dispute. Plays on the market of a running npm start, where you can watch it, or starts one of its own.',
  options: {},
  json: 'tell the story on standard error, and print {"siteUrl", "steps", "seconds"} at its end',
  examples: ['svc demo'],
} as const satisfies Usage;

const market = 'micro';

export async function run(args: readonly string[]): Promise<number> {
  const { json } = parseOptions(usage, args).values;
  const tell = json ? console.error : console.log;
  const startedAt = performance.now();
  const stop = watchSignals();
  const stage = await openStage(stop);
  const mailFolder = mkdtempSync(join(tmpdir(), 'svc-demo-mail-'));
  const players: Player[] = [];
  try {
    for (const part of ['newcomer', 'visitor', 'assessor'] as const)
      players.push(await createPlayer(stage, part, mailFolder));
    const steps = await play(stage, players as [Player, Player, Player], tell);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    tell(`\nDone: ${steps} steps, two tasks, ${seconds} s.`);
    if (json) console.log(JSON.stringify({ siteUrl: stage.config.siteUrl, steps, seconds }));
  } finally {
    for (const player of players) await player.close();
    rmSync(mailFolder, { recursive: true, force: true });
    await stage.close();
  }
  return 0;
}

async function play(stage: Stage, players: [Player, Player, Player], tell: Tell): Promise<number> {
  const [poster, worker, arbitrator] = players;
  const told = createTold(players, buildPrepareNeeds(stage.connection).reads, market, tell);
  tell(`Market at ${stage.config.siteUrl}${stage.isOwn ? ', started for this demo' : ''}\n`);
  for (const [part, { name, address }] of Object.entries({ poster, worker, arbitrator }))
    tell(`     ${name.padEnd(8)}  ${part.padEnd(10)}  ${address}`);
  tell('\nUnder a step: the task, its state, its escrow, and what each has in its wallet, in TOK.');
  told.chapter('Getting ready');
  await getReady(poster, told);
  await getReady(worker, told);
  told.chapter('A task that two agents negotiate');
  await playNegotiated(poster, worker, told);
  told.chapter('A task that ends in a dispute');
  await playDisputed(poster, worker, arbitrator, told);
  return told.steps();
}

/** As the checklist says: its first failing check that money in the wallet can mend is the collateral. */
async function getReady(player: Player, told: Told): Promise<void> {
  const { ready } = await player.call('svc_onboarding_checklist', { address: player.address, market });
  if (!ready) await player.act('top-up', { market, amountUsdc: formatUsdc(45_000_000n) });
  const { checks } = await player.call('svc_onboarding_checklist', { address: player.address, market });
  const missing = checks.filter(({ ok, required }: { ok: boolean; required: boolean }) => required && !ok);
  told.say(
    player,
    ready
      ? 'asks for the checklist: ready already'
      : `deposits 45 USDC and asks for the checklist: ${missing.length === 0 ? 'ready' : `${missing.length} required checks fail`}`,
  );
}
