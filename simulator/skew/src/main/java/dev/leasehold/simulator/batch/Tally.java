package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.check.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts histories in the order of the batch, whichever job is ready first, so that a batch ends at the same history however many jobs
 * play it.
 */
final class Tally {

    private final int failuresMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Played> early = new HashMap<>();
    private final TreeMap<String, Long> reached = new TreeMap<>();
    private final List<Failure> failures = new ArrayList<>();
    private long histories;
    private long overlaps;
    private long fingerprint;
    private boolean over;

    Tally(int failuresMax) {
        this.failuresMax = failuresMax;
    }

    void add(long index, Played played) {
        lock.lock();
        try {
            early.put(index, played);
            for (Played next = early.remove(histories); next != null && !over; next = early.remove(histories)) {
                count(next);
            }
        } finally {
            lock.unlock();
        }
    }

    private void count(Played played) {
        histories++;
        fingerprint = fingerprint * 31 + played.hash();
        Verdict verdict = played.verdict();
        if (verdict != null) {
            overlaps += verdict.overlaps();
            verdict.reached().forEach((state, times) -> reached.merge(state, times, Long::sum));
        }
        Failure failure = played.failure();
        if (failure != null) {
            failures.add(failure);
            over = failures.size() == failuresMax || !(failure instanceof Failure.Broken);
        }
    }

    boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    BatchResult result() {
        lock.lock();
        try {
            return new BatchResult(histories, overlaps, reached, failures, fingerprint);
        } finally {
            lock.unlock();
        }
    }

    Progress progress() {
        lock.lock();
        try {
            return new Progress(histories, failures.size());
        } finally {
            lock.unlock();
        }
    }
}
