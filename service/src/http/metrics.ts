// Counters and gauges in the text form that Prometheus reads. Replaces `prom-client`: a frequent counter is one
// increment with its labels resolved beforehand.

export type Labels = Readonly<Record<string, string>>;

export type Metrics = {
  readonly count: (name: CounterName, labels?: Labels) => void;
  /** The same, with the look-up done once: for what happens thousands of times a second. */
  readonly counter: (name: CounterName, labels?: Labels) => () => void;
  /** A figure that is asked for when somebody reads; null leaves it out. */
  readonly gauge: (name: GaugeName, read: () => number | null) => void;
  readonly format: () => string;
};

const counters = {
  requests: 'Requests by route and status; `cached` are replies from the cache.',
  rpc_errors: 'Failed questions to the chain, by endpoint.',
  follower: 'What the follower did, by kind of event.',
  webhooks: 'Deliveries to webhooks, by outcome: delivered, failed, dead (put aside).',
  keeper:
    'What the keeper did, by kind of event: called, closed and lost to others, left, failed, expensive and so on.',
  price: 'What the price publisher did, by event: published, fresh, refused, failed.',
} as const;
export type CounterName = keyof typeof counters;

const gauges = {
  block: 'The block that answers show.',
  block_age_seconds: 'How old that block is.',
  corrected_rows:
    'Rows that differed from the chain when they were compared again, since the start; they were corrected.',
  rows_confirmed_at:
    'When every row had been compared with the chain again, or the process started, in Unix seconds.',
  event_streams: 'Open streams of server-sent events.',
  mailbox_streams: 'Open streams of mailboxes.',
  keeper_last_round: 'When the keeper last looked at the chain, or started, in Unix seconds.',
  price_published_at: 'When the TOK price on chain was published, in Unix seconds.',
  keeper_open_exits: 'How many exits were open when the keeper last looked.',
} as const;
export type GaugeName = keyof typeof gauges;

type Cell = { value: number };

export function createMetrics(): Metrics {
  const cells = new Map<CounterName, Map<string, Cell>>();
  const reads = new Map<GaugeName, () => number | null>();

  function cellOf(name: CounterName, labels: Labels = {}): Cell {
    const family = cells.get(name) ?? new Map<string, Cell>();
    cells.set(name, family);
    const key = formatLabels(labels);
    const cell = family.get(key) ?? { value: 0 };
    family.set(key, cell);
    return cell;
  }

  return {
    count: (name, labels) => {
      cellOf(name, labels).value++;
    },
    counter: (name, labels) => {
      const cell = cellOf(name, labels);
      return () => {
        cell.value++;
      };
    },
    gauge: (name, read) => reads.set(name, read),
    format: () => {
      const lines: string[] = [];
      for (const [name, family] of cells) {
        lines.push(...formatHead(`svc_${name}_total`, counters[name], 'counter'));
        for (const [labels, { value }] of family) lines.push(`svc_${name}_total${labels} ${value}`);
      }
      for (const [name, read] of reads) {
        const value = read();
        if (value === null) continue;
        lines.push(...formatHead(`svc_${name}`, gauges[name], 'gauge'), `svc_${name} ${value}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function formatHead(name: string, help: string, type: 'counter' | 'gauge'): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
