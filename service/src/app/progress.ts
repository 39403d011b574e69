// Shows how far something is: a bar that redraws itself on a terminal, one plain line per part elsewhere.

export type ProgressOutput = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

export type Progress = {
  readonly show: (part: string, done: number, total: number) => void;
  /** Takes the bar off the screen. */
  readonly end: () => void;
};

const barWidth = 30;
export const eraseLine = '\r\u001b[2K';

export function createProgress(output: ProgressOutput): Progress {
  let current: string | undefined;
  return {
    show: (part, done, total) => {
      const isNew = part !== current;
      current = part;
      if (output.isTTY) output.write(`${eraseLine}${drawBar(done / total)} ${part}`);
      else if (isNew) output.write(`${part}\n`);
    },
    end: () => {
      if (output.isTTY && current !== undefined) output.write(eraseLine);
      current = undefined;
    },
  };
}

function drawBar(share: number): string {
  const filled = Math.round(share * barWidth);
  return `[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
}
