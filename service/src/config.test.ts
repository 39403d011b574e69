// Proves that all mistakes come at once, and that no way of printing shows a secret. Defaults: `test/guides/running.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { SvcError } from '@svc/sdk/domain';
import { readConfig, readSettings } from './config.ts';
import { redact } from './secrets.ts';

const key = `0x${'ab'.repeat(32)}`;

test('SVC_RPC_URL overrides CHAIN_RPC_URL and both may be a list', () => {
  const urlsOf = (environment: Record<string, string>) =>
    readConfig(environment).rpcUrls.map((secret) => secret.reveal());
  assert.deepEqual(urlsOf({ CHAIN_RPC_URL: 'https://one.example/k, http://two.example' }), [
    'https://one.example/k',
    'http://two.example',
  ]);
  assert.deepEqual(urlsOf({ CHAIN_RPC_URL: 'https://one.example', SVC_RPC_URL: 'https://own.example' }), [
    'https://own.example',
  ]);
});

test('every mistake is named at once, without the values', () => {
  const environment = {
    SVC_RPC_URL: 'ftp://user:pass@files.example',
    PRIVATE_KEY: 'topsecret',
    SVC_CHAIN_PORT: '70000',
    SVC_CONFIRMATIONS: '1.5',
    SVC_HOST: 'a host',
  };
  assert.throws(
    () => readConfig(environment),
    (error: unknown) => {
      assert.ok(error instanceof SvcError);
      assert.equal(error.code, 'CONFIG_INVALID');
      for (const name of Object.keys(environment))
        assert.match(error.message, new RegExp(`^ {2}${name}`, 'm'));
      assert.equal(error.message.split('\n').length, 6);
      assert.doesNotMatch(error.message, /topsecret|pass@|70000/);
      return true;
    },
  );
});

test('a key makes chat work, with documented defaults for the rest', () => {
  const { chat } = readConfig({ LLM_GATEWAY_API_KEY: ' sk-1 ' });
  assert.equal(chat?.apiKey.reveal(), 'sk-1');
  assert.deepEqual([chat?.baseUrl, chat?.model], ['https://api.openai.com/v1', 'gpt-4o-mini']);
  const own = { LLM_GATEWAY_API_KEY: 'k', LLM_BASE_URL: 'http://127.0.0.1:9/v1/', SVC_LLM_MODEL: 'm' };
  assert.equal(readConfig(own).chat?.baseUrl, 'http://127.0.0.1:9/v1');
  assert.equal(readConfig({ ...own, LLM_GATEWAY_API_KEY: '' }).chat, undefined);
});

test('a size has a unit, and a bucket needs its key', () => {
  assert.equal(readConfig({ SVC_FILES_MAX: '500 MB' }).files.maxBytes, 500e6);
  assert.equal(readConfig({ SVC_FILES_MAX: '2tb' }).files.maxBytes, 2e12);
  assert.throws(() => readConfig({ SVC_FILES_MAX: '20' }), /SVC_FILES_MAX: must be a size/);
  const bucket = { SVC_FILES_BUCKET: 'https://s3.example/svc/', SVC_FILES_KEY_ID: 'id' };
  assert.throws(
    () => readConfig(bucket),
    /SVC_FILES_BUCKET: needs SVC_FILES_KEY_ID and SVC_FILES_KEY_SECRET/,
  );
  const config = readConfig({ ...bucket, SVC_FILES_KEY_SECRET: 'very-secret-key' });
  assert.equal(config.files.bucket?.url, 'https://s3.example/svc');
  assert.equal(config.files.bucket?.region, 'us-east-1');
  assert.ok(!JSON.stringify(config).includes('very-secret-key'));
});

test('an invalid chat gateway, contact or proxy is a mistake', () => {
  for (const [name, value] of [
    ['LLM_GATEWAY_API_KEY', 'sk-1\r\nX-Injected: 1'],
    ['LLM_BASE_URL', 'https://user:pw@gateway.example/v1'],
    ['LLM_BASE_URL', 'https://gateway.example/v1?key=k'],
    ['SVC_WALLETCONNECT_PROJECT_ID', 'mine'],
    ['SVC_ABUSE_CONTACT', 'javascript:alert(1)'],
    ['SVC_ABUSE_CONTACT', 'a@b"onclick=x'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.1, everybody'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ] as const) {
    assert.throws(() => readConfig({ [name]: value }), { code: 'CONFIG_INVALID' }, value);
  }
  const proxies = readConfig({ SVC_TRUSTED_PROXIES: '10.0.0.1, fd00::/8,127.0.0.0/8' }).trustedProxies;
  assert.deepEqual(proxies, ['10.0.0.1', 'fd00::/8', '127.0.0.0/8']);
});

test('secrets stay hidden however the configuration is printed', () => {
  const config = readConfig({
    PRIVATE_KEY: key,
    SVC_RPC_URL: 'https://user:pw@rpc.example/v2/apikey?token=t1',
    LLM_GATEWAY_API_KEY: 'sk-chat',
  });
  for (const printed of [
    inspect(config, { depth: 9, showHidden: true }),
    JSON.stringify(config),
    `${config.privateKey}`,
  ]) {
    assert.doesNotMatch(printed, /abab|apikey|pw@|t1|sk-chat/);
  }
  assert.match(JSON.stringify(config), /https:\/\/rpc\.example\/\[redacted\]/);
  assert.equal(config.privateKey?.reveal(), key);
});

test('each setting says where it comes from, and hides secrets', () => {
  const settings = readSettings({ SVC_SITE_PORT: '81', PRIVATE_KEY: key, SVC_HOST: ' ' });
  const of = (name: string) => settings.find((setting) => setting.name === name);
  assert.deepEqual(of('SVC_SITE_PORT'), { name: 'SVC_SITE_PORT', value: 81, source: 'environment' });
  assert.deepEqual(of('SVC_HOST'), { name: 'SVC_HOST', value: '127.0.0.1', source: 'default' });
  assert.equal(of('SVC_DEPLOYMENT')?.source, 'unset');
  assert.doesNotMatch(JSON.stringify(settings), /abab/);
});

test('a secret in the words of a library is removed: whole, in parts, encoded and as a header', () => {
  const url = 'https://provider:pass%2Fw0rd@rpc.example/v3/0123456789abcdef?key=fedcba9876543210';
  const key = `0x${'5f'.repeat(32)}`;
  readConfig({ SVC_RPC_URL: url, PRIVATE_KEY: key });
  const header = Buffer.from('provider:pass/w0rd').toString('base64');
  for (const trace of [url, encodeURIComponent(url), 'pass/w0rd', '0123456789abcdef', header, key.slice(2)])
    assert.equal(redact(`it failed (${trace}) again`), 'it failed ([redacted]) again', trace);
  assert.equal(redact('rpc.example does not answer'), 'rpc.example does not answer');
  readConfig({ DATABASE_URL: 'postgres://me:100%grün-und-lang@db.example/market' });
  for (const form of ['100%gr%C3%BCn-und-lang', '100%grün-und-lang'])
    assert.equal(redact(`${form} is wrong`), '[redacted] is wrong', form);
});

test('a password that is also a word of its address is removed only where it is the password', () => {
  readConfig({ DATABASE_URL: 'postgres://postgres:postgres@database.example/postgres' });
  const readable = [
    'no role for user "postgres" in database "postgres" at database.example',
    'at connect (node_modules/postgres/client.js:12:3), protocol postgresql:',
  ];
  for (const line of readable) assert.equal(redact(line), line);
  const removed = {
    'postgresql://postgres:postgres@database.example/other':
      'postgresql://postgres:[redacted]@database.example/other',
    'password=postgres host=database.example': 'password=[redacted] host=database.example',
    "{ user: 'postgres', password: 'postgres' }": "{ user: 'postgres', password: '[redacted]' }",
    '{"msg":"{\\"password\\":\\"postgres\\"}"}': '{"msg":"{\\"password\\":\\"[redacted]\\"}"}',
    'PASSWORD "postgres" is wrong': 'PASSWORD "[redacted]" is wrong',
  };
  for (const [line, clean] of Object.entries(removed)) assert.equal(redact(line), clean);
  const header = Buffer.from('postgres:postgres').toString('base64');
  assert.equal(redact(`Basic ${header}`), 'Basic [redacted]');
});

test('a real password is removed everywhere, also inside other words and in JSON', () => {
  readConfig({ DATABASE_URL: 'postgres://postgres:c0rrect%22horse%5C@127.0.0.1/postgres' });
  for (const form of ['c0rrect"horse\\', 'c0rrect%22horse%5C']) {
    assert.equal(redact(`role\n${form}x failed`), 'role\n[redacted]x failed', form);
    assert.equal(redact(JSON.stringify({ stack: `Error\n${form}` })), '{"stack":"Error\\n[redacted]"}', form);
  }
  assert.equal(redact('user "postgres" is not allowed in'), 'user "postgres" is not allowed in');
});

test('short passwords, secrets that begin with another one, and keys in a user name are removed as well', () => {
  readConfig({ DATABASE_URL: 'postgres://market:pw%40q@127.0.0.1/market' });
  for (const form of ['pw@q', 'pw%40q'])
    assert.equal(redact(`no way to market:${form}@127.0.0.1`), 'no way to market:[redacted]@127.0.0.1');
  assert.equal(redact('password pw@q is wrong'), 'password [redacted] is wrong');
  readConfig({
    SVC_RPC_URL: 'https://rpc.example/begins-alike,https://rpc.example/begins-alike-and-goes-on',
  });
  readConfig({ SVC_RPC_URL: 'https://token-5e11a7:token-5e11a7@rpc.example/' });
  for (const secret of ['begins-alike-and-goes-on', 'token-5e11a7'])
    assert.equal(redact(`${secret} is refused`), '[redacted] is refused');
});

test('an address that is shown must contain no secret', () => {
  for (const name of ['SVC_SITE_URL', 'SVC_GATEWAY_URL', 'SVC_FACILITATOR', 'LLM_BASE_URL'])
    for (const url of ['https://me:secret@a.example', 'https://a.example/?key=secret'])
      assert.throws(
        () => readConfig({ [name]: url }),
        ({ message }: Error) => message.includes(name) && !message.includes('secret'),
        `${name}=${url}`,
      );
});
