const SIGNS: Readonly<Record<string, string>> = {
  smile: '🙂',
  sad: '🙁',
  cheeky: '😛',
  laugh: '😀',
  wink: '😉',
  'thumbs-up': '👍',
  'thumbs-down': '👎',
  information: 'ℹ️',
  tick: '✅',
  cross: '❌',
  warning: '⚠️',
  plus: '➕',
  minus: '➖',
  question: '❓',
  'light-on': '💡',
  'light-off': '💡',
  'yellow-star': '⭐',
  'red-star': '⭐',
  'green-star': '⭐',
  'blue-star': '⭐',
  heart: '❤️',
  'broken-heart': '💔',
};

/** The sign of a smiley or emoji: what it falls back to, else by its name, else its short name as it is written. */
export function emoji(attributes: Readonly<Record<string, string>>): string {
  const fallback = attributes['ac:emoji-fallback'] ?? '';
  if (fallback !== '' && !/^:.*:$/.test(fallback)) return fallback;
  const name = attributes['ac:name'] ?? '';
  const named = name === 'blue-star' && fallback !== '' ? undefined : SIGNS[name];
  return named ?? (fallback === '' ? (attributes['ac:emoji-shortname'] ?? '') : fallback);
}
