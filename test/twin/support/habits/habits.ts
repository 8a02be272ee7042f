import type { Habit } from '../service/habit.ts';
import { DESKS } from './desks.ts';
import { GATEWAYS } from './gateways.ts';
import { HTML } from './html.ts';
import { IDS } from './ids.ts';
import { LANGUAGES } from './languages.ts';
import { LISTS } from './lists.ts';
import { PAGES } from './pages.ts';
import { SAVES } from './saves.ts';
import { SHAPES } from './shapes.ts';

/** Every habit by its name, in groups that are tested side by side. */
export const HABITS = {
  ids: IDS,
  lists: LISTS,
  pages: PAGES,
  languages: LANGUAGES,
  saves: SAVES,
  html: HTML,
  shapes: SHAPES,
  gateways: GATEWAYS,
  desks: DESKS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Habit>>>>;

export type HabitGroup = keyof typeof HABITS;
