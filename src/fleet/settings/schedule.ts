import { digestOfText } from '../../model/digest.ts';

const FIELDS: readonly (readonly [min: number, max: number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
];
const MINUTES = 60;
const HOURS = 24;

export function isSchedule(text: string): boolean {
  const every = /^(\d{1,2})([mhd])$/.exec(text);
  if (every !== null) {
    const count = Number(every[1]);
    const whole = { m: MINUTES, h: HOURS, d: 1 }[every[2] ?? ''] ?? 0;
    return count > 0 && whole % count === 0 && count <= whole;
  }
  const fields = text.trim().split(/ +/);
  return fields.length === FIELDS.length && fields.every((field, at) => isField(field, FIELDS[at] ?? [0, 0]));
}

function isField(text: string, [min, max]: readonly [number, number]): boolean {
  return text.split(',').every((part) => {
    const step = /^\*\/(\d{1,2})$/.exec(part);
    if (part === '*' || (step !== null && Number(step[1]) > 0)) return true;
    const [, from, to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
    return from !== undefined && Number(from) >= min && Number(to) <= max && Number(from) <= Number(to);
  });
}

/**
 * A schedule as five fields of crontab, in UTC. `15m`, `2h` and `1d` are spread: each name has its own minute, and a
 * thousand knowledge bases do not start at once.
 */
export function crontabOf(schedule: string, name: string): string {
  const every = /^(\d{1,2})([mhd])$/.exec(schedule);
  if (every === null) return schedule.trim().split(/ +/).join(' ');
  const count = Number(every[1]);
  const spread = Number.parseInt(digestOfText(name).slice(0, 8), 16);
  const minute = spread % MINUTES;
  const hour = Math.floor(spread / MINUTES) % HOURS;
  if (every[2] === 'm') return `${stepsFrom(minute % count, count, MINUTES)} * * * *`;
  if (every[2] === 'h') return `${minute} ${stepsFrom(hour % count, count, HOURS)} * * *`;
  return `${minute} ${hour} * * *`;
}

function stepsFrom(first: number, step: number, end: number): string {
  if (step === 1) return '*';
  return Array.from({ length: end / step }, (_, at) => first + at * step).join(',');
}
