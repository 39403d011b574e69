// `svc keeper`: calls the exits of tasks whose time is over.

import { zeroAddress } from '@svc/sdk/domain';
import { balanceOf } from '@svc/sdk/internal/chain/rpcRequests';
import { formatEther } from 'viem';
import { type Connection, connect } from '../app/connect.ts';
import { createMarketKeeper } from '../app/createKeeper.ts';
import { describeEvent, describeSurvey, formatSurvey, toFields } from '../app/keeperReport.ts';
import { nameSource } from '../app/log.ts';
import { serveMetrics } from '../app/metricsServer.ts';
import { observeRpc } from '../app/observe.ts';
import { untilStarted, watchSignals } from '../app/serve.ts';
import type { Config } from '../config.ts';
import { notCompared } from '../deploy/edition.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import type { KeeperEvent } from '../keeper/keeper.ts';
import { readSurvey } from '../keeper/trial.ts';
import { defineRun, flag, parsePort, parseWhole, text, type Usage, type Values } from './options.ts';

const defaultDelaySeconds = 15;

export const usage = {
  command: 'keeper',
  synopsis: ['[options]'],
  about:
    'Watches both markets and calls each exit that the contracts open to anyone when a deadline has passed, cheapest first. SVC_KEEPER_KEY pays the gas; the key needs some Ether and no permission. Several keepers may run. Nothing is sent while gas costs more than SVC_KEEPER_MAX_GWEI. It runs until it is stopped, also while the RPC fails.',
  options: {
    'dry-run': flag('list open exits and their gas, call none, and end; needs no key'),
    once: flag('check once, call open exits, and end; exits with 1 if a call failed or a signal came first'),
    delay: text(
      '<s>',
      'wait a random time up to this many seconds before a call, so that several keepers do not send the same; default 15, with --once 0',
      parseWhole(3_600),
    ),
    'metrics-port': text(
      '<n>',
      'serve Prometheus metrics at http://SVC_HOST:<n>/metrics; 0 takes any port',
      parsePort,
    ),
  },
  json: 'print one line of JSON for each event; with --dry-run one line in total',
  notes: [
    'The market is the one in the file that SVC_DEPLOYMENT names, otherwise the one that the site at SVC_SITE_URL serves.',
  ],
  examples: ['svc keeper --dry-run', 'SVC_KEEPER_KEY=0x… svc keeper --once --json'],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

export const run = defineRun(usage, async ({ values: given }, config) => {
  if (config.keeperKey === undefined && !given['dry-run']) throw new OperatorError('KEEPER_KEY_MISSING', {});
  const metrics = createMetrics();
  const connection = await connect(config, observeRpc(metrics));
  try {
    if (!given['dry-run']) return await keep(connection, config, given, metrics);
    const found = await readSurvey({ ...connection, from: zeroAddress });
    console.log(given.json ? formatSurvey(found) : describeSurvey(found));
    return 0;
  } finally {
    connection.close();
  }
});

async function keep(connection: Connection, config: Config, given: Given, metrics: Metrics): Promise<number> {
  const stop = watchSignals();
  const source = nameSource('keeper', given['metrics-port'] ?? 0);
  const say = (event: string, fields: object, words: string) =>
    console.log(given.json ? JSON.stringify({ time: Date.now(), ...source, event, ...fields }) : words);
  if (!connection.isCompared) say('unchecked', { reason: notCompared }, `Note: ${notCompared}.`);
  let failures = 0;
  const onEvent = (event: KeeperEvent) => {
    if (event.kind === 'failed') failures++;
    say(event.kind, toFields(event), describeEvent(event));
  };
  const keeper = createMarketKeeper({
    ...connection,
    privateKey: config.keeperKey?.reveal() as string,
    metrics,
    onEvent,
    maxGasPriceWei: config.keeperMaxGasPriceWei,
    delayMs: given.once ? 0 : (given.delay ?? defaultDelaySeconds) * 1_000,
  });
  if (given.once) {
    await keeper.round(stop).catch((error: unknown) => {
      if (!stop.aborted || error !== stop.reason) throw error;
    });
    // After a signal some exits may not have been called.
    return failures === 0 && !stop.aborted ? 0 : 1;
  }
  const asking = connection.rpc.ask(balanceOf(keeper.address)).catch(() => null);
  const balance = await untilStarted(stop, asking);
  if (balance !== null) {
    const started = { keeper: keeper.address, balanceWei: String(balance) };
    say('started', started, introduce(keeper.address, balance));
  }
  const closeMetrics = await serveMetrics(metrics, 'keeper', config.host, given['metrics-port']);
  await keeper.run(stop);
  closeMetrics();
  return 0;
}

function introduce(keeper: string, balance: bigint): string {
  const warning = balance === 0n ? ' It cannot pay for gas: send it some Ether.' : '';
  return `The keeper ${keeper} has ${formatEther(balance)} ETH.${warning} Press Ctrl-C to stop.`;
}
