// The metrics of svc for Prometheus, by prom-client: their names, what they mean, and their labels.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

/** Null leaves a gauge out; several samples differ by their labels. */
export type Reading = number | null | readonly { readonly labels: Labels; readonly value: number }[];

export type Metrics = ReturnType<typeof createMetrics>;

type Family = readonly [help: string, ...labels: readonly string[]];

const counters = {
  requests: ['Requests by route and status; `cached` are replies from the cache.', 'route', 'status'],
  rpc_requests: [
    'Questions to the chain, by endpoint and method; each call of a batch counts.',
    'endpoint',
    'method',
  ],
  rpc_errors: ['Failed questions to the chain, by endpoint and method.', 'endpoint', 'method'],
  database_errors: ['Failed statements, by kind: unreachable, not_writable, refused.', 'kind'],
  follower: ['What the indexer did, by kind of event.', 'event'],
  payments: ['Payments by x402, by outcome: done (settled), refused, failed.', 'outcome'],
  messages: ['Messages sent to the relay, by outcome: done, refused, failed.', 'outcome'],
  uploads: ['Uploads of files, by outcome: done, refused, failed.', 'outcome'],
  refusals: ['Requests that were refused because a budget is used up, by code of the error.', 'code'],
  event_stream_starts: [
    'Streams that began, by kind: new, resumed, reset (what was missed is too much, so lists are read again).',
    'kind',
  ],
  webhooks: ['Deliveries to webhooks, by outcome: delivered, failed, dead (put aside).', 'outcome'],
  notices: ['Notices, by channel and outcome: sent, failed, dropped (no longer true).', 'channel', 'outcome'],
  keeper: [
    'What the keeper did, by kind of event: called, closed and lost to others, left, failed, expensive and so on.',
    'event',
  ],
  price: ['What the price publisher did, by event: published, fresh, refused, failed.', 'event'],
  audits: ['Comparisons of the site with the chain, by outcome: clean, different, failed.', 'outcome'],
} as const satisfies Readonly<Record<string, Family>>;
export type CounterName = keyof typeof counters;

const gauges = {
  build_info: [
    'Always 1; its labels are the version of svc, its build and that of Node.',
    'version',
    'build',
    'node',
  ],
  database_bytes: ['Bytes that the database takes.'],
  database_replication_seconds: ['How far the standby of PostgreSQL that is furthest behind is behind.'],
  database_wraparound_ratio: [
    'How much of the transaction ids of PostgreSQL is used since old rows were frozen.',
  ],
  database_transaction_seconds: ['How long the oldest open transaction of the database has been open.'],
  backup_at: ['When the last backup was taken, in Unix seconds.'],
  started_at: ['When the process started, in Unix seconds.'],
  memory_bytes: ['Memory of the process, by kind: resident, heap, outside (buffers).', 'kind'],
  event_loop_lag_seconds: [
    'How late timers ran since the last reading, by quantile; 1 is the worst.',
    'quantile',
  ],
  block: ['The block that answers show.'],
  block_age_seconds: ['How old that block is.'],
  corrected_rows: [
    'Tasks whose rows or events differed from the chain at a second look, since the start; they were corrected.',
  ],
  task_mistakes: [
    'Tasks whose events do not add up to their state after the first reading, whichever endpoint was asked.',
  ],
  database_connections: [
    'Connections to the database, by state: idle, busy; waiting is work without one.',
    'state',
  ],
  keeper_ether: ['Ether of the account that pays the keeper’s gas.'],
  payments_open: [
    'Payments by x402 that ten minutes later have neither an answer nor a refund, by state: settling, settled (a credit of its payer), refunding.',
    'state',
  ],
  payments_lost: [
    'Answered payments of the last hour that a fork took away and that could not be sent again.',
  ],
  facilitator_ether: ['Ether of the account that settles payments here.'],
  event_streams: ['Open streams of server-sent events.'],
  mailbox_streams: ['Open streams of mailboxes.'],
  mailbox_places: ['Messages of unknown senders in the mailbox that has most of them.'],
  upload_places: ['Places of uploads, by state: used, free.', 'state'],
  notices_waiting: ['Notices that are due and not sent yet.'],
  request_bytes: ['Bytes of the wallet requests that are kept, when they were last looked at.'],
  file_bytes: ['Room that files take, when they were last swept.'],
  file_bytes_max: ['Room for all files.'],
  keeper_last_round: ['When the keeper last looked at the chain, or started, in Unix seconds.'],
  price_published_at: ['When the TOK price on chain was published, in Unix seconds.'],
  keeper_open_exits: ['How many exits were open when the keeper last looked.'],
  audit_differences: ['How many differences the last complete audit found.'],
  audit_at: [
    'When the last complete audit ended, or before the first one the process started, in Unix seconds.',
  ],
} as const satisfies Readonly<Record<string, Family>>;
export type GaugeName = keyof typeof gauges;

const timers = {
  request_seconds: ['How long replies took, by route; without cached replies and streams.', 'route'],
  rpc_seconds: ['How long the chain took to answer, by endpoint.', 'endpoint'],
} as const satisfies Readonly<Record<string, Family>>;
export type TimerName = keyof typeof timers;

/** In seconds: from a read of rows to the longest time limit. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics() {
  const registry = new Registry();
  const readings = new Map<GaugeName, () => Reading>();
  const tallies: (() => void)[] = [];

  /** A metric appears with its first value. */
  function find<M>(name: string, family: Family, Metric: new (options: never) => M): M {
    const known = registry.getSingleMetric(name);
    if (known !== undefined) return known as M;
    const [help, ...labelNames] = family;
    return new Metric({ name, help, labelNames, buckets, registers: [registry] } as never);
  }

  function addTo(name: CounterName, labels: Labels, value: number): void {
    find<Counter>(`svc_${name}_total`, counters[name], Counter).inc(labels, value);
  }

  function setGauge(name: GaugeName, reading: Reading): void {
    if (reading === null) {
      registry.removeSingleMetric(`svc_${name}`);
      return;
    }
    const gauge = find<Gauge>(`svc_${name}`, gauges[name], Gauge);
    const samples = typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading;
    for (const { labels, value } of samples) gauge.set(labels, value);
  }

  return {
    count: (name: CounterName, labels: Labels = {}): void => addTo(name, labels, 1),
    /** Shows the counter before the first event. What it counts is added when somebody asks for the metrics. */
    counter: (name: CounterName, labels: Labels): (() => void) => {
      let events = 0;
      const add = () => {
        addTo(name, labels, events);
        events = 0;
      };
      add();
      tallies.push(add);
      return () => void events++;
    },
    /** Calls `read` when somebody asks for the metrics. */
    gauge: (name: GaugeName, read: () => Reading): void => void readings.set(name, read),
    time: (name: TimerName, labels: Labels, milliseconds: number): void =>
      find<Histogram>(`svc_${name}`, timers[name], Histogram).observe(labels, milliseconds / 1_000),
    contentType: registry.contentType,
    format: async (): Promise<string> => {
      for (const add of tallies) add();
      for (const [name, read] of readings) setGauge(name, read());
      return registry.metrics();
    },
  };
}
