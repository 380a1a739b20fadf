package dev.leasehold.simulator.check;

import java.util.Arrays;

/** Instants of true time in their order. */
final class Instants {

    private long[] nanos = new long[16];
    private int size;

    void add(long atNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = atNanos;
    }

    int size() {
        return size;
    }

    long get(int index) {
        return nanos[index];
    }
}
