// The wallet that a command line names.
import type { Hex } from 'viem';
import type { Config } from '#config.ts';
import { SvcError } from '#domain/errors.ts';
import { createKeyWallet } from '#tools/wallet/keyWallet.ts';
import { createLocalWallet } from '#tools/wallet/localWallet.ts';
import type { Wallet } from '#tools/wallet/wallet.ts';
import type { Connection } from './connect.ts';
import type { PrepareOptions } from './prepareOptions.ts';

/** Null where nobody is to be asked. */
export async function openWallet(
  options: PrepareOptions,
  config: Config,
  connection: Connection,
): Promise<Wallet | null> {
  switch (options.wallet) {
    case 'none':
      return null;
    case 'local':
      return createLocalWallet(config.gatewayUrl);
    case 'key': {
      if (config.privateKey === undefined) throw new SvcError('KEY_MISSING', {});
      if (!options.isConsented && !(await connection.isEmbedded()))
        throw new SvcError('KEY_NEEDS_CONSENT', {});
      return createKeyWallet({
        privateKey: config.privateKey.reveal() as Hex,
        rpcUrls: connection.rpcUrls,
      });
    }
    case 'mcp':
      throw new SvcError('USAGE', { reason: '--wallet mcp needs --wallet-server <url or command>.' });
  }
}
