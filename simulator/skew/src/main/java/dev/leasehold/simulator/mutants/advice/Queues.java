package dev.leasehold.simulator.mutants.advice;

import net.bytebuddy.asm.Advice;
import org.bson.BsonDocument;

/** What an engine does with the tickets of a lease. */
public final class Queues {

    private Queues() {}

    /** A queue that was read under another tenure counts as read under the present one. */
    public static final class OfAnotherTenure {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean same) {
            same = true;
        }
    }

    /** Any ticket of an engine, for any stamp of it, is the one that was granted. */
    public static final class AnyTicket {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean named) {
            named = true;
        }
    }

    /** A lease that shows a ticket of this engine counts as heard of, even if no acquisition waits with that ticket. */
    public static final class AlwaysHeard {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean heard) {
            heard = true;
        }
    }

    /** The guard of a lease has its writer and the stamp, and not the token. */
    public static final class WithoutToken {
        @Advice.OnMethodExit
        static void exit(@Advice.Return BsonDocument guard) {
            guard.remove("token");
        }
    }
}
