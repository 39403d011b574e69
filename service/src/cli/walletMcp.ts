// `svc wallet-mcp`: a wallet tool server for development, over an account of the embedded chain or PRIVATE_KEY.

import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { connect } from '../app/connect.ts';
import { readVersion } from '../app/packageFiles.ts';
import { openRequestFile } from '../app/walletRequests.ts';
import type { Config } from '../config.ts';
import { accounts } from '../devnet/accounts.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createKeyWallet } from '../wallet/keyWallet.ts';
import { createDevelopmentWallet, createWalletServer } from '../wallet/walletServer.ts';
import { defineRun, type Usage, usageError } from './options.ts';
import { serveJson, serveOptions, serveTools } from './serveTools.ts';

export const usage = {
  command: 'wallet-mcp',
  synopsis: ['[account] [--http] [--port <n>]'],
  about:
    'A wallet tool server for development, with the tools of hosted ones: get_wallets, send_calls, sign, get_request_status. It approves every request at once, and works only on the embedded chain.',
  words: 1,
  wordList: {
    account: 'name of an account that svc start lists, such as newcomer; default PRIVATE_KEY',
  },
  options: serveOptions,
  json: serveJson,
  examples: [
    'svc wallet-mcp newcomer',
    'svc prepare post-task … --wallet mcp --wallet-server "svc wallet-mcp newcomer"',
  ],
} as const satisfies Usage;

export const run = defineRun(usage, async ({ values: given, words }, config) => {
  const privateKey = findKey(words[0], config);
  const { rpc, chainId, genesisHash: chain, isEmbedded } = await connect(config);
  if (!(await isEmbedded())) throw new OperatorError('WALLET_FOR_DEVELOPMENT', {});
  const keyWallet = createKeyWallet({ privateKey, rpc, chainId, chain, requests: openRequestFile(config) });
  const wallet = createDevelopmentWallet(keyWallet, privateKeyToAddress(privateKey));
  const version = readVersion();
  const place = { host: '127.0.0.1', port: given.port ?? 0 };
  await serveTools(() => createWalletServer(wallet, chainId, version), { ...given, ...place });
});

function findKey(name: string | undefined, { privateKey }: Config): Hex {
  if (name === undefined) {
    if (privateKey === undefined) throw new OperatorError('KEY_MISSING', {});
    return privateKey.reveal() as Hex;
  }
  const account = accounts.find((one) => one.name === name);
  const names = accounts.map((one) => one.name).join(', ');
  if (account === undefined) throw usageError(`There is no account "${name}"; there are ${names}.`);
  return account.privateKey;
}
