// What a public validator of OpenAPI says of contracts.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const redocly = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

/** The totals of each. */
export async function lintContracts(...yamls: readonly string[]): Promise<object[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  try {
    const files = yamls.map((_, at) => `${at}.yaml`);
    for (const [at, file] of files.entries()) writeFileSync(join(folder, file), yamls[at] as string);
    const args = [redocly, 'lint', '--format=json', ...files];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    return (stdout.match(/\{[\s\S]*?^\}/gm) ?? []).map((report) => JSON.parse(report).totals);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const spotless = { errors: 0, warnings: 0, ignored: 0 };
