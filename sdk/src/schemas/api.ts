// What the contract of one server is built from.
import type { Route, RouteTag } from './route.ts';

export type Api = {
  readonly title: string;
  readonly summary: string;
  /** What holds for all routes, in Markdown. */
  readonly about: string;
  readonly tags: Readonly<Partial<Record<RouteTag, string>>>;
  readonly routes: Readonly<Record<string, Route>>;
};
