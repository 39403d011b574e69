// The file that SVC_DEPLOYMENT names.
import { type Deployment, parseDeployment } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';
import { readFile } from './durableFile.ts';

/** Throws FILE_UNUSABLE, or DEPLOYMENT_MALFORMED that names the first field which is missing or wrong. */
export function loadDeployment(file: string): Deployment {
  const text = readFile(file);
  if (text === undefined) throw new SvcError('FILE_UNUSABLE', { file, reason: 'there is no such file' });
  return parseDeployment(text);
}
