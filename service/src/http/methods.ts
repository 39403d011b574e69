// Which methods a path takes, for 405 and OPTIONS.
import type { FastifyInstance } from 'fastify';

export type Methods = {
  /** Empty where no route has this path. */
  readonly of: (url: string) => readonly string[];
};

type KnownPath = { readonly pattern: RegExp; readonly methods: string[] };

/** Must be called before the first route is registered. */
export function createMethods(app: FastifyInstance): Methods {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: buildPattern(url), methods: [] };
    path.methods.push(...[method].flat());
    paths.set(url, path);
  });
  return {
    of: (url) => {
      const [path = ''] = url.split('?', 1);
      const found = paths.values().flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
      // A path may be one of its own and one of a pattern.
      return [...new Set(found)];
    },
  };
}

function buildPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('/')}$`);
}
