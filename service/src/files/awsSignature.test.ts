// The signature of S3 requests against the example that Amazon publishes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptySha256, sign } from './awsSignature.ts';

test('signs the published example of a GET with a range', () => {
  const headers = sign(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      payloadSha256: emptySha256,
      time: new Date('2013-05-24T00:00:00.000Z'),
      headers: { range: 'bytes=0-9' },
    },
    { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' },
  );
  assert.equal(
    headers.authorization,
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});
