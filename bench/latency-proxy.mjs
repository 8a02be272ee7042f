/**
 * A network of a given round trip time in front of a service: what the client sends arrives that much later; answers
 * come back at once. Connections do not wait for each other, and opening one costs nothing. Counts requests: with one
 * request at a time on a connection, the first bytes after an answer are a new one.
 *
 *   node bench/latency-proxy.mjs PORT MS      tells its own port as {port}; answers a message with {requests, atOnceMax}
 */
import { connect, createServer } from 'node:net';

const [port, roundTripMs] = process.argv.slice(2).map(Number);
let requests = 0;
let open = 0;
let atOnceMax = 0;

const server = createServer({ noDelay: true }, (client) => {
  const service = connect({ port, host: '127.0.0.1', noDelay: true });
  let isAsking = false;
  client.on('data', (chunk) => {
    if (!isAsking) {
      isAsking = true;
      requests++;
      atOnceMax = Math.max(atOnceMax, ++open);
    }
    setTimeout(() => service.write(chunk), roundTripMs);
  });
  service.on('data', (chunk) => {
    if (isAsking) open--;
    isAsking = false;
    client.write(chunk);
  });
  client.on('end', () => setTimeout(() => service.end(), roundTripMs));
  service.on('end', () => client.end());
  client.on('error', () => service.destroy());
  service.on('error', () => client.destroy());
});

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ requests, atOnceMax });
  requests = 0;
  atOnceMax = 0;
});
process.on('disconnect', () => process.exit());
