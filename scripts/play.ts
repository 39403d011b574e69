// `npm run play`: plays three tasks from posting to payment on a running chain and tells each step.
//
// --rpc <url>        default http://127.0.0.1:8545, where `npm start` listens
// --market <name>    standard (default) or micro
import { parseArgs } from 'node:util';
import { formatTok } from '#sdk/domain/amount.ts';
import { parseMarket } from '#sdk/domain/market.ts';
import { findDifferences, roles, takeSnapshot } from './play/balances.ts';
import { type Cast, createCast } from './play/cast.ts';
import {
  enter,
  playNegotiated,
  playToCompletion,
  playToRuling,
  type Story,
  type Tell,
} from './play/stories.ts';

const stories: Readonly<Record<string, Story>> = {
  'Post, fund, claim, start, deliver, accept, complete': playToCompletion,
  'Up to delivery, then a dispute and a ruling': playToRuling,
  'A private task, created with both signatures': playNegotiated,
};

const { values } = parseArgs({
  options: {
    rpc: { type: 'string', default: 'http://127.0.0.1:8545' },
    market: { type: 'string', default: 'standard' },
  },
});

const cast = await createCast(values.rpc, parseMarket(values.market)).catch((error: Error) => {
  console.error(
    `No embedded chain answers at ${values.rpc}; "npm start" starts one. (${error.message.split('\n')[0]})`,
  );
  process.exit(1);
});
const tell = narrate(cast);
await enter(cast, tell);
for (const [title, story] of Object.entries(stories)) {
  console.log(`\n${title}`);
  const before = await takeSnapshot(cast);
  const expected = await story(cast, tell);
  const differences = findDifferences(before, await takeSnapshot(cast), expected);
  for (const role of roles) console.log(`  ${role.padEnd(10)} ${formatTok(expected[role]).padStart(8)} TOK`);
  console.log(differences.length === 0 ? '  All balances add up to the wei.' : differences.join('\n'));
  if (differences.length > 0) process.exitCode = 1;
}

/** One line a step: who, what, and what everybody has after it. */
function narrate(players: Cast): Tell {
  return async ({ name }, what) => {
    const now = await takeSnapshot(players);
    const owned = roles.map((role) => `${role} ${formatTok(now[role].tokWei)}`).join(', ');
    console.log(`  ${name} ${what}\n      TOK: ${owned}`);
  };
}
