package dev.leasehold.simulator.bugs.mistakes;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.UpdateResult;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.store.LeaseWrite;
import java.util.Map;
import java.util.WeakHashMap;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.conversions.Bson;

/** What is asserted in callers' transactions. */
public final class AssertionMistakes {

    /** How often each assertion was made. */
    private static final Map<LeaseAssertion, Integer> MADE = new WeakHashMap<>();

    private AssertionMistakes() {}

    /** The holder is asserted, and not the token. */
    public static final class NoToken {
        @Advice.OnMethodExit
        static void exit(@Advice.Return BsonDocument guard) {
            guard.remove("token");
        }
    }

    /** In a body that is run again the holder is asserted, under whichever token he has by then. */
    public static final class NewerToken {
        @Advice.OnMethodExit
        static void exit(@Advice.This LeaseAssertion self, @Advice.Return BsonDocument guard) {
            if (!isFirst(self)) {
                guard.remove("token");
            }
        }
    }

    /** Whether the assertion is made for the first time. */
    public static boolean isFirst(LeaseAssertion assertion) {
        return MADE.merge(assertion, 1, Integer::sum) == 1;
    }

    /** In a body that is run again nothing is asserted. */
    public static void onlyOnce(
            @MemberSubstitution.This LeaseAssertion assertion, @MemberSubstitution.Argument(0) ClientSession session) {
        if (isFirst(assertion)) {
            assertion.check(session);
        }
    }

    /** The lease is looked at, and not written. */
    public static UpdateResult read(
            @MemberSubstitution.This MongoCollection<BsonDocument> leases,
            @MemberSubstitution.Argument(0) ClientSession session,
            @MemberSubstitution.Argument(1) Bson filter) {
        return UpdateResult.acknowledged(leases.find(session, filter).first() == null ? 0 : 1, 0L, null);
    }

    /** Whoever is registered nowhere counts as somebody who is. */
    public static final class Anybody {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) String writer) {
            writer = writer == null ? "anybody" : writer;
        }
    }

    /** Where a tenure follows another, one stripe shows it, and the others what was before. */
    public static final class OneStripe {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Decision decision) {
            Decision.Write write = (Decision.Write) decision;
            LeaseWrite.Replace all = (LeaseWrite.Replace) write.write();
            LeaseWrite one =
                    new LeaseWrite.Replace(all.guard(), all.document(), all.unlessPinned(), Math.min(1, all.stripes()));
            decision = new Decision.Write(one, write.tenure(), write.hold(), write.rests());
        }
    }

    /** The number that is asked for, however many there are. */
    public static int asMany(@MemberSubstitution.Argument(0) int asked) {
        return asked;
    }

    /** The lease is written as it is. */
    public static final class ChangesNothing {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) BsonDocument update) {
            update = new BsonDocument("$inc", new BsonDocument("gates", new BsonInt64(0)));
        }
    }
}
