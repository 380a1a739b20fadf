package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was asked of the engines, and what was answered. */
final class Calls {

    private final List<Call> all = new ArrayList<>();
    private final List<@Nullable Call> byNumber = new ArrayList<>();

    /** In the order in which they began. */
    List<Call> all() {
        return all;
    }

    /** Null for one that never was. */
    @Nullable Call get(int number) {
        return number >= 0 && number < byNumber.size() ? byNumber.get(number) : null;
    }

    Call called(Event.Called called, Life life) {
        Call call = new Call(called, life);
        all.add(call);
        while (byNumber.size() <= called.call()) {
            byNumber.add(null);
        }
        byNumber.set(called.call(), call);
        return call;
    }

    Call answered(Event.Answered answered) {
        Call call = get(answered.call(), "an answer to", answered);
        call.answered(answered);
        return call;
    }

    void resolved(Event.Resolved resolved) {
        get(resolved.call(), "a resolution of", resolved).resolved(resolved);
    }

    private Call get(int number, String told, Event event) {
        Call call = get(number);
        if (call == null) {
            throw new IllegalArgumentException(told + " a call that never was: " + event);
        }
        return call;
    }

    /** Whether an engine has one that is not answered yet. */
    boolean isAnyOpen(Life life) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).life() == life && all.get(i).answer() == null) {
                return true;
            }
        }
        return false;
    }
}
