/** 12,345 */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 file", "3 languages". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** "820 bytes", "12 kB", "3.4 MB" */
export function sized(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** 0:32, 12:05, 1:02:03 */
export function minutes(durationMs: number): string {
  const total = Math.max(0, Math.round(durationMs / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const rest = `${Math.floor((total % 3600) / 60)}:${two(total % 60)}`;
  return hours === 0 ? rest : `${hours}:${two(Math.floor((total % 3600) / 60))}:${two(total % 60)}`;
}

/** "0.4 s", "12 s", "2:05 min" */
export function lasting(durationMs: number): string {
  if (durationMs < 10_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return durationMs < 60_000 ? `${Math.round(durationMs / 1000)} s` : `${minutes(durationMs)} min`;
}

/** "just now", "5 min ago", "2 h ago", "3 days ago" */
export function ago(ageMs: number): string {
  const ageMinutes = Math.floor(ageMs / 60_000);
  if (ageMinutes < 1) return 'just now';
  if (ageMinutes < 60) return `${ageMinutes} min ago`;
  const hours = Math.floor(ageMinutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
