// The key that signs the gateway's receipts: made at the first start and kept in the data folder, for its owner's eyes.
import { join } from 'node:path';
import type { Hash } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { generatePrivateKey } from 'viem/accounts';
import { createFile, ownerOnly, readFile } from './durableFile.ts';

export function loadGatewayKey(dataDir: string): Hash {
  const file = join(dataDir, 'gateway.key');
  // Of two that start at once, one makes it and both read it.
  if (readFile(file) === undefined) createFile(file, `${generatePrivateKey()}\n`, ownerOnly);
  const key = readFile(file)?.trim() ?? '';
  if (!/^0x[0-9a-f]{64}$/.test(key))
    throw new SvcError('FILE_UNUSABLE', { file, reason: 'it holds no key; remove it to get a new one' });
  return key as Hash;
}
