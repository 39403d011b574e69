// Task ids: `v2:<market>:<N>`, where N is the task's number on the market's registry.
import { SvcError } from './errors.ts';
import { isMarket, type Market } from './market.ts';

export type TaskId = `v2:${Market}:${bigint}`;
export type TaskKey = { readonly market: Market; readonly number: bigint };

/** The only valid form of an id. Twenty digits are more than any registry will count to. */
const shape = /^v2:(standard|micro):([1-9][0-9]{0,19})$/;

/** `v2:micro:7` -> its market and number. Throws TASK_ID_MALFORMED. */
export function parseTaskId(value: unknown): TaskKey {
  const [, market, number] = (typeof value === 'string' && shape.exec(value)) || [];
  if (!isMarket(market) || number === undefined) throw new SvcError('TASK_ID_MALFORMED', {});
  return { market, number: BigInt(number) };
}

/** A market and a number -> `v2:micro:7`. */
export function formatTaskId({ market, number }: TaskKey): TaskId {
  const id = `v2:${market}:${number}` as const;
  if (!shape.test(id)) throw new RangeError(`${id} is no task id`);
  return id;
}

/** As people say it: `task 12, standard market`. Other ids stay as they are. */
export function numberTask(id: string): string {
  const [, market, number] = shape.exec(id) ?? [];
  return number === undefined ? id : `task ${number}, ${market} market`;
}
