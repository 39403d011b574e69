// The load generator, a separate process: sends requests over a few open connections, at a pace or as fast as the server answers.
//
// It reads only the status line and Content-Length, and counts the other bytes. A full HTTP client would be slower than the server.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** With `below`, each request appends a random number from 1 to `below` to the path. */
export type Target = {
  readonly port: number;
  readonly path: string;
  readonly below?: number;
  /** Each `{ip}` is replaced by a random address. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; each `{address}` and `{hash}` is replaced by random bytes. */
  readonly body?: string;
  readonly status: number;
};

export type LoadOrder = Target & { readonly connections: number } & (
    | { readonly milliseconds: number }
    | { readonly requests: number; readonly perSecond?: number }
  );

/** Latencies are reported only for a fixed number of requests. At a pace they count from when a request was due. */
export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  readonly microseconds: readonly number[];
  readonly error?: string;
};

process.on('message', async (order: LoadOrder) => process.send?.(await run(order)));
process.on('disconnect', () => process.exit());

async function run(order: LoadOrder): Promise<LoadResult> {
  const until = 'milliseconds' in order ? performance.now() + order.milliseconds : Number.POSITIVE_INFINITY;
  let left = 'requests' in order ? order.requests : Number.POSITIVE_INFINITY;
  const microseconds: number[] = [];
  const mayAsk = () => left-- > 0 && performance.now() < until;
  const onAnswer = 'requests' in order ? (took: number) => microseconds.push(took * 1_000) : () => undefined;
  const start = performance.now();
  const perSecond = 'requests' in order ? order.perSecond : undefined;
  let planned = 0;
  const nextAt = () =>
    perSecond === undefined ? performance.now() : start + (1_000 * planned++) / perSecond;
  try {
    const counts = await Promise.all(
      Array.from({ length: order.connections }, () => drive(order, mayAsk, nextAt, onAnswer)),
    );
    const count = counts.reduce((sum, one) => sum + one, 0);
    return { count, seconds: (performance.now() - start) / 1_000, microseconds };
  } catch (error) {
    return { count: 0, seconds: 0, microseconds, error: (error as Error).message };
  }
}

/** One connection: sends the next request after the complete reply, and not before its time. */
function drive(
  target: Target,
  mayAsk: () => boolean,
  nextAt: () => number,
  onAnswer: (milliseconds: number) => void,
) {
  return new Promise<number>((resolve, reject) => {
    const socket: Socket = connect({
      port: target.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(256 * 1_024),
        callback: (length, buffer) => {
          take(buffer as Buffer, length);
          return true;
        },
      },
    });
    const headers = formatHeaders(target.headers ?? {});
    const isFixed = !headers.includes('{ip}');
    const buildTail = () => ` HTTP/1.1\r\nHost: bench\r\n${isFixed ? headers : fillIn(headers)}`;
    const buildPath = () =>
      target.below === undefined
        ? target.path
        : target.path + String(1 + Math.floor(Math.random() * target.below));
    const buildRequest = () => {
      if (target.body === undefined) return `GET ${buildPath()}${buildTail()}\r\n`;
      const body = fillIn(target.body);
      return `POST ${buildPath()}${buildTail()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const expected = `HTTP/1.1 ${target.status} `;
    let count = 0;
    let missing = 0;
    let dueAt = 0;
    let head = '';

    function ask(): void {
      if (!mayAsk()) {
        socket.end();
        resolve(count);
        return;
      }
      dueAt = nextAt();
      const pause = dueAt - performance.now();
      if (pause > 0) setTimeout(send, pause);
      else send();
    }

    function send(): void {
      socket.write(buildRequest(), 'latin1');
    }

    /** Headers usually arrive in one chunk, but need not. */
    function take(buffer: Buffer, length: number): void {
      if (missing > 0) missing -= length;
      else {
        const end = buffer.subarray(0, length).indexOf('\r\n\r\n');
        head += buffer.toString('latin1', 0, end === -1 ? length : end);
        if (end === -1) return;
        if (!head.startsWith(expected))
          return void socket.destroy(new Error(`answered ${head.split('\r')[0]}`));
        missing = readLength(head) - (length - end - 4);
        head = '';
      }
      if (missing > 0) return;
      count += 1;
      onAnswer(performance.now() - dueAt);
      ask();
    }

    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
  });
}

function fillIn(text: string): string {
  return text
    .replaceAll('{ip}', () => randomBytes(4).join('.'))
    .replaceAll('{address}', () => `0x${randomBytes(20).toString('hex')}`)
    .replaceAll('{hash}', () => `0x${randomBytes(32).toString('hex')}`);
}

/** The two spellings that our servers use. */
function readLength(head: string): number {
  const exact = head.indexOf('Content-Length: ');
  const at = exact === -1 ? head.indexOf('content-length: ') : exact;
  return at === -1 ? 0 : Number.parseInt(head.slice(at + 16, at + 28), 10);
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
