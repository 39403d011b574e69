// JSON that a command is given: in a file, or on standard input.
import { text } from 'node:stream/consumers';
import { SvcError } from '@svc/sdk/domain';
import { readFile } from '#app/durableFile.ts';

/** "-" is standard input. Throws USAGE where it is no JSON object, FILE_UNUSABLE where there is no file. */
export async function readJsonInput(path: string): Promise<Record<string, unknown>> {
  const source = path === '-' ? await text(process.stdin) : readFile(path);
  if (source === undefined)
    throw new SvcError('FILE_UNUSABLE', { file: path, reason: 'there is no such file' });
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below, together with JSON that is no object.
  }
  const where = path === '-' ? 'Standard input' : path;
  throw new SvcError('USAGE', { reason: `${where} must hold one JSON object.` });
}
