// `svc files`: uploads and downloads files of the work, and what an operator does to them.

import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMarketClient } from '@svc/sdk';
import { createFileClient, openSealedFile, openSession } from '@svc/sdk/client';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { sealBytes } from '@svc/sdk/internal/client/sealFile';
import { connect } from '../app/connect.ts';
import { openFileOperator } from '../app/fileOperator.ts';
import { buildAttachment, readOutgoingFile } from '../app/outgoingFile.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { readAccount } from './negotiation.ts';
import { defineVerbs, flag, parseWhole, text, type Usage, usageError, type Values } from './options.ts';

export const usage = {
  command: 'files',
  synopsis: [
    'put <path> [--for <id>] [--seal]',
    'get <sha256> [--out <path>] [--key <key> --plain <sha256>]',
    'list [--after <sha256>] [--limit <n>]',
    'remove <hash> --reason <text> [--erase]',
    'restore <hash>',
  ],
  about:
    'put and get exchange files of the work with the gateway at SVC_GATEWAY_URL; a download is kept only if its bytes have the hash. list, remove and restore are for the operator: they work on the rows in SVC_DATA_DIR or DATABASE_URL, beside the servers.',
  words: 2,
  wordList: {
    put: 'upload a file with a session of the key in PRIVATE_KEY; prints the artifact for a document',
    get: 'download a file by its hash, and check it',
    list: 'files with their size, the wallets that use them, and whether they are withheld; and withheld documents',
    remove:
      'withhold a file by its SHA-256 (451 instead of its bytes), a document on the chain, a profile or a listing by its hash, 0x and 64 digits (its words are left out), or everything that a wallet publishes here by its address',
    restore: 'serve it again',
  },
  options: {
    for: text(
      '<id>',
      'put: the task, or the root of a conversation; without it the file is a draft of 24 hours',
    ),
    seal: flag(
      'put: encrypt the file first, as always for a private task; prints the key to send as a message',
    ),
    out: text('<path>', 'get: where to write; default the hash in this folder; - is standard output'),
    key: text('<key>', 'get: opens a sealed file'),
    plain: text('<sha256>', 'get: with --key: the hash of the plain file, from its document'),
    after: text('<sha256>', 'list: go on after this file'),
    limit: text('<n>', 'list: how many; default 50', parseWhole(1_000), 50),
    reason: text('<text>', 'remove: why, for your own records'),
    erase: flag('remove: also delete the bytes, for good'),
  },
  json: 'print the result as one line of JSON',
  examples: [
    'svc files put manual-en.zip --for v2:standard:12',
    'svc files get 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 --out manual-en.zip',
    'svc files remove 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 --reason "court order 7"',
  ],
} as const satisfies Usage;

type Given = Values<(typeof usage)['options']>;

export const run = defineVerbs(usage, async ({ verb, values, need, say }, config) => {
  if (verb === 'put') return void (await put(need('the path of a file'), values, config));
  if (verb === 'get') return void (await get(need('the SHA-256 of a file'), values, config));
  const operator = await openFileOperator(config);
  try {
    if (verb === 'list') {
      const list = await operator.list(values.after ?? '', values.limit);
      return say(list, formatList(list));
    }
    const hash = need('a hash');
    if (verb === 'restore') {
      const restored = await operator.restore(hash);
      return say({ hash, restored }, restored ? 'It is served again.' : 'It was not withheld.');
    }
    const { reason, erase } = values;
    if (reason === undefined) throw usageError('remove needs --reason.');
    await operator.remove({ hash, reason, isErased: erase });
    say({ hash, erased: erase }, `It is withheld${erase ? ', and its bytes are deleted' : ''}.`);
  } finally {
    await operator.close();
  }
});

async function put(path: string, given: Given, config: Config): Promise<void> {
  const account = readAccount(config);
  const file = readOutgoingFile(path);
  const connection = { baseUrl: config.gatewayUrl };
  const taskId = given.for?.startsWith('0x') ? undefined : given.for;
  // A flag that is not given leaves it to the task.
  const use = { taskId, seal: given.seal || (taskId === undefined ? false : undefined) };
  const { content, artifact, keys } = await buildAttachment(file, use, createMarketClient(connection));
  const sealed = artifact.sealed !== undefined;
  const { token } = await openSession(connection, account, await readSessionOptions(config));
  const { upload } = createFileClient({ ...connection, token });
  const { uri } = await upload(content, { ...(given.for !== undefined && { for: given.for }), sealed });
  const result = { artifact: { ...artifact, uri }, ...(sealed && { keys }) };
  if (given.json) console.log(JSON.stringify(result));
  else {
    console.error(`${path} is at ${uri}`);
    if (sealed)
      console.error('Send the key to the other party in a message; anyone who has it can open the file.');
    console.log(JSON.stringify(result, null, 2));
  }
}

/** By the clock of the chain, which may be ahead of this machine's. */
export async function readSessionOptions(config: Config) {
  const { rpc, chainId, close } = await connect(config);
  try {
    const { time } = await rpc.ask(latestBlock());
    return { chainId, validUntil: Math.max(time, Math.floor(Date.now() / 1_000)) + 3_600 };
  } finally {
    close();
  }
}

async function get(sha256: string, given: Given, config: Config): Promise<void> {
  if ((given.key === undefined) !== (given.plain === undefined))
    throw usageError('--key and --plain belong together.');
  const { download } = createFileClient({ baseUrl: config.gatewayUrl });
  const stored = await download(sha256);
  const content =
    given.key === undefined || given.plain === undefined
      ? stored
      : await openSealedFile(stored, given.key, { sha256: given.plain, bytes: stored.length - sealBytes });
  const out = given.out ?? given.plain ?? sha256;
  if (out === '-') await pipeline(Readable.from([content]), process.stdout, { end: false });
  // Never over a file that is there: the sender chose the bytes.
  else
    await writeFile(out, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError('FILE_UNUSABLE', { file: out, reason: error.code ?? error.message }, error);
    });
  const report = { out, bytes: content.length, sha256: given.plain ?? sha256, verified: true };
  if (out !== '-')
    console.log(given.json ? JSON.stringify(report) : `${out}: ${content.length} bytes, verified`);
}

type FileList = Awaited<ReturnType<Awaited<ReturnType<typeof openFileOperator>>['list']>>;

function formatList({ files, documents, next }: FileList): string {
  const rows = files.map(({ sha256, bytes, state, wallets, withheld: reason }) =>
    [
      sha256,
      String(bytes).padStart(9),
      reason === null ? state : `withheld: ${reason}`,
      wallets.join(' '),
    ].join('  '),
  );
  return [
    ...(rows.length === 0 ? ['There are no files.'] : rows),
    ...documents.map(({ hash, withheld: reason }) => `${hash}  document withheld: ${reason}`),
    ...(next === null ? [] : [`More: svc files list --after ${next}`]),
  ].join('\n');
}
