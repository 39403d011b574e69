// placeholder
import type { Market } from '#domain/market.ts';
export function PostPage({ market }: { readonly market: Market }) {
  return <h1>Post a task on {market}</h1>;
}
