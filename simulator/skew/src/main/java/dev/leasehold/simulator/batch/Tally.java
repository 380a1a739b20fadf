package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.report.Statistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts histories in the order of the batch, whichever job is ready first, so that a batch ends at the same history however many jobs
 * play it.
 */
final class Tally {

    private final int failuresMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Played> early = new HashMap<>();
    private final Statistics statistics = new Statistics();
    private final List<Failure> failures = new ArrayList<>();
    private long histories;
    private long fingerprint;
    private boolean over;

    Tally(int failuresMax) {
        this.failuresMax = failuresMax;
    }

    void add(long index, Played played) {
        lock.lock();
        try {
            early.put(index, played);
            while (!over && early.containsKey(histories)) {
                count(early.remove(histories));
            }
        } finally {
            lock.unlock();
        }
    }

    private void count(Played played) {
        histories++;
        fingerprint = fingerprint * 31 + played.hash();
        if (played.history() != null && played.verdict() != null) {
            statistics.add(played.history(), played.verdict());
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
            return new BatchResult(histories, statistics, failures, fingerprint);
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
