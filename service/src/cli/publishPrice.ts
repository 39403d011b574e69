// `svc publish-price`: publishes the TOK price from a source, once or until it is stopped.

import { setTimeout as pause } from 'node:timers/promises';
import { postedPriceFeedAbi } from '@svc/contracts/abi';
import { type Deployment, findRevert, type Rpc } from '@svc/sdk/chain';
import { oracleParameters } from '@svc/sdk/domain';
import { contractCall } from '@svc/sdk/internal/chain/contracts';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { formatPriceE8, parsePriceE8 } from '@svc/sdk/internal/domain/amount';
import { createKeySender } from '@svc/sdk/internal/send/keySender';
import { encodeFunctionData } from 'viem';
import { openDeployment } from '../app/connect.ts';
import { serveMetrics } from '../app/metricsServer.ts';
import { watchSignals } from '../app/serve.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createMetrics } from '../http/metrics.ts';
import { decidePrice, type PriceLimits, type PriceQuote } from '../keeper/priceRules.ts';
import { createPriceSource } from '../keeper/priceSource.ts';
import {
  defineRun,
  flag,
  parsePort,
  parseWhole,
  text,
  type Usage,
  usageError,
  type Values,
} from './options.ts';

export const usage = {
  command: 'publish-price',
  synopsis: ['--source <source> --min <USD> --max <USD> [options]'],
  about:
    'Publishes the price of TOK with the key in PRIVATE_KEY, which must be a publisher of the price feed. A price that is old, outside of the band or too far from the published one is refused. Nothing is sent while the published price is right and not old.',
  options: {
    source: text('<source>', 'fixed:<USD>, file:<path>, pool:<address>, or a http:// or https:// address'),
    min: text('<USD>', 'never publish less', parsePriceE8),
    max: text('<USD>', 'never publish more', parsePriceE8),
    'max-change': text('<%>', 'refuse a larger change of the published price', parseWhole(20), 10),
    'max-age': text('<s>', 'refuse a price that the source says is older', parseWhole(86_400), 600),
    watch: flag('look again every minute, until it is stopped'),
    'dry-run': flag('say what would be published, and send nothing; needs no key'),
    'metrics-port': text('<n>', 'with --watch: serve metrics at http://SVC_HOST:<n>/metrics', parsePort),
  },
  json: 'print one line of JSON for each look at the source',
  notes: [
    'The market is the one in the file that SVC_DEPLOYMENT names, otherwise that of the embedded chain.',
    'Exits with 1 if the price was refused or could not be read or sent. With --watch it continues, and says so.',
  ],
  examples: [
    'PRIVATE_KEY=0x… svc publish-price --source fixed:0.005 --min 0.004 --max 0.006',
    'svc publish-price --source https://prices.example/tok.json --min 0.001 --max 0.1 --watch',
  ],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

const lookMs = 60_000;
/** The oracle ignores a price after a day. */
const refreshSeconds = oracleParameters.maxAgeSeconds / 4;
const minChangeBps = 100;

export const run = defineRun(usage, async ({ values: given }, config) => {
  const { source = '', min, max } = given;
  if (min === undefined || max === undefined || min <= 0n || min > max)
    throw usageError('svc publish-price needs --min and --max, a band of prices.');
  if (config.privateKey === undefined && !given['dry-run']) throw new OperatorError('KEY_MISSING', {});
  const { deployment, rpc } = await openDeployment(config);
  try {
    const limits = {
      refreshSeconds,
      minChangeBps,
      minIntervalSeconds: deployment.oracle.minIntervalSeconds,
      minPriceE8: min,
      maxPriceE8: max,
      maxChangeBps: given['max-change'] * 100,
      maxAgeSeconds: given['max-age'],
    };
    const publish = given['dry-run'] ? null : createPublish(config, rpc, deployment);
    const publisher = createPublisher(rpc, deployment, source, limits, publish);
    if (given.watch) return await watch(publisher, config, given);
    const look = await publisher.look();
    report(look, given);
    return look.event === 'refused' || look.event === 'failed' ? 1 : 0;
  } finally {
    rpc.close();
  }
});

type Look =
  | { readonly event: 'published'; readonly priceUsd: string; readonly transaction: string }
  | { readonly event: 'wouldPublish'; readonly priceUsd: string }
  | { readonly event: 'fresh' | 'refused' | 'failed'; readonly reason: string };

/** `publish` returns the transaction; null sends nothing. */
function createPublisher(
  rpc: Rpc,
  deployment: Deployment,
  source: string,
  limits: PriceLimits,
  publish: ((priceE8: bigint) => Promise<string>) | null,
) {
  const now = async () => (await rpc.ask(latestBlock())).time;
  const readPrice = createPriceSource(source, { ...deployment, rpc, now });
  let publishedAt: number | null = null;
  async function look(): Promise<Look> {
    const quote = await readPrice();
    const last = await readPublished(rpc, deployment);
    publishedAt = last?.at ?? null;
    const time = await now();
    const decision = decidePrice(quote, last, time, limits);
    if (decision.kind !== 'publish') return { event: decision.kind, reason: decision.reason };
    const priceUsd = formatPriceE8(decision.priceE8);
    if (publish === null) return { event: 'wouldPublish', priceUsd };
    const transaction = await publish(decision.priceE8);
    publishedAt = time;
    return { event: 'published', priceUsd, transaction };
  }
  return {
    /** Of the price on chain; null before the first. */
    publishedAt: () => publishedAt,
    look: () =>
      look().catch((error: Error): Look => {
        // Two publishers at once: the feed took the price of the other one.
        if (findRevert(error)?.name === 'TooSoon')
          return { event: 'fresh', reason: 'another publisher was faster' };
        return { event: 'failed', reason: findRevert(error)?.sentence ?? error.message };
      }),
  };
}

async function readPublished(rpc: Rpc, { priceFeed }: Deployment): Promise<PriceQuote | null> {
  const feed = { address: priceFeed, abi: postedPriceFeedAbi };
  const [round, priceE8, , at] = await rpc.ask(contractCall(feed, 'latestRoundData', []));
  return round === 0n ? null : { priceE8, at: Number(at) };
}

function createPublish(config: Config, rpc: Rpc, { chainId, priceFeed }: Deployment) {
  const privateKey = config.privateKey?.reveal() as string;
  const sender = createKeySender(rpc, privateKey, chainId);
  return async (priceE8: bigint): Promise<string> => {
    const data = encodeFunctionData({ abi: postedPriceFeedAbi, functionName: 'publish', args: [priceE8] });
    const { transactionHash } = await sender.send({ to: priceFeed, data }, { isSignedOnce: true });
    return transactionHash;
  };
}

async function watch(
  publisher: ReturnType<typeof createPublisher>,
  config: Config,
  given: Given,
): Promise<number> {
  const stop = watchSignals();
  const metrics = createMetrics();
  metrics.gauge('price_published_at', publisher.publishedAt);
  metrics.counter('price', { event: 'published' });
  const closeMetrics = await serveMetrics(metrics, 'price publisher', config.host, given['metrics-port']);
  while (!stop.aborted) {
    const look = await publisher.look();
    metrics.count('price', { event: look.event });
    report(look, given);
    await pause(lookMs, undefined, { signal: stop }).catch(() => undefined);
  }
  closeMetrics();
  return 0;
}

function report(look: Look, { json }: Given): void {
  if (json) console.log(JSON.stringify(look));
  else if (look.event === 'published') console.log(`Published ${look.priceUsd} USD: ${look.transaction}`);
  else if (look.event === 'wouldPublish') console.log(`Would publish ${look.priceUsd} USD.`);
  else if (look.event === 'fresh') console.log(`Nothing to publish: ${look.reason}.`);
  else console.error(`Not published: ${look.reason.replace(/\.$/, '')}.`);
}
