import type { EventPrinter } from './print-event.ts';

export interface ReopeningPrinter extends EventPrinter {
  /** A question closes what draws; afterwards there is much to show again. */
  readonly reopen: () => void;
}

export function reopening(open: () => EventPrinter): ReopeningPrinter {
  let printer = open();
  return {
    emit: (event) => printer.emit(event),
    watch: (atOnce) => printer.watch(atOnce),
    line: (text) => printer.line(text),
    close: () => printer.close(),
    reopen: () => {
      printer = open();
    },
  };
}
