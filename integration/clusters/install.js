/** Installs the servers of the trials on Debian and Ubuntu, without starting them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const PACKAGES = {
  'mariadb-server': '/usr/sbin/mariadbd',
  'galera-4': '/usr/lib/galera/libgalera_smm.so',
  rsync: '/usr/bin/rsync',
  lsof: '/usr/bin/lsof',
  postgresql: '/usr/lib/postgresql',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
};

/** Packages ask this program whether they may start their services, also under systemd. */
const POLICY = '/usr/sbin/policy-rc.d';

const missing = Object.entries(PACKAGES).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
const run = (...command) => {
  const [program, ...args] = process.getuid() === 0 ? command : ['sudo', ...command];
  execFileSync(program, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
};

if (missing.length > 0) {
  run('apt-get', 'update', '-q');
  const isFree = !existsSync(POLICY);
  if (isFree) run('sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' > ${POLICY} && chmod 755 ${POLICY}`);
  try {
    run('apt-get', 'install', '-q', '-y', '--no-install-recommends', ...missing);
  } finally {
    if (isFree) run('rm', POLICY);
  }
}
console.log(`The clusters run on PostgreSQL ${readdirSync('/usr/lib/postgresql').join(', ')}`);
