// placeholder
import type { Task } from '../data/market.ts';
export function TaskActions(_: { readonly task: Task; readonly now: number }) {
  return null;
}
