// Waits until the site shows what the chain has already.
import { SvcError } from '@svc/sdk/domain';

const patienceMs = 60_000;
const pauseMs = 50;

/** Answers what `look` finds; a tool that fails meanwhile is asked again. */
export async function waitFor<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await look().catch((error: unknown) => {
      if (performance.now() > end) throw error;
      return undefined;
    });
    if (found !== undefined) return found;
    if (performance.now() > end) throw new SvcError('TOOL_FAILED', { tool: what, reason: 'not to be seen' });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
