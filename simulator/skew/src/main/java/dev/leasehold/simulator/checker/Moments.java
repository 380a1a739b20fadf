package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The states in which a majority had a lease document while a call was under way. */
final class Moments {

    private Moments() {}

    /** What is asked of a state. */
    interface Question {
        /** Whether it is one that is looked for; null for no document. */
        boolean isSo(@Nullable LeaseRow row);
    }

    /** Whether one of them is as asked. The newest ones are asked first. */
    static boolean any(LeaseLog lease, Call call, Question question) {
        List<LeaseLog.Version> versions = lease.versions();
        long untilNanos = Incarnation.NEVER;
        for (int i = versions.size() - 1; i >= -1 && untilNanos >= call.calledNanos(); i--) {
            long fromNanos = i < 0 ? Long.MIN_VALUE : versions.get(i).commit().majorityNanos();
            boolean wasSeen = fromNanos <= call.answeredNanos() && fromNanos < Incarnation.NEVER;
            if (wasSeen
                    && question.isSo(i < 0 ? first(versions) : versions.get(i).row())) {
                return true;
            }
            untilNanos = fromNanos;
        }
        return false;
    }

    private static @Nullable LeaseRow first(List<LeaseLog.Version> versions) {
        return versions.isEmpty() ? null : versions.get(0).before();
    }
}
