/** Counts how often somebody goes through all of it. */
export class WatchedMap<K, V> extends Map<K, V> {
  looks = 0;
  override [Symbol.iterator]() {
    this.looks += 1;
    return super[Symbol.iterator]();
  }
  override keys() {
    this.looks += 1;
    return super.keys();
  }
  override values() {
    this.looks += 1;
    return super.values();
  }
}
