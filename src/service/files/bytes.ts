/** Where the bytes of files are, by the digest that the files go by. */
export interface FileBytes {
  /** Resolves when they are on the disk; bytes that are there already are left alone. */
  write(digest: string, bytes: Buffer): Promise<void>;
  /** `length` bytes from `at`, fewer at the end; undefined: there is no such file. */
  read(digest: string, at: number, length: number): Promise<Buffer | undefined>;
  remove(digest: string): Promise<void>;
}
