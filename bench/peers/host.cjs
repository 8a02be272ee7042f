/**
 * Preloaded into the peers: no connection leaves this machine, and a host that a tool has built in is found on
 * loopback. BENCH_HOST is `name,name=port`.
 */
const dns = require('node:dns');
const { Socket } = require('node:net');

const [names, port] = (process.env.BENCH_HOST ?? '').split('=');
const HOSTS = new Set(names.split(','));
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;
const connect = Reflect.get(Socket.prototype, 'connect');

Socket.prototype.connect = function (...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof options === 'object' && options !== null && options.path === undefined) {
    if (HOSTS.has(options.host)) Object.assign(options, { host: '127.0.0.1', port: Number(port) });
    else if (options.host !== undefined && !LOOPBACK.test(options.host)) {
      throw new Error(`the benchmark lets no connection out: ${options.host}`);
    }
  }
  return Reflect.apply(connect, this, args);
};

const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  if (LOOPBACK.test(host)) return lookup(host, ...rest);
  return rest.at(-1)(Object.assign(new Error(`the benchmark asks for no ${host}`), { code: 'ENOTFOUND' }));
};
