// Runs docs/operations-guide.md as it is printed on a bare machine with systemd: it installs an earlier version with an earlier schema,
// upgrades it, goes back and forth, and does everything else that the guide says. Only names, addresses and keys are the test's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { type Deployment, formatDeployment, parseDeployment } from '#sdk/chain/deployment.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { multicall3Address, usdcAddress } from '#service/devnet/canonical.ts';
import { root } from './docs/markdown.ts';
import { findEarlierCommit } from './support/earlierBuild.ts';
import { readCommands, readGuide } from './support/guide.ts';
import { readLines } from './support/lines.ts';
import { type Machine, noMachine, startMachine } from './support/machine.ts';
import { createFolder, svcScript } from './support/svc.ts';
import { until } from './support/until.ts';
import { argumentsOf, signAuthorization } from './support/x402.ts';

const ports = [8080, 8081, 4020, 4022];

test('the guide for operators holds word for word on a bare machine', {
  skip: noMachine,
}, async (context) => {
  const folder = createFolder(context);
  const machine = await startMachine(context, folder);
  const { run } = machine;
  const guide = readCommands(readGuide('docs/operations-guide.md'));
  /** The block that begins so, which is not run by another step. */
  const take = (start: string, blocks = guide): string => {
    const [block = '', ...others] = blocks.filter((one) => one.trimStart().startsWith(start));
    assert.ok(block !== '' && others.length === 0, start);
    blocks.splice(blocks.indexOf(block), 1);
    return block;
  };
  const online = { isOnline: true };
  const step = <Result>(name: string, play: () => Promise<Result>): Promise<Result> => {
    const startedAt = Date.now();
    return play().finally(() =>
      context.diagnostic(`${name}: ${Math.round((Date.now() - startedAt) / 1_000)} s`),
    );
  };
  const set = (file: string, name: string, value: string) =>
    run(`cd /etc/svc && sed -i '/^#\\?${name}=/d' ${file}.env && echo '${name}=${value}' >> ${file}.env`);
  const sql = async (statement: string, database = 'svc') =>
    (await run(`sudo -u postgres psql -At ${database} <<'END'\n${statement}\nEND`)).trim();
  const isHealthy = async () => {
    const { length } = ports;
    const urls = ports.map((port) => `http://127.0.0.1:${port}/health`).join(' ');
    const replies = await run(`curl -sf ${urls} | grep -o '"status":"ok"' || true`);
    return replies.split('\n').length === length + 1;
  };
  const readBuilds = () =>
    run(`curl -sf http://127.0.0.1:{${ports.join()}}/metrics | grep ^svc_build_info | sort -u`);

  await step('what the guide expects', async () => {
    prepareNode(folder);
    execFileSync('git', ['clone', '--quiet', '--bare', root, join(folder, 'opt/origin.git')]);
    execFileSync('git', [
      '-C',
      join(folder, 'opt/origin.git'),
      'update-ref',
      'refs/heads/main',
      findEarlierCommit(),
    ]);
    execFileSync('git', ['-C', join(folder, 'opt/origin.git'), 'symbolic-ref', 'HEAD', 'refs/heads/main']);
    await run(
      `echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/yes
      rm -rf /etc/postgresql /var/lib/postgresql
      apt-get update --quiet && apt-get install --quiet postgresql nginx age jq
      version=$(ls /usr/lib/postgresql | tail -n 1)
      [ -d /etc/postgresql/$version/main ] || pg_createcluster $version main
      systemctl restart postgresql@$version-main
      echo 127.0.0.1 market.example >> /etc/hosts
      openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=market.example -days 9 -keyout /etc/ssl/market.example.key -out /etc/ssl/market.example.pem
      systemctl restart nginx`,
      online,
    );
  });
  const deployment = await step('a chain', () => startChainBeside(machine, folder));

  await step('installing', async () => {
    const node = take('apt-get install curl');
    await run(
      `curl() { cp /opt/node/* /tmp; }\n${node.replaceAll('linux-x64', `linux-${process.arch}`)}`,
      online,
    );
    await run(take('useradd').replace('<address of this repository>', '/opt/origin.git'), online);
    // What the earlier version brought was not as the guide says now.
    cpSync(join(root, 'hosting/sbin'), join(folder, 'opt/sbin'), { recursive: true });
    await run('install -m 0755 /opt/sbin/* /usr/local/sbin');
    await run(`cat > /root/8453.json <<'END'\n${formatDeployment(deployment)}\nEND`);
    await run(take('install -m').replace('<file that svc deploy wrote>', '/root/8453.json'));
    // A market of its own, as on Base; the units get the one that has a history.
    const safes = [multicall3Address, deployment.usdc, deployment.tokToken];
    const deploy = take(
      'PRIVATE_KEY=<PRIVATE_KEY> npx --no svc deploy --rpc <url>',
      readCommands(readGuide('docs/deploying.md')),
    )
      .replace('<PRIVATE_KEY> npx --no', `${accountOf('newcomer').privateKey} npx --prefix /opt/svc --no`)
      .replace('<url>', 'http://127.0.0.1:8545')
      .replaceAll('<safe>', () => safes.shift() as string)
      .replace('<wallet>', accountOf('publisher').address)
      .replace('<feed>', deployment.priceFeed);
    assert.match(await run(`${deploy}\nls deployments`), /^8453\.json$/m);
    await run(take('sudo -u postgres psql'));
    const newKey = take('echo "0x');
    for (const [file, name] of [
      ['gateway', 'SVC_GATEWAY_KEY'],
      ['gateway', 'SVC_FACILITATOR_KEY'],
      ['keeper', 'SVC_KEEPER_KEY'],
    ] as const)
      await set(file, name, (await run(newKey)).trim());
    await set('common', 'SVC_RPC_URL', 'http://127.0.0.1:8545');
    await set('common', 'DATABASE_URL', databaseUrl('svc:change-me-1'));
    // The shortest with which nothing fails behind this nginx.
    await set('common', 'SVC_DRAIN_SECONDS', '2');
    await set('backup', 'PGPASSWORD', 'change-me-2');
    const found = await run(take('svc-admin config'));
    assert.match(found, /^ok {4}contracts: /m);
  });

  await step('systemd', async () => {
    await run(take('cp -r /opt/svc/node_modules'));
    await until(isHealthy);
    const line = await run(`journalctl -u 'svc-site@*' -u 'svc-gateway@*' -o cat | grep ^{ | tail -n 1`);
    assert.match(JSON.parse(line).instance, /:(808[01]|402[02])$/);
    assert.equal((await run('stat -c %U:%a /var/lib/svc')).trim(), 'svc:700');
    assert.match(await run('systemctl list-timers backup-svc.timer'), /backup-svc\.service/);
  });

  await step('reverse proxy', async () => {
    await run(take('cp /opt/svc/node_modules'));
    // A reload of the proxy returns before its new workers listen.
    const ask = () => run('curl --fail --silent --insecure https://market.example/health');
    await until(() =>
      ask().then(
        () => true,
        () => false,
      ),
    );
    const metrics = await run(`curl -sk -o /dev/null -w '%{http_code}' https://market.example/metrics`);
    assert.equal(metrics, '404');
  });

  const webhooks = readCommands(readGuide('docs/webhooks.md')).map((block) =>
    block
      .replaceAll(/^npx --no svc /gm, 'svc-admin ')
      .replaceAll('3kTQf0oYw9Ab', `"$(svc-admin webhook list --json | jq -r '.webhooks[-1].id')"`),
  );
  await step('webhooks', async () => {
    await run(take('svc-admin webhook add', webhooks));
    await run(take('svc-admin webhook resume', webhooks));
    assert.deepEqual(webhooks, []);
  });
  const countWebhooks = () => run('svc-admin webhook list --json | jq ".webhooks | length"').then(Number);
  assert.equal(await countWebhooks(), 2);

  const swap = take('rm -rf /opt/svc-old');
  const steps = 'SELECT count(*) FROM migrations';
  await step('upgrading', async () => {
    const [before, builds] = [await sql(steps), await readBuilds()];
    execFileSync('git', ['-C', join(folder, 'opt/origin.git'), 'fetch', '--quiet', root, '+HEAD:main']);
    await run(take('cd /opt/svc-source && git pull'), online);
    // As the change log asks for. The earlier version cannot start with the role for sites, and we want to go back once.
    await run(
      `cd /etc/svc && install -m 0600 /dev/null site.env && sed -i '/^DATABASE_URL=/d; /^SVC_DATA_DIR=/d' common.env`,
    );
    for (const part of ['site', 'gateway']) await set(part, 'DATABASE_URL', databaseUrl('svc:change-me-1'));
    await run(watch);
    await run(swap);
    assert.equal(await run('svc-watched'), 'only 200\n');
    assert.ok(Number(await sql(steps)) >= Number(before), 'the schema is no earlier one');
    assert.notEqual(await readBuilds(), builds);
    await until(isHealthy);
  });

  await step('rolling back', async () => {
    const [after, builds] = [await sql(steps), await readBuilds()];
    await run(watch);
    await run(take('mv /opt/svc /opt/svc-new'));
    assert.equal(await run('svc-watched'), 'only 200\n');
    assert.notEqual(await readBuilds(), builds);
    assert.equal(await sql(steps), after);
    await until(isHealthy);
    await run('svc-admin audit --site http://127.0.0.1:8080');
    await run('svc-admin webhook add https://agent.example/svc');
    await run(swap);
    assert.equal(await readBuilds(), builds);
    assert.equal(await countWebhooks(), 3);
  });

  await step('a user and a role for each part', async () => {
    await set('site', 'DATABASE_URL', databaseUrl('svc_site:change-me-3'));
    await run('svc-restart');
    const units = ['svc-site@8080', 'svc-gateway@4020', 'svc-keeper', 'svc-audit'];
    const uidOf = (unit: string) => run(`stat -c %u /proc/$(systemctl show --value -P MainPID ${unit})`);
    const uids = await Promise.all(units.map(async (unit) => (await uidOf(unit)).trim()));
    assert.equal(new Set(uids).size, units.length);
    const [site = ''] = uids;
    const look = 'cat /proc/$(systemctl show --value -P MainPID svc-gateway@4020)/environ /var/lib/svc/*';
    await assert.rejects(run(`setpriv --reuid=${site} --clear-groups sh -c '${look}'`), /Permission denied/);
    for (const statement of ['SELECT * FROM own.messages', 'DELETE FROM own.payments'])
      await assert.rejects(
        run(`psql ${databaseUrl('svc_site:change-me-3')} -c '${statement}'`),
        /permission denied for table/,
      );
    // Sites alone follow the chain.
    await run('systemctl stop svc-gateway@4020 svc-gateway@4022');
    const read = async () => JSON.parse(await run('curl -s http://127.0.0.1:8080/health'));
    const { block } = await read();
    await until(async () => (await read()).block > block + 2);
    await run('systemctl start svc-gateway@4020 svc-gateway@4022');
    await until(isHealthy);
  });

  await step('taking down', async () => {
    const [sha256, documentHash] = ['1'.repeat(64), `0x${'2'.repeat(64)}`];
    await run(`SHA256=${sha256} DOCUMENT_HASH=${documentHash}\n${take('svc-admin files list')}`);
    const code = await run(`curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:4020/v1/files/${sha256}`);
    assert.equal(code, '451');
  });

  await step('refunding', async () => {
    const { signed, txHash } = await payOnce(run, accountOf('publisher').address);
    const { from: payer, to, nonce, value, validBefore } = signed.authorization;
    const row = [payer.toLowerCase(), nonce, 'claim', signed.signature, 'settled', 1, 0, ''];
    const values = [...row, value, to.toLowerCase(), validBefore, 1, txHash].map((one) => `'${one}'`).join();
    await sql(`INSERT INTO own.payments (payer, nonce, purpose, signature, state, since_block, held_until, holder,
      amount, pay_to, valid_before, created_at, tx_hash) VALUES (${values})`);
    const names = `PAYER=${payer} NONCE=${nonce} KEY=${accountOf('newcomer').privateKey}`;
    const out = await run(`${names}\n${take('svc-admin payments list')}`);
    assert.match(out, /settled {2}0\.01 USDC[\s\S]*It is refunded by 0x/);
    assert.match(await run('svc-admin payments list'), /There are none/);
  });

  await step('changing keys', async () => {
    const newKey = async () => (await run('echo "0x$(openssl rand -hex 32)"')).trim();
    const [read, key] = [(name: string) => run(`sed -n s/^${name}=//p /etc/svc/*.env`), await newKey()];
    const old = (await read('SVC_GATEWAY_KEY')).trim();
    await set('gateway', 'SVC_GATEWAY_OTHER_KEY', key);
    await run('svc-restart');
    await set('gateway', 'SVC_GATEWAY_KEY', key);
    await set('gateway', 'SVC_GATEWAY_OTHER_KEY', old);
    await set('gateway', 'SVC_FACILITATOR_KEY', await newKey());
    await run('svc-restart');
    await run(`sed -i /^SVC_GATEWAY_OTHER_KEY=/d /etc/svc/gateway.env`);
    const keeper = await newKey();
    const shown = await run(
      `cd /opt/svc && SVC_KEEPER_KEY=${keeper} SVC_RPC_URL=http://127.0.0.1:8545 npx --no svc doctor || true`,
    );
    assert.match(shown, new RegExp(privateKeyToAddress(keeper as `0x${string}`)));
    await set('keeper', 'SVC_KEEPER_KEY', keeper);
    await sql(`ALTER ROLE svc PASSWORD 'change-me-5'`);
    await set('gateway', 'DATABASE_URL', databaseUrl('svc:change-me-5'));
    const { text } = readGuide('docs/operations-guide.md');
    const [, mail = ''] = /^```\n(SVC_CONTACT_KEY=.*?)```$/ms.exec(text) ?? [];
    await run(`cat >> /etc/svc/gateway.env <<'END'\n${mail.replace('0x…', await newKey())}END`);
    await run('svc-restart');
    await until(isHealthy);
    assert.match(await run('svc-admin config'), /SVC_SMTP_URL/);
    const contact = (await read('SVC_CONTACT_KEY')).trim();
    await set('gateway', 'SVC_CONTACT_KEY', await newKey());
    await run('systemctl restart svc-gateway@4022');
    await until(async () =>
      /SVC_CONTACT_KEY is another key/.test(await run('journalctl -u svc-gateway@4022 -o cat')),
    );
    await set('gateway', 'SVC_CONTACT_KEY', contact);
    await run('svc-restart');
  });

  const backup = await step('backing up', async () => {
    const listed = await run(take('systemctl start backup-svc'));
    const [name = ''] = /^svc-\S+$/m.exec(listed) ?? [];
    const recipient = (await run('age-keygen 2>/dev/null | tee /root/age.key | age-keygen -y')).trim();
    await run(take('tar -c -C /backup').replaceAll(printed, name).replace('age1…', recipient));
    assert.match(await run(`age --decrypt --identity age.key ${name}.tar.age | tar -t`), /database\.dump/);
    return name;
  });

  await step('restoring', async () => {
    await sql(`DELETE FROM own.webhooks`);
    await run(take('systemctl stop').replaceAll(printed, backup));
    const restore = take('sudo -u postgres createdb').replaceAll(printed, backup);
    await run(`export PGPASSWORD=change-me-5\n${restore}`);
    await set('gateway', 'DATABASE_URL', databaseUrl('svc:change-me-5', 'svc_new'));
    await set('site', 'DATABASE_URL', databaseUrl('svc_site:change-me-3', 'svc_new'));
    await set('backup', 'PGDATABASE', 'svc_new');
    await run(take('svc-admin backup restored'));
    await until(isHealthy);
    await run(take('svc-admin audit'));
    assert.equal(await countWebhooks(), 3);
    await run('systemctl start backup-svc && ls /backup/*/database.dump');
  });

  await step('the image', async () => {
    // No registry is at hand, so its lines run here: the program, as its user, on a folder of its own, and the health check.
    const file = readFileSync(join(root, 'hosting/Dockerfile'), 'utf8');
    const read = (line: RegExp) => line.exec(file)?.[1] as string;
    const quote = (line: RegExp) => (JSON.parse(read(line)) as string[]).map((one) => `'${one}'`).join(' ');
    const settings = read(/^ENV (.*)$/m);
    await run(`systemctl stop svc-site@8080 && install -d --owner=1000 /tmp/image
      getent passwd 1000 || useradd --uid 1000 node
      systemd-run --quiet --collect --unit=image --uid=1000 --working-directory=${read(/^WORKDIR (\/opt.*)$/m)} \
        --property='BindReadOnlyPaths=/etc/svc/deployment.json:/run/deployment.json' --property=BindPaths=/tmp/image:/var/lib/svc \
        ${settings.replaceAll(/(?=\b\w+=)/g, '--setenv=')} --setenv=SVC_DEPLOYMENT=/run/deployment.json \
        --setenv=SVC_RPC_URL=http://127.0.0.1:8545 ${quote(/^ENTRYPOINT (.*)$/m)} ${quote(/^CMD (.*)$/m)}`);
    const health = `env ${settings} ${quote(/^ {2}CMD (.*)$/m)}`;
    await run(`until ${health}; do systemctl is-active image; sleep 1; done`);
  });

  assert.deepEqual(
    guide.map((block) => block.split('\n')[0]),
    ['cd /opt/svc-source && docker build --file hosting/Dockerfile --tag svc .'],
  );
});

function databaseUrl(role: string, name = 'svc'): string {
  return `postgres://${role}@127.0.0.1/${name}`;
}

/** The name of a backup in the guide. */
const printed = 'svc-2026-11-15T031500';

/** Asks through the proxy until svc-watched, which says whether an answer was no 200, and then why. */
const watch = `cat > /usr/local/sbin/svc-watched <<'END'
#!/bin/sh
systemctl stop watch
sort -u /tmp/codes | sed 's/^/only /'
! grep -q -v '^200$' /tmp/codes || tail /var/log/nginx/error.log
END
chmod +x /usr/local/sbin/svc-watched && rm -f /tmp/codes
systemd-run --quiet --collect --unit=watch bash -c 'while :; do
  curl -sk -o /dev/null -o /dev/null -w "%{http_code}\n" https://market.example/api/market/open https://market.example/v1/listings >> /tmp/codes; sleep 0.1
done'`;

/** The market of \`npm start\`, whose history gives the units something to read. */
async function startChainBeside({ startBeside }: Machine, folder: string): Promise<Deployment> {
  const args = [svcScript, 'start', '--json', '--port', '8545'];
  const ports = { SVC_SITE_PORT: '0', SVC_GATEWAY_PORT: '0' };
  const child = startBeside(args, { ...ports, SVC_DATA_DIR: join(folder, 'chain'), SVC_BUILD_PAGES: 'off' });
  const { deployment } = JSON.parse(await readLines(child)());
  return parseDeployment(JSON.stringify(deployment));
}

/** A payment on the chain for which a gateway has done nothing. */
async function payOnce(run: Machine['run'], to: Hex) {
  const ask = async (method: string, ...params: unknown[]): Promise<Hex> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return JSON.parse(await run(`curl -sf -H content-type:application/json -d '${body}' 127.0.0.1:8545`))
      .result;
  };
  const account = privateKeyToAccount(accountOf('visitor').privateKey);
  const signed = await signAuthorization(account, { to });
  const data = encodeFunctionData({
    abi: testUsdcAbi,
    functionName: 'transferWithAuthorization',
    args: argumentsOf(signed),
  });
  const transaction = await account.signTransaction({
    chainId: 8_453,
    nonce: Number(await ask('eth_getTransactionCount', account.address, 'latest')),
    to: usdcAddress,
    data,
    gas: 200_000n,
    maxFeePerGas: 10n ** 10n,
  });
  const txHash = await ask('eth_sendRawTransaction', transaction);
  await until(async () => (await ask('eth_getTransactionReceipt', txHash)) !== null);
  return { signed, txHash };
}

/** In place of the archive of nodejs.org: the Node of this test, with the npm of this machine. */
function prepareNode(folder: string): void {
  const name = `node-v${process.versions.node}-linux-${process.arch}`;
  const [staged, target] = [join(folder, name), join(folder, 'opt/node')];
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  mkdirSync(join(staged, 'bin'), { recursive: true });
  mkdirSync(target);
  cpSync(process.execPath, join(staged, 'bin/node'));
  cpSync(join(npm, 'npm'), join(staged, 'lib/node_modules/npm'), { recursive: true });
  for (const tool of ['npm', 'npx'])
    execFileSync('ln', ['-s', `../lib/node_modules/npm/bin/${tool}-cli.js`, join(staged, 'bin', tool)]);
  const env = { ...process.env, XZ_OPT: '-0' };
  execFileSync('tar', ['-cJf', join(target, `${name}.tar.xz`), '-C', folder, name], { env });
  execFileSync('bash', ['-c', 'sha256sum *.xz > SHASUMS256.txt'], { cwd: target });
}
