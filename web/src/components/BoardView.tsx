// Pages about one market with figures of the gateway, and the boards on them.
import type { Market } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { type Boards, useBoard } from '../data/gateway.ts';
import type { Shape } from '../data/pageList.ts';
import { PageHead, useMarket } from './MarketHeader.tsx';
import { GatewayOnly, QueryView } from './QueryView.tsx';

type BoardPageProps = {
  words: { heading: string; lead: string };
  what: string;
  children: (market: Market) => ReactNode;
};

export function BoardPage({ words, what, children }: BoardPageProps) {
  const market = useMarket();
  return (
    <>
      <PageHead title={words.heading} lead={words.lead} hasMarkets />
      <GatewayOnly what={what} shape="figures">
        <div className="stack" key={market}>
          {children(market)}
        </div>
      </GatewayOnly>
    </>
  );
}

type BoardViewProps<Name extends keyof Boards> = {
  name: Name;
  market: Market;
  what: string;
  /** The entries of the board; without any, `empty` is shown. */
  list: (board: Boards[Name]) => readonly unknown[];
  empty: string;
  shape?: Shape;
  children: (board: Boards[Name]) => ReactNode;
};

export function BoardView<Name extends keyof Boards>(props: BoardViewProps<Name>) {
  const { name, market, what, list, empty, shape = 'figures', children } = props;
  return (
    <QueryView query={useBoard(name, market)} what={what} shape={shape}>
      {(board) => (list(board).length === 0 ? <p className="notice">{empty}</p> : children(board))}
    </QueryView>
  );
}
