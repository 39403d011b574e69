// The report of a run of many agents as one self-contained page, without a script.
import { type Html, html, style } from '#http/reference/document.ts';
import type { SwarmReport } from './swarmReport.ts';

const ownStyle = `
main { max-width: 1080px; margin: 0 auto; border: 0 }
main h2 { margin-top: 40px }
td:last-child, th:last-child { width: auto }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; margin: 24px 0 }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px }
.figures strong { display: block; font-size: 24px; line-height: 32px; font-variant-numeric: tabular-nums }
.figures span { color: var(--soft); font-size: 13px; line-height: 20px }
.right { text-align: right }
.bar { display: block; height: 6px; min-width: 90px; background: var(--line); border-radius: 3px; margin-top: 8px }
.bar i { display: block; height: 6px; background: var(--accent); border-radius: 3px }
.bad { color: #b3261e; font-weight: 600 } .good { color: var(--accent) }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 0 40px }
@media (prefers-color-scheme: dark) { .bad { color: #f2938c } }
`;

export function renderSwarmPage(report: SwarmReport): string {
  const { agents, minutes, audit, breaches, faults, tools, tasks, volume, disputes } = report;
  const isClean = audit.differences === 0 && breaches === 0;
  const verdict = isClean ? 'The books agree' : 'The books do not agree';
  const figures: readonly (readonly [string | number, string])[] = [
    [tasks.total, `tasks, ${tasks.private} of them private`],
    [group(volume.paidTok), 'TOK paid to workers'],
    [disputes.total, 'disputes'],
    [breaches, 'policy breaches'],
    [audit.differences, `differences in the audit of ${audit.tasks} tasks`],
    [faults.length, 'faults'],
    [group(String(tools.calls)), 'tool calls'],
  ];
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A market of ${agents} agents: ${verdict.toLowerCase()}</title><style>${{ html: style + ownStyle }}</style></head>
<body><main>
<h1>${verdict}</h1>
<p class="lead">${agents} agents traded for ${minutes} minutes on the embedded chain, each a process with its own key, data folder and spending policy,
over tools, relay and gateway alone. ${report.startedAt.slice(0, 16).replace('T', ' ')} UTC, ${report.seconds} s with start and end, seed ${report.seed}.</p>
<div class="figures">${figures.map(([figure, what]) => html`<div><strong>${figure}</strong><span>${what}</span></div>`)}</div>
<h2>How it was done</h2>${renderMethod(report)}
<h2>Tasks</h2><div class="two"><div>${renderCounts('state at the end', tasks.states)}</div><div>${renderCounts('outcome', tasks.outcomes)}</div></div>
<h2>Money</h2>${renderVolume(report)}
<h2>Spending against the policies</h2>${renderSpending(report)}
<h2>Audit</h2><p class="${audit.differences === 0 ? 'good' : 'bad'}">${audit.text}</p>
<h2>Faults</h2>${renderFaults(report)}
<h2>What the agents did</h2><div class="two"><div>${renderCounts('event', report.events)}</div><div>${renderCounts('tool', tools.byTool)}</div></div>
</main></body></html>
`.html;
}

function renderMethod({ processes, clockMovedDays, tools }: SwarmReport): Html {
  const { startMs, memoryMb } = processes;
  const clock =
    clockMovedDays === 0
      ? 'The clock of the chain was not moved.'
      : `While the market was open the chain had the clock of the machine. At the end it was moved ahead by ${clockMovedDays} days in all, so that reviews and answers that did not come ran out.`;
  const memory =
    memoryMb === null ? '' : ` It used ${memoryMb.median} MB (median), all together ${memoryMb.all} MB.`;
  return html`<ul>
<li>The agents are programs with fixed strategies and no language model: posters post, negotiate, review and dispute; workers claim, deliver well or badly, answer,
concede or stay silent; arbitrators read both sides and rule. They know of each other only what tools answer.
The strategies run in the program of the demo; tools, key and policy of each agent are a process of its own (svc mcp), which is what a kill ends.</li>
<li>${clock}</li>
<li>A process answered ${startMs.median} ms after its start (median; ${startMs.most} ms at most, several started at once).${memory}</li>
<li>Calls and answers of all tools are about ${group(`${Math.round(tools.tokens / 1_000)}000`)} tokens, estimated as characters divided by four.</li>
</ul>`;
}

function renderVolume({ volume }: SwarmReport): Html {
  const rows: readonly (readonly [string, string])[] = [
    ['offered in all tasks', volume.postedTok],
    ['paid to workers', volume.paidTok],
    ['returned to posters', volume.refundedTok],
    ['in escrow at the end', volume.escrowTok],
  ];
  return table(
    ['', 'TOK'],
    rows.map(([what, tok]) => html`<tr><td>${what}</td><td class="right">${group(tok)}</td></tr>`),
  );
}

function renderSpending({ spending }: SwarmReport): Html[] {
  const rows = spending.map(({ name, market, limit, counted, left, asked, calls, breaches }) => {
    const share = Number(limit.tok) === 0 ? 0 : (100 * Number(counted.tok)) / Number(limit.tok);
    const verdict =
      breaches.length === 0
        ? html`<span class="good">kept</span>`
        : html`<span class="bad">${breaches.join(' ')}</span>`;
    return html`<tr><td>${name}<br><span class="soft">${market}</span></td>
<td class="right">${group(left.tok)}</td><td class="right">${group(counted.tok)}</td><td class="right">${group(limit.tok)}</td>
<td><span class="bar"><i style="width:${String(Math.min(100, Math.round(share)))}%"></i></span></td>
<td class="right">${left.usdc}</td><td class="right">${counted.usdc}</td><td class="right">${limit.usdc}</td>
<td class="right">${asked}</td><td class="right">${calls}</td><td>${verdict}</td></tr>`;
  });
  const heads = [
    'agent',
    'TOK left the wallet',
    'counted',
    'limit',
    '',
    'USDC left',
    'counted',
    'limit',
    'left to an owner',
    'tool calls',
    'policy',
  ];
  return [
    html`<p>What left a wallet is summed up from the transfers on chain; what counted is in the log of its policy, which also counts allowances and bonds.
It holds if the first is at most the second, the second at most the limit of a day, and every single decision follows from the policy and the ones before.</p>`,
    table(heads, rows),
  ];
}

function renderFaults({ faults, failures }: SwarmReport): Html {
  const rows = faults.map(
    ({ kind, detail, at, seconds }) =>
      html`<tr><td>${at} s</td><td>${kind}</td><td>${detail}</td><td class="right">${seconds} s</td></tr>`,
  );
  const again = Object.values(failures).reduce((sum, times) => sum + times, 0);
  const head = html`<p>${again} steps of agents failed, by faults or because another agent was faster, and were tried again.</p>`;
  const reasons = html`<details><summary>Why steps failed</summary>${renderCounts('message', failures)}</details>`;
  return html`${table(['at', 'fault', 'what', 'for'], rows)}${head}${reasons}`;
}

function renderCounts(what: string, counts: Readonly<Record<string, number>>): Html {
  const rows = Object.entries(counts).map(
    ([name, number]) => html`<tr><td>${name}</td><td class="right">${number}</td></tr>`,
  );
  return table([what, ''], rows);
}

function table(heads: readonly string[], rows: readonly Html[]): Html {
  const head = heads.map((text) => html`<th>${text}</th>`);
  return html`<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** With thousands separators. */
function group(amount: string): string {
  const [whole = '', ...fraction] = amount.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}
