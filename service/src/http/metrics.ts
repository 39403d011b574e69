// Counters, gauges and histograms in the text form that Prometheus reads. Replaces `prom-client`: a frequent counter is
// one increment with its labels resolved beforehand.

export type Labels = Readonly<Record<string, string>>;

/** Null leaves a gauge out; several samples differ by their labels. */
export type Reading = number | null | readonly { readonly labels: Labels; readonly value: number }[];

export type Metrics = {
  readonly count: (name: CounterName, labels?: Labels) => void;
  /** The same, with the look-up done once: for what happens thousands of times a second. */
  readonly counter: (name: CounterName, labels?: Labels) => () => void;
  /** A figure that is asked for when somebody reads. */
  readonly gauge: (name: GaugeName, read: () => Reading) => void;
  /** Takes durations; the look-up is done once. */
  readonly timer: (name: TimerName, labels: Labels) => (milliseconds: number) => void;
  readonly format: () => string;
};

const counters = {
  requests: 'Requests by route and status; `cached` are replies from the cache.',
  rpc_requests: 'Questions to the chain, by endpoint and method; each call of a batch counts.',
  rpc_errors: 'Failed questions to the chain, by endpoint and method.',
  database_errors: 'Failed statements, by kind: unreachable, not_writable, refused.',
  follower: 'What the follower did, by kind of event.',
  payments: 'Payments by x402, by outcome: done (settled), refused, failed.',
  messages: 'Messages sent to the relay, by outcome: done, refused, failed.',
  uploads: 'Uploads of files, by outcome: done, refused, failed.',
  webhooks: 'Deliveries to webhooks, by outcome: delivered, failed, dead (put aside).',
  keeper:
    'What the keeper did, by kind of event: called, closed and lost to others, left, failed, expensive and so on.',
  price: 'What the price publisher did, by event: published, fresh, refused, failed.',
  audits: 'Comparisons of the site with the chain, by outcome: clean, different, failed.',
} as const;
export type CounterName = keyof typeof counters;

const gauges = {
  build_info: 'Always 1; its labels are the version of svc and of Node.',
  started_at: 'When the process started, in Unix seconds.',
  memory_bytes: 'Memory of the process, by kind: resident, heap, outside (buffers).',
  event_loop_lag_seconds: 'How late timers ran since the last reading, by quantile; 1 is the worst.',
  block: 'The block that answers show.',
  block_age_seconds: 'How old that block is.',
  corrected_rows:
    'Rows that differed from the chain when they were compared again, since the start; they were corrected.',
  rows_confirmed_at:
    'When every row had been compared with the chain again, or the process started, in Unix seconds.',
  database_connections: 'Connections to the database, by state: idle, busy; waiting is work without one.',
  event_streams: 'Open streams of server-sent events.',
  mailbox_streams: 'Open streams of mailboxes.',
  file_bytes: 'Room that files take, when they were last swept.',
  file_bytes_max: 'Room for all files.',
  keeper_last_round: 'When the keeper last looked at the chain, or started, in Unix seconds.',
  price_published_at: 'When the TOK price on chain was published, in Unix seconds.',
  keeper_open_exits: 'How many exits were open when the keeper last looked.',
  audit_differences: 'How many differences the last complete audit found.',
  audit_at: 'When the last complete audit ended, or the process started, in Unix seconds.',
} as const;
export type GaugeName = keyof typeof gauges;

const timers = {
  request_seconds: 'How long replies took, by route; without cached replies and streams.',
  rpc_seconds: 'How long the chain took to answer, by endpoint.',
} as const;
export type TimerName = keyof typeof timers;

/** Upper bounds of the classes of a histogram, in milliseconds: from a read of rows to the longest time limit. */
const bounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

type Cell = { value: number };
type Histogram = { readonly classes: number[]; sum: number; count: number };

export function createMetrics(): Metrics {
  const cells = new Map<CounterName, Map<string, Cell>>();
  const reads = new Map<GaugeName, () => Reading>();
  const histograms = new Map<TimerName, Map<string, Histogram>>();

  function counter(name: CounterName, labels: Labels = {}): () => void {
    const cell = findOrAdd(cells, name, labels, () => ({ value: 0 }));
    return () => {
      cell.value++;
    };
  }

  return {
    count: (name, labels) => counter(name, labels)(),
    counter,
    gauge: (name, read) => reads.set(name, read),
    timer: (name, labels) => {
      const histogram = findOrAdd(histograms, name, labels, createHistogram);
      return (milliseconds) => observe(histogram, milliseconds);
    },
    format: () => {
      const lines: string[] = [];
      for (const [name, family] of cells) {
        lines.push(...formatHead(`svc_${name}_total`, counters[name], 'counter'));
        for (const [labels, { value }] of family) lines.push(`svc_${name}_total${enclose(labels)} ${value}`);
      }
      for (const [name, read] of reads) lines.push(...formatGauge(name, read()));
      for (const [name, family] of histograms) {
        lines.push(...formatHead(`svc_${name}`, timers[name], 'histogram'));
        for (const [labels, histogram] of family)
          lines.push(...formatHistogram(`svc_${name}`, labels, histogram));
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function findOrAdd<Name, T>(
  families: Map<Name, Map<string, T>>,
  name: Name,
  labels: Labels,
  create: () => T,
): T {
  const family = families.get(name) ?? new Map<string, T>();
  families.set(name, family);
  const key = formatLabels(labels);
  const found = family.get(key) ?? create();
  family.set(key, found);
  return found;
}

function createHistogram(): Histogram {
  return { classes: bounds.map(() => 0), sum: 0, count: 0 };
}

/** Counts in one class only; the sums over smaller ones are made when somebody reads. */
function observe(histogram: Histogram, milliseconds: number): void {
  histogram.sum += milliseconds;
  histogram.count++;
  const at = bounds.findIndex((bound) => milliseconds <= bound);
  if (at !== -1) histogram.classes[at] = (histogram.classes[at] as number) + 1;
}

function formatGauge(name: GaugeName, reading: Reading): string[] {
  if (reading === null) return [];
  const samples = typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading;
  return [
    ...formatHead(`svc_${name}`, gauges[name], 'gauge'),
    ...samples.map(({ labels, value }) => `svc_${name}${enclose(formatLabels(labels))} ${value}`),
  ];
}

function formatHistogram(name: string, labels: string, { classes, sum, count }: Histogram): string[] {
  const comma = labels === '' ? '' : ',';
  let below = 0;
  const lines = bounds.map((bound, at) => {
    below += classes[at] as number;
    return `${name}_bucket{${labels}${comma}le="${bound / 1_000}"} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket{${labels}${comma}le="+Inf"} ${count}`,
    `${name}_sum${enclose(labels)} ${sum / 1_000}`,
    `${name}_count${enclose(labels)} ${count}`,
  ];
}

function formatHead(name: string, help: string, type: 'counter' | 'gauge' | 'histogram'): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '')}"`)
    .join();
}

function enclose(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}
