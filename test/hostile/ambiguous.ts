// Requests of which two servers could think differently: where they end, for whom they are, how large they may be.
// PATH stands for a route that takes a body.

type Attack = readonly [what: string, head: string, body: string];

const post = 'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const inChunks = `${post}Transfer-Encoding: chunked\r\n\r\n`;

/** Refused by their headers. */
export const ambiguous: readonly Attack[] = [
  ['a length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n`, '0\r\n\r\n'],
  ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n`, '0\r\n\r\n'],
  ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 4\r\n\r\n`, '{}'],
  ['the same length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n`, '{}'],
  ['a list of lengths', `${post}Content-Length: 2, 2\r\n\r\n`, '{}'],
  ['a length with a sign', `${post}Content-Length: +2\r\n\r\n`, '{}'],
  ['a hexadecimal length', `${post}Content-Length: 0x2\r\n\r\n`, '{}'],
  ['an empty length', `${post}Content-Length: \r\n\r\n`, ''],
  ['a folded length', `${post}Content-Length:\r\n 2\r\n\r\n`, '{}'],
  ['a folded coding', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n`, '0\r\n\r\n'],
  ['a folded header', `${post}X: a\r\n b\r\nContent-Length: 2\r\n\r\n`, '{}'],
  ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n`, '0\r\n\r\n'],
  ['chunks that are not last', `${post}Transfer-Encoding: chunked, identity\r\n\r\n`, '0\r\n\r\n'],
  ['a coding that is none', `${post}Transfer-Encoding: identity\r\n\r\n`, '0\r\n\r\n'],
  ['two codings', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n`, '0\r\n\r\n'],
  ['a coding inside chunks', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n`, '0\r\n\r\n'],
  ['a coding after a control character', `${post}Transfer-Encoding: \u000bchunked\r\n\r\n`, '0\r\n\r\n'],
  ['a space before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n`, '0\r\n\r\n'],
  ['a space in a name', `${post}X Y: a\r\n\r\n`, ''],
  ['lines that end with LF alone', `${post.replaceAll('\r\n', '\n')}Content-Length: 2\n\n`, '{}'],
  ['a header that ends with LF alone', `${post}X: a\nContent-Length: 2\r\n\r\n`, '{}'],
  ['a header that ends with CR alone', `${post}X: a\rContent-Length: 2\r\n\r\n`, '{}'],
  ['chunks in HTTP/1.0', inChunks.replace('HTTP/1.1', 'HTTP/1.0'), '0\r\n\r\n'],
  ['two hosts', `${post}Host: other.example\r\nContent-Length: 2\r\n\r\n`, '{}'],
  ['no host', 'POST PATH HTTP/1.1\r\nContent-Length: 2\r\n\r\n', '{}'],
];

/** Refused by their chunks. */
export const chunked: readonly Attack[] = [
  ['a size with 0x', inChunks, '0x2\r\n{}\r\n0\r\n\r\n'],
  ['a negative size', inChunks, '-2\r\n{}\r\n0\r\n\r\n'],
  ['a size with a space', inChunks, '2 \r\n{}\r\n0\r\n\r\n'],
  ['a size over 2^64', inChunks, '10000000000000002\r\n{}\r\n0\r\n\r\n'],
  ['a size that ends with LF alone', inChunks, '2\n{}\r\n0\r\n\r\n'],
  ['an extension that ends with LF alone', inChunks, '2;x\n{}\r\n0\r\n\r\n'],
  ['data that goes on', inChunks, '2\r\n{}0\r\n\r\n'],
  ['data that ends with LF alone', inChunks, '2\r\n{}\n0\r\n\r\n'],
  ['a last chunk that ends with LF alone', inChunks, '2\r\n{}\r\n0\n\n'],
];

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';

export const tooLarge: readonly (readonly [...Attack, status: number])[] = [
  ['one header', `${get}X: ${'a'.repeat(20_000)}\r\n\r\n`, '', 431],
  ['many headers', `${get}${'X: y\r\n'.repeat(4_000)}\r\n`, '', 431],
  ['the name of a header', `${get}${'a'.repeat(20_000)}: y\r\n\r\n`, '', 431],
  ['the address', get.replace('/ ', `/${'a'.repeat(20_000)} `).concat('\r\n'), '', 431],
  ['a body, by its length', `${post}Content-Length: 300000\r\n\r\n`, 'x'.repeat(300_000), 413],
  ['a body, by its chunks', inChunks, `493e0\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`, 413],
];
