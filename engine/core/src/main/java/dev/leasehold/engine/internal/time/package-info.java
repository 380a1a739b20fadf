/**
 * The clock argument of Leasehold as integer arithmetic: no I/O, no threads, no documents, int64 nanoseconds throughout.
 *
 * <p><b>The argument.</b> No machine ever compares its time of day with that of another. A reader knows one thing about a writer's
 * clock: when the read was over, that clock had already shown the newest stamp that the read contains. From there both clocks only run
 * forward, and the sole assumption is that neither runs faster or slower than true time by more than the {@linkplain Drift drift}. So a
 * reader that wants the writer's clock to be past an instant waits for the difference between that instant and the stamp, counted from
 * the <em>end</em> of its read, and stretched as if the writer's clock were the slowest and its own the fastest allowed. An example at
 * 1000 ppm: a writer acknowledges 112 s on its clock and has promised a lease until 130 s. A reader, whose clock has nothing to do with
 * that one, sees both in a read that runs from 497 s to 500 s on its own clock. At 500 s here at least 112 s were over there, so at most
 * 18 s of the promise are left there, and 18 s there last at most 18 s x 1001/999, rounded up to 18.036036037 s, here. Strictly after
 * 518.036036037 s the reader may act. Had the writer's clock shown 115 s at the end of that read, the reader waits about 3 s longer than
 * needed; it never acts early. When the read began plays no part: the stamp may have been written just before the answer left the database.
 *
 * <p>What the argument does not cover is a writer whose machine is suspended, because its monotonic clock may stand still meanwhile.
 * There the holder's side helps: a {@linkplain Validity belief} ends by monotonic or by wall time, whichever comes first. A pause that
 * stops both clocks is outside every promise made here.
 *
 * <p>A bound that does not fit into int64 is {@linkplain ExpiryBound#NEVER never}, and an own instant that does not fit is an
 * {@link ArithmeticException}: nothing here wraps around to an early value.
 */
@NullMarked
package dev.leasehold.engine.internal.time;

import org.jspecify.annotations.NullMarked;
