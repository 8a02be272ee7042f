/** Reads a file of the repository; undefined: there is no such file. */
export type ReadText = (path: string) => string | undefined;

export interface Files {
  readonly text: ReadText;
  readonly parsed: <T extends object>(
    file: string,
    text: string,
    parse: (text: string) => T | undefined,
  ) => T | undefined;
}

const FILES = new WeakMap<ReadText, Files>();

/** Many pages take components from one file: it is looked for and parsed once as long as files are read in the same way. */
export function filesIn(readText: ReadText): Files {
  const known = FILES.get(readText);
  if (known !== undefined) return known;
  const texts = new Map<string, string | undefined>();
  const parsed = new Map<string, object | undefined>();
  const files: Files = {
    text(file) {
      if (!texts.has(file)) texts.set(file, readText(file));
      return texts.get(file);
    },
    parsed<T extends object>(file: string, text: string, parse: (text: string) => T | undefined) {
      if (!parsed.has(file)) parsed.set(file, parse(text));
      // The ending of a file decides how it is parsed: always in the same way.
      return parsed.get(file) as T | undefined;
    },
  };
  FILES.set(readText, files);
  return files;
}
