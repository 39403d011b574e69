// Files by their names, in place of hashes and keys that a model would have to copy.
import { SvcError } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import type { Artifact } from '@svc/sdk/schemas';
import { readJsonText } from './publishedSchema.ts';
import { addressArgument, type ToolContext } from './tool.ts';

/** The only file with this name, or with this hash. Two files may have one name, so that alone never decides between them. */
export function pickNamed(files: readonly Artifact[], given: string, unknown: string): Artifact {
  const isMeant = ({ name, sha256, sealed }: Artifact) => [name, sha256, sealed?.sha256].includes(given);
  const [found, ...others] = new Map(files.filter(isMeant).map((one) => [one.sha256, one])).values();
  if (found === undefined) throw refuse(unknown);
  if (others.length > 0) throw refuse('Several files have this name: give sha256 of one.');
  return found;
}

function refuse(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}

type Place = { readonly from?: unknown; readonly taskId?: unknown };

/**
 * Files in place of their names: those that the wallet itself has uploaded for the task, or for none where there is no task yet.
 * What others call a file has no say in it. Artifacts as such stay as they are.
 */
export async function findUploaded(
  given: readonly unknown[],
  { from, taskId }: Place,
  { papers, readOwnAddress }: Pick<ToolContext, 'papers' | 'readOwnAddress'>,
): Promise<readonly unknown[]> {
  const named = given.map((one) => (String(one).startsWith('{') ? readJsonText(one) : one));
  if (!named.some((one) => typeof one === 'string')) return named;
  const wallet = addressArgument.safeParse(from ?? (await readOwnAddress())).data;
  const task = typeof taskId === 'string' ? taskId : undefined;
  const files = wallet === undefined ? [] : papers.loadFiles({ wallet, taskId: task });
  const where = task === undefined ? 'without taskId' : `for ${task}`;
  const refusal = (name: string) =>
    `This wallet has uploaded no ${toShown(name)} ${where}: svc_attach_file does it.`;
  return named.map((one) => (typeof one === 'string' ? pickNamed(files, one, refusal(one)) : one));
}

/** The arguments of an action, with its files in place of their names. */
export async function takeFiles(
  args: Record<string, unknown>,
  context: Parameters<typeof findUploaded>[2],
): Promise<Record<string, unknown>> {
  const { artifacts } = args;
  if (!Array.isArray(artifacts)) return args;
  return { ...args, artifacts: await findUploaded(artifacts, args, context) };
}
