// Routes of files at the gateway: bytes by their SHA-256 (docs/files.md).
import * as z from 'zod';
import { sha256Schema } from './documents.ts';
import { hashSchema, taskIdSchema } from './primitives.ts';
import { defineRoutes, jsonReply, plainBody } from './route.ts';

const exampleHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const fileParamsSchema = z.object({
  sha256: sha256Schema.describe('SHA-256 of the bytes: 64 hexadecimal digits in lower case.'),
});

export const uploadQuerySchema = z.object({
  for: z
    .union([taskIdSchema, hashSchema])
    .optional()
    .meta({
      description:
        'What the file is for: a task of which the wallet is poster, worker or judge, or the root of a conversation. Without it the file is a draft: it ends after a day unless a document or message of the wallet names it.',
      examples: ['v2:standard:3'],
    }),
  sealed: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description:
        'true declares the bytes as sealed (encrypted), which every file of a private task must be. Text and known formats are refused then.',
      examples: ['true'],
    }),
});

/** Reply of `PUT /v1/files/:sha256`. */
export const uploadReplySchema = z.object({
  sha256: sha256Schema,
  bytes: z.int().nonnegative(),
  uri: z.url().describe('Where anyone can download the file.'),
});
export type UploadReply = z.infer<typeof uploadReplySchema>;

const path = '/v1/files/:sha256';
const samplePath = `/v1/files/${exampleHash}`;

export const fileRoutes = defineRoutes('Files', {
  getFile: {
    path,
    operationId: 'getFile',
    summary: 'Download a file',
    description:
      'The bytes as a download, never as a page: unknown senders upload files. Hash what you receive and compare. Ranges work.',
    params: fileParamsSchema,
    reply: plainBody('The bytes.', 'application/octet-stream', 'test'),
    errors: ['FILE_HASH_MALFORMED', 'FILE_NOT_FOUND', 'FILE_RANGE_INVALID', 'WITHHELD', 'FILES_UNREACHABLE'],
    samples: [{ label: 'Download', path: samplePath }],
  },
  putFile: {
    path,
    method: 'put',
    needsSession: true,
    operationId: 'putFile',
    summary: 'Upload a file',
    description:
      'Keeps the bytes if they have the hash of the path: 201, or 200 where they were known. At most 25 MB a file, 100 MB for each wallet and task, 500 MB for each wallet. Content-Length is required, Content-Encoding is refused.',
    params: fileParamsSchema,
    query: uploadQuerySchema,
    body: plainBody('The bytes.', 'application/octet-stream', 'test'),
    reply: jsonReply('The file is kept.', uploadReplySchema),
    isCreated: true,
    errors: [
      'FILE_HASH_MALFORMED',
      'FILE_SUBJECT_MALFORMED',
      'FILE_LENGTH_REQUIRED',
      'FILE_ENCODING_REFUSED',
      'FILE_TOO_LARGE',
      'FILE_QUOTA_REACHED',
      'NO_STANDING',
      'NOT_A_PARTY',
      'TASK_UNKNOWN',
      'HASH_MISMATCH',
      'FILE_NOT_SEALED',
      'UPLOAD_CUT',
      'REQUEST_TOO_SLOW',
      'WITHHELD',
      'STORE_FULL',
      'FILES_BUSY',
      'FILES_UNREACHABLE',
      'NOT_READY',
    ],
    samples: [{ label: 'A file for a task', path: `${samplePath}?for=v2:standard:3`, file: 'report.pdf' }],
  },
});
