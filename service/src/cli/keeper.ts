// `svc keeper`: calls the exits of tasks whose time is over.

import { balanceOf, createHttpSender } from '@svc/sdk/chain';
import { SvcError, zeroAddress } from '@svc/sdk/domain';
import { formatEther } from 'viem';
import { type Connection, connect } from '#app/connect.ts';
import { createKeeperCounts, serveMetrics } from '#app/keeperMetrics.ts';
import { describeEvent, describeSurvey, formatSurvey, toFields } from '#app/keeperReport.ts';
import { watchSignals } from '#app/signals.ts';
import { type Config, readConfig } from '#config.ts';
import { createMetrics } from '#http/metrics.ts';
import { createKeeper, type KeeperEvent } from '#keeper/keeper.ts';
import { readSurvey } from '#keeper/survey.ts';
import { type KeeperArguments, keeperUsage, parseKeeperArguments } from './keeperOptions.ts';

export const usage = keeperUsage;

export async function run(args: readonly string[]): Promise<number> {
  const given = parseKeeperArguments(args);
  const config = readConfig();
  if (config.keeperKey === undefined && !given.isDryRun) throw new SvcError('KEEPER_KEY_MISSING', {});
  const connection = await connect(config);
  try {
    return given.isDryRun ? await survey(connection, given) : await keep(connection, config, given);
  } finally {
    connection.close();
  }
}

async function survey({ rpc, contracts }: Connection, { asJson }: KeeperArguments): Promise<number> {
  const found = await readSurvey({ rpc, contracts, from: zeroAddress });
  console.log(asJson ? formatSurvey(found) : describeSurvey(found));
  return 0;
}

async function keep(connection: Connection, config: Config, given: KeeperArguments): Promise<number> {
  const { rpc, rpcUrls, chainId, contracts } = connection;
  const privateKey = config.keeperKey?.reveal() as string;
  const sender = createHttpSender({ rpcUrls, chainId, privateKey });
  const stop = watchSignals();
  const metrics = createMetrics();
  const { countEvent, onRound } = createKeeperCounts(metrics);
  let failures = 0;
  const onEvent = (event: KeeperEvent) => {
    countEvent(event);
    if (event.kind === 'failed') failures++;
    console.log(
      given.asJson ? JSON.stringify({ event: event.kind, ...toFields(event) }) : describeEvent(event),
    );
  };
  const keeper = createKeeper({
    rpc,
    sender,
    contracts,
    onEvent,
    onRound,
    maxGasPriceWei: config.keeperMaxGasPriceWei,
    delayMs: given.delaySeconds * 1_000,
  });
  if (given.isOnce) {
    await keeper.round(stop).catch((error: unknown) => {
      if (!stop.aborted || error !== stop.reason) throw error;
    });
    // Who was stopped may not have called all.
    return failures === 0 && !stop.aborted ? 0 : 1;
  }
  const balance = await rpc.ask(balanceOf(sender.address)).catch(() => null);
  if (balance !== null) console.log(introduce(sender.address, balance, given));
  const { metricsPort } = given;
  const served =
    metricsPort === undefined ? null : await serveMetrics(metrics, { host: config.host, port: metricsPort });
  if (served !== null) console.error(`Counters are at http://${config.host}:${served.port}/metrics`);
  await keeper.run(stop);
  served?.close();
  return 0;
}

function introduce(keeper: string, balance: bigint, { asJson }: KeeperArguments): string {
  if (asJson) return JSON.stringify({ event: 'started', keeper, balanceWei: String(balance) });
  const warning = balance === 0n ? ' It cannot pay for gas: send it some Ether.' : '';
  return `The keeper ${keeper} has ${formatEther(balance)} ETH.${warning} Ctrl-C ends it.`;
}
