/** The client's end of a WebSocket of binary messages, as an agent behind an HTTP proxy has it. Masks of zeros leave the bytes as they are. */

import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

const head = (length: number): Buffer => {
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.from([0x82, ...size, 0, 0, 0, 0]);
};
const mostInFrame = 65_535;

export async function dialWebSocket(url: string, ca: string, path = '/fleet/agent'): Promise<Duplex> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  const key = Buffer.alloc(16).toString('base64');
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, 'Connection: Upgrade', 'Upgrade: websocket'];
  socket.write([...lines, 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`, '', ''].join('\r\n'));
  let bytes = Buffer.alloc(0);
  const stream: Duplex = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      for (let from = 0; from < chunk.length; from += mostInFrame) {
        const piece = chunk.subarray(from, from + mostInFrame);
        socket.write(Buffer.concat([head(piece.length), piece]));
      }
      done();
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  const { promise: answered, resolve } = Promise.withResolvers<string>();
  let isOpen = false;
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = isOpen ? -1 : bytes.indexOf('\r\n\r\n');
    if (!isOpen && end === -1) return;
    if (!isOpen) {
      resolve(bytes.subarray(0, end).toString());
      bytes = bytes.subarray(end + 4);
      isOpen = true;
    }
    for (;;) {
      const short = bytes[1]!;
      const size = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (bytes.length < size) return;
      const length = size === 2 ? short : size === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < size + length) return;
      if ((bytes[0]! & 0xf) === 2) stream.push(bytes.subarray(size, size + length));
      bytes = bytes.subarray(size + length);
    }
  });
  socket.on('error', () => {});
  socket.once('close', () => stream.destroy());
  const [status] = (await answered).split('\r\n');
  if (!status?.includes(' 101 ')) throw new Error(status);
  return stream;
}
