import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * `deadline` the task took too long, and its thread was ended · `busy` too many tasks are waiting · `failed` the task, or
 * the thread under it, came to a bad end: the cause says how.
 */
export type ThreadErrorCode = 'deadline' | 'busy' | 'failed';

export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code: ThreadErrorCode;

  constructor(code: ThreadErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Work that may take long, off the event loop. Tasks run one after the other. */
export interface Thread<Task, Reply> {
  /** Within `deadlineMs`, by default the thread's own. @throws ThreadError */
  run(task: Task, deadlineMs?: number): Promise<Reply>;
  /** Ends the thread; tasks that wait fail. The next task starts a new one. */
  stop(): Promise<void>;
}

export interface ThreadOptions {
  /** From the moment in which the thread is loaded, has the task, and has answered those before it. Default 10 s. */
  readonly deadlineMs?: number;
  /**
   * So many tasks lie with the thread while it is at one, so it need not wait until this thread has a moment to hand it the
   * next. Default 0.
   */
  readonly aheadMax?: number | undefined;
  /** Default 200. */
  readonly waitingMax?: number;
  /** How much of what it just made a thread may hold, in MB, before it collects what of that is garbage. Default 4. */
  readonly youngMb?: number | undefined;
}

/** What a thread says: first that it is loaded, and by which name below /proc its times are known, then the end of each task. */
export type ThreadMessage =
  | { readonly type: 'loaded'; readonly systemThread?: string }
  | { readonly type: 'done'; readonly reply: unknown }
  | { readonly type: 'failed'; readonly message: string };

/** A text of the largest size takes less than 100 MB; a thread that wants more is ended instead of the process. */
const HEAP_MB_MAX = 160;
/** A quarter of what Node takes: a service among hostile readers takes 40 MB less. It costs a fifth more processor time. */
const YOUNG_MB = 4;
/** What is not needed for so long gives its memory back; a thread starts in a few hundred milliseconds. */
const IDLE_MS = 10_000;

interface Job<Task, Reply> {
  readonly task: Task;
  readonly deadlineMs: number;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: ThreadError) => void;
}

/**
 * A thread over a module that calls `answerTasks`. It starts with the first task, and anew after one that did not end;
 * it keeps the process alive only while somebody waits for it.
 */
export function createThread<Task, Reply>(
  entry: URL,
  { deadlineMs: usualMs = 10_000, waitingMax = 200, aheadMax = 0, youngMb = YOUNG_MB }: ThreadOptions = {},
): Thread<Task, Reply> {
  const waiting: Job<Task, Reply>[] = [];
  /** The thread's: it is at the first of them. */
  const given: Job<Task, Reply>[] = [];
  let worker: Worker | undefined;
  let isLoaded = false;
  let systemThread: string | undefined;
  let timer: Timer | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = (settle: (job: Job<Task, Reply>) => void): void => {
    timer?.stop();
    timer = undefined;
    const job = given.shift();
    if (job !== undefined) settle(job);
  };
  const drop = (): Promise<unknown> => {
    const dropped = worker;
    worker = undefined;
    isLoaded = false;
    return dropped?.terminate() ?? Promise.resolve();
  };
  const lost = (error: ThreadError): void => {
    void drop();
    end((job) => job.reject(error));
    waiting.unshift(...given.splice(0));
    next();
  };
  const start = (): Worker => {
    const made = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: youngMb },
    });
    const isMine = (): boolean => worker === made;
    made.on('message', (message: ThreadMessage) => {
      if (isMine()) heard(message);
    });
    made.on('error', (cause) => {
      if (isMine()) lost(new ThreadError('failed', `the thread failed: ${cause.message}`, cause));
    });
    made.on('exit', (code) => {
      if (isMine()) lost(new ThreadError('failed', `the thread ended with ${code}`));
    });
    // After the listeners: one that comes later would keep the process alive again.
    made.unref();
    return made;
  };
  const heard = (message: ThreadMessage): void => {
    switch (message.type) {
      case 'loaded':
        isLoaded = true;
        systemThread = message.systemThread;
        for (const job of given) hand(job);
        return watch();
      case 'done':
        // What the thread answers is what its module promises for the task.
        end((job) => job.resolve(message.reply as Reply));
        return next();
      case 'failed':
        end((job) => job.reject(new ThreadError('failed', message.message)));
        return next();
    }
  };
  const hand = ({ task }: Job<Task, Reply>): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (isLoaded) worker?.postMessage(task);
  };
  const watch = (): void => {
    const [job] = given;
    if (job === undefined || !isLoaded || timer !== undefined) return;
    const { deadlineMs } = job;
    timer = afterSpent(deadlineMs, systemThread, () =>
      lost(new ThreadError('deadline', `the task took more than ${deadlineMs} ms`)),
    );
  };
  const next = (): void => {
    clearTimeout(idle);
    while (given.length <= aheadMax) {
      const job = waiting.shift();
      if (job === undefined) break;
      worker ??= start();
      worker.ref();
      given.push(job);
      hand(job);
    }
    if (given.length > 0) return watch();
    worker?.unref();
    idle = setTimeout(() => void drop(), IDLE_MS).unref();
  };
  return {
    run(task, deadlineMs = usualMs) {
      if (waiting.length >= waitingMax) {
        return Promise.reject(new ThreadError('busy', `${waiting.length} tasks are waiting already`));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ task, deadlineMs, resolve, reject });
        next();
      });
    },
    async stop() {
      clearTimeout(idle);
      timer?.stop();
      timer = undefined;
      const left = [...given.splice(0), ...waiting.splice(0)];
      const ended = drop();
      const stopped = new ThreadError('failed', 'the thread was stopped');
      for (const job of left) job.reject(stopped);
      await ended;
    },
  };
}

/** Several threads over one module: a task goes to the one that has the fewest to do. */
export function createThreads<Task, Reply>(
  entry: URL,
  count: number,
  options: ThreadOptions = {},
): Thread<Task, Reply> {
  const threads = Array.from({ length: count }, () => ({
    thread: createThread<Task, Reply>(entry, options),
    tasks: 0,
  }));
  return {
    async run(task, deadlineMs) {
      const chosen = threads.reduce((least, one) => (one.tasks < least.tasks ? one : least));
      chosen.tasks += 1;
      try {
        return await chosen.thread.run(task, deadlineMs);
      } finally {
        chosen.tasks -= 1;
      }
    },
    async stop() {
      await Promise.all(threads.map(({ thread }) => thread.stop()));
    },
  };
}

interface Timer {
  stop(): void;
}

/** A starved thread cannot be waited for endlessly either. */
const WAIT_FACTOR_MAX = 30;

/**
 * Calls back when so much time has passed in which the thread had a processor: on a machine that is busy with other things
 * a task is not slow because it has to wait.
 */
function afterSpent(ms: number, systemThread: string | undefined, done: () => void): Timer {
  const startMs = performance.now();
  const usedMs = processorMs(systemThread);
  let timer: NodeJS.Timeout | undefined;
  let end: NodeJS.Immediate | undefined;
  const wait = (delayMs: number): void => {
    timer = setTimeout(check, delayMs).unref();
  };
  const check = (): void => {
    const spentMs = processorMs(systemThread) - usedMs;
    const isLate = performance.now() - startMs > ms * WAIT_FACTOR_MAX;
    // Timers come before messages: the task may have ended while this thread was busy, and the time be that of those ahead.
    if (spentMs >= ms || isLate) end = setImmediate(done);
    else wait(Math.max(ms - spentMs, 10));
  };
  wait(ms);
  return {
    stop: () => {
      clearTimeout(timer);
      clearImmediate(end);
    },
  };
}

/** What the kernel counts in, on every processor. */
const TICKS_PER_SECOND = 100;

/** The processor time of a thread; of the whole process where the system tells no threads apart. */
function processorMs(systemThread: string | undefined): number {
  if (systemThread !== undefined) {
    try {
      // proc(5): the name may hold anything but ends with the last bracket; 11 fields later come user and system time.
      const stat = readFileSync(`/proc/${systemThread}/stat`, 'latin1');
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return ((Number(user) + Number(system)) * 1000) / TICKS_PER_SECOND;
    } catch {
      // The thread has ended; who waits for it hears that.
      return 0;
    }
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Waits for something, but no longer than so: then it is undefined, and what comes later is nobody's wait. */
export async function waitAtMost<T>(ms: number, wanted: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}
