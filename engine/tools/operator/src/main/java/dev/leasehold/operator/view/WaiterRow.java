package dev.leasehold.operator.view;

import dev.leasehold.engine.WaiterDetails;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition that waits for a lease.
 *
 * @param position in the order in which they are served, from 1
 * @param instance the process that waits
 * @param writer its engine
 * @param holder that it asks for
 * @param priority the higher one goes first
 * @param comment what for; null for nothing
 * @param since when its ticket was made, by the wall clock of its engine
 * @param present whether its engine has an entry; one without never gets the lease
 * @param waited for how long, by the clock of its engine, as far as is known; null without an entry
 */
public record WaiterRow(
        int position,
        String instance,
        String writer,
        String holder,
        int priority,
        @Nullable String comment,
        String since,
        boolean present,
        @Nullable String waited) {

    /** What the inspector found, as a row. */
    public static WaiterRow of(WaiterDetails waiter) {
        Duration waited = waiter.waited();
        return new WaiterRow(
                waiter.position(),
                waiter.instance(),
                waiter.writer(),
                waiter.holder(),
                waiter.priority(),
                waiter.comment(),
                waiter.since().toString(),
                waiter.present(),
                waited == null ? null : DisplayText.of(waited));
    }

    /** {@return the row in one sentence, without the position} */
    public String inWords() {
        return holder + " of " + instance + ", priority " + priority
                + (waited == null ? ", whose engine has no entry any more" : ", for " + waited)
                + (comment == null ? "" : ": " + comment);
    }
}
