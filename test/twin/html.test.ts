import { testHabits } from './support/play.ts';

testHabits('html', ['author', 'editor', 'clone', 'nightly', 'pulled']);
