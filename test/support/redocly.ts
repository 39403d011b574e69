// What a public validator of OpenAPI says of a contract.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const redocly = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

export async function lintContract(yaml: string): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  try {
    writeFileSync(join(folder, 'openapi.yaml'), yaml);
    const args = [redocly, 'lint', '--format=json', 'openapi.yaml'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    return (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: object }).totals;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const spotless = { errors: 0, warnings: 0, ignored: 0 };
