/** The bytes of one answer, as they arrive. */
export interface AnswerBytes {
  add(chunk: Buffer): void;
  /** What was added. */
  whole(): Buffer;
}

/** Below this, to join the chunks at the end costs nothing that anybody would notice. */
const LARGE_BYTES = 2 ** 20;

/**
 * A large answer that tells its length gets room of that length, so its chunks need not be kept beside the whole. Memory that nothing is
 * written to is not taken, so a length that is told wrongly costs nothing; what is behind it is kept in chunks.
 */
export function createAnswerBytes(toldBytes: number): AnswerBytes {
  const chunks: Buffer[] = [];
  let room: Buffer | undefined;
  let size = 0;
  return {
    add(chunk) {
      if (size === 0 && toldBytes >= LARGE_BYTES) room = Buffer.allocUnsafeSlow(toldBytes);
      if (room !== undefined && chunks.length === 0 && size + chunk.length <= room.length) {
        chunk.copy(room, size);
      } else {
        if (room !== undefined && chunks.length === 0) chunks.push(room.subarray(0, size));
        chunks.push(chunk);
      }
      size += chunk.length;
    },
    whole() {
      if (chunks.length === 0) return room?.subarray(0, size) ?? Buffer.alloc(0);
      const [only] = chunks;
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
    },
  };
}
