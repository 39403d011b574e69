// What a tool is: a name, words for the model, schemas of both sides, and a function over what tools need.
import type { z } from 'zod';
import type { ToolNeeds } from './needs.ts';

export type ToolSchema = z.ZodObject;

export type Tool = {
  readonly name: string;
  readonly title: string;
  /** What it answers and when to call it: the only thing a model reads before it chooses. */
  readonly description: string;
  readonly input: ToolSchema;
  readonly output: ToolSchema;
  /** Whether it may leave a wallet request behind. */
  readonly writes: boolean;
  /** `signal` aborts when the call is taken back: what leaves something behind has to look at it. */
  readonly run: (input: never, needs: ToolNeeds, signal: AbortSignal) => Promise<Record<string, unknown>>;
};

type ToolOf<Input extends ToolSchema, Output extends ToolSchema> = Omit<
  Tool,
  'input' | 'output' | 'run' | 'writes'
> & {
  readonly input: Input;
  readonly output: Output;
  readonly writes?: boolean;
  readonly run: (input: z.output<Input>, needs: ToolNeeds, signal: AbortSignal) => Promise<z.input<Output>>;
};

/** Holds `run` to the schemas it stands beside. */
export function defineTool<Input extends ToolSchema, Output extends ToolSchema>({
  writes = false,
  ...tool
}: ToolOf<Input, Output>): Tool {
  return { ...tool, writes };
}
