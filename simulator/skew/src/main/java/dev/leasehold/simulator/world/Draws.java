package dev.leasehold.simulator.world;

/** Random numbers from a seed, the same on every JVM. The generator is SplitMix64. */
public final class Draws {

    private long state;

    public Draws(long seed) {
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
}
