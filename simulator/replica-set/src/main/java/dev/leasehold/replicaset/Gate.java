package dev.leasehold.replicaset;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets through, or makes wait. Open at first. */
final class Gate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean open = true;

    void open() {
        lock.lock();
        try {
            open = true;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void shut() {
        lock.lock();
        try {
            open = false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns when it is open. */
    void pass() {
        lock.lock();
        try {
            while (!open) {
                opened.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
