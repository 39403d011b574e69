// `npm run posting -- <what>`: what curl cannot do on a running `npm start`: post tasks, pay for a plan, bring the next day.
//
// post [n]        posts n tasks (3) as newcomer
// buy tok|usdc    buys the plan basic by sending the calls of a quote, and prints the transaction
// next-day        moves the chain's clock, and the site's with it, past the next 00:00 UTC
//
// --site <url>    default http://127.0.0.1:8080
// --rpc <url>     default http://127.0.0.1:8545
// --market <name> standard (default) or micro
import { parseArgs } from 'node:util';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { parseMarket } from '#sdk/domain/market.ts';
import { createCast } from './play/cast.ts';
import { buyPlan, moveToNextDay, postTasks } from './posting/steps.ts';

const { values, positionals } = parseArgs({
  options: {
    site: { type: 'string', default: 'http://127.0.0.1:8080' },
    rpc: { type: 'string', default: 'http://127.0.0.1:8545' },
    market: { type: 'string', default: 'standard' },
  },
  allowPositionals: true,
});

const [what, how] = positionals;
const cast = await createCast(values.rpc, parseMarket(values.market)).catch((error: Error) =>
  fail(
    `No embedded chain answers at ${values.rpc}; "npm start" starts one. (${error.message.split('\n')[0]})`,
  ),
);
const client = createMarketClient({ baseUrl: values.site });

if (what === 'post') await postTasks(cast, client, Number(how ?? 3));
else if (what === 'buy' && (how === 'tok' || how === 'usdc')) console.log(await buyPlan(cast, client, how));
else if (what === 'next-day') await moveToNextDay(cast, client);
else fail('Usage: npm run posting -- post [n] | buy tok | buy usdc | next-day');

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}
