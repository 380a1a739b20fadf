package dev.leasehold.engine;

import com.mongodb.client.ClientSession;
import org.jspecify.annotations.Nullable;

/**
 * A task whose effect is committed once per occurrence.
 *
 * @param <T> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface OnceTask<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work in the session's transaction. May be called again after a conflict, when what was written before is rolled back.
     *
     * @param lease the lease, which the task need not close
     * @param session with the open transaction that has the record of the occurrence; every read and write of the work takes it, and the
     *     task leaves it open
     * @return whatever it likes
     * @throws X when it fails; nothing is committed then
     */
    T run(Lease lease, ClientSession session) throws X;
}
