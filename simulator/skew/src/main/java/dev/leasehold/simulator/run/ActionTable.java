package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.Action;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** What is done for each kind of action, to a context: a table in place of a switch over types. */
final class ActionTable<C> {

    private final Map<Class<? extends Action>, BiConsumer<C, Action>> steps = new HashMap<>();

    <A extends Action> ActionTable<C> on(Class<A> kind, BiConsumer<? super C, ? super A> step) {
        steps.put(kind, (context, action) -> step.accept(context, kind.cast(action)));
        return this;
    }

    boolean has(Action action) {
        return steps.containsKey(action.getClass());
    }

    void run(C context, Action action) {
        BiConsumer<C, Action> step = steps.get(action.getClass());
        if (step == null) {
            throw new IllegalArgumentException("nothing is known of how to run " + action);
        }
        step.accept(context, action);
    }
}
