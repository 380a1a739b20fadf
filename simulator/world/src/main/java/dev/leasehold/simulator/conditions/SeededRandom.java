package dev.leasehold.simulator.conditions;

/** Random numbers from a seed, the same on every JVM. The generator is SplitMix64; everything made of its numbers is of integers. */
public final class SeededRandom {

    private long state;

    public SeededRandom(long seed) {
        this.state = seed;
    }

    /** Goes on as if made from this seed. */
    public void restart(long seed) {
        state = seed;
    }

    public long next() {
        state += 0x9e3779b97f4a7c15L;
        long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 to {@code bound}, both included; what modulo prefers is of no importance here. */
    public long upTo(long bound) {
        return bound <= 0 ? 0 : Long.remainderUnsigned(next(), bound + 1);
    }

    /** True so many times in a million. */
    public boolean chance(int ppm) {
        return ppm > 0 && upTo(999_999) < ppm;
    }

    /** From {@code min} to {@code max}, both included; {@code min} if there is nothing between. */
    public long between(long min, long max) {
        return min + upTo(max - min);
    }

    /** One of so many, counted from 0. */
    public int pick(int count) {
        return (int) upTo(count - 1);
    }

    public boolean oneIn(int count) {
        return pick(count) == 0;
    }

    /** From {@code min}, above 0, to {@code max}, each power of two as likely as the others: small ones come as often as great ones. */
    public long spread(long min, long max) {
        int least = Long.SIZE - Long.numberOfLeadingZeros(min);
        int most = Long.SIZE - Long.numberOfLeadingZeros(max);
        long top = 1L << between(least, most);
        return between(Math.max(min, top >> 1), Math.min(max, top - 1));
    }

    public boolean coin() {
        return next() < 0;
    }
}
