// What a process has used so far, as the system counts it; NaN where it does not tell (outside Linux).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK']).stdout?.toString() ?? Number.NaN);

/** Seconds of CPU, of all threads, in the program and in the kernel. */
export function readCpuSeconds(pid: number): number {
  const text = readProc(pid, 'stat');
  // The name of the program stands in brackets and may hold spaces itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [inProgram, inKernel] = [Number(fields[11]), Number(fields[12])];
  return (inProgram + inKernel) / ticksPerSecond;
}

export function readResidentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status')) ?? [];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
