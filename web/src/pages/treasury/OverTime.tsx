// What the market has held as collateral over time, deposits of agents and bonds of verifiers, up to this moment.

import type { Market } from '@svc/sdk/domain';
import type { TreasuryHistory } from '@svc/sdk/schemas';
import { useMemo } from 'react';
import { Answer } from '../../components/Answer.tsx';
import { Plot } from '../../components/Plot.tsx';
import { useNow } from '../../data/clock.ts';
import { toTok } from '../../data/format.ts';
import { useBoard } from '../../data/gateway.ts';

export function OverTime({ market }: { readonly market: Market }) {
  const history = useBoard('treasuryHistory', market);
  const hour = Math.floor(useNow() / 3_600);
  return (
    <Answer of={history} what="the collateral over time">
      {({ points }) =>
        points.length === 0 ? (
          <p className="notice">No collateral was ever put down on this market.</p>
        ) : (
          <Plots points={points} now={(hour + 1) * 3_600} />
        )
      }
    </Answer>
  );
}

function Plots({ points, now }: { readonly points: TreasuryHistory['points']; readonly now: number }) {
  const plots = useMemo(() => {
    const last = points.at(-1);
    // What was held last is held until now.
    const known = last === undefined ? [] : [...points, { ...last, time: Math.max(now, last.time) }];
    const deposits = known.map(({ depositsUsd }) => depositsUsd);
    const bonds = known.map(({ bondsTokWei }) => toTok(bondsTokWei));
    const at = known.map(({ time }) => time);
    return {
      deposits: buildLine(at, deposits, `$${whole(deposits.at(-1))}`, '--act'),
      bonds: buildLine(at, bonds, `${whole(bonds.at(-1))} TOK`, '--done'),
    };
  }, [points, now]);
  return (
    <div className="multiples">
      <Plot title="Deposits of all agents" unit="USD over time" kind="lines" {...plots.deposits} />
      <Plot title="Bonds of all verifiers" unit="TOK over time" kind="lines" {...plots.bonds} />
    </div>
  );
}

function buildLine(at: readonly number[], values: readonly number[], name: string, colour: string) {
  return { at, lines: [{ name, values, colour }], told: `${name} now` };
}

function whole(value = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}
