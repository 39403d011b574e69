// Counters and gauges in the text form that Prometheus reads.

export type Metrics = {
  readonly count: (name: string, labels?: Readonly<Record<string, string>>) => void;
  /** A figure that is asked for when somebody reads. */
  readonly gauge: (name: string, read: () => number | null) => void;
  readonly format: () => string;
};

export function createMetrics(): Metrics {
  const counters = new Map<string, number>();
  const gauges = new Map<string, () => number | null>();
  return {
    count: (name, labels = {}) => {
      const key = `svc_${name}_total${formatLabels(labels)}`;
      counters.set(key, (counters.get(key) ?? 0) + 1);
    },
    gauge: (name, read) => gauges.set(`svc_${name}`, read),
    format: () => {
      const lines = [...counters].map(([key, value]) => `${key} ${value}`);
      for (const [name, read] of gauges) {
        const value = read();
        if (value !== null) lines.push(`${name} ${value}`);
      }
      return `${lines.sort().join('\n')}\n`;
    },
  };
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
