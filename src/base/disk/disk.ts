/**
 * What the base needs of a disk, and no more, so tests can run it on one that loses power. Missing files are
 * answers, everything else that goes wrong throws the disk's own error.
 */
export interface Disk {
  /** The content, or undefined when there is no such file. */
  read(file: string): Promise<Uint8Array | undefined>;
  /** Makes or empties the file, writes it and waits until the content is durable. Its name is not: see syncDirectory. */
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Makes the file with its whole content in one step; false when the name is taken. */
  create(file: string, content: string): Promise<boolean>;
  append(file: string): Promise<Appender>;
  /** In one step, over whatever has the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes the file, if there is one. */
  remove(file: string): Promise<void>;
  /** Bytes; 0 when there is no such file. */
  size(file: string): Promise<number>;
  /** Names in the directory, sorted; none when there is no such directory. */
  list(directory: string): Promise<readonly string[]>;
  /** Makes the directory and those above it, durably. */
  makeDirectory(directory: string): Promise<void>;
  /** Makes names in the directory durable. */
  syncDirectory(directory: string): Promise<void>;
}

export interface Appender {
  write(text: string): Promise<void>;
  /** Resolves when all that was written is durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Replaces the file. Whatever happens, it holds the old content or the new one. */
export async function replaceFile(
  disk: Disk,
  file: string,
  content: string | Uint8Array,
  directory: string,
): Promise<void> {
  const temporary = `${file}.tmp`;
  await disk.write(temporary, content);
  await disk.rename(temporary, file);
  await disk.syncDirectory(directory);
}
