/**
 * The clock argument of Leasehold as integer arithmetic: no I/O, no threads, no documents, int64 nanoseconds
 * throughout.
 *
 * <p><b>The argument.</b> No machine compares its wall time with that of another. A reader knows one thing about a
 * writer's clock: at the end of a read, that clock had already shown the newest stamp that the read contains. From then
 * on both clocks run forward, and the only assumption is that neither runs faster or slower than true time by more than
 * the {@linkplain Drift drift}. To be sure that the writer's clock is past an instant, a reader waits for the
 * difference between that instant and the stamp, counted from the <em>end</em> of its read, and stretched as if the
 * writer's clock were the slowest and its own the fastest allowed.
 *
 * <p><b>Example</b> at 1000 ppm: a writer's newest stamp is 112 s on its clock, and the expiry of its lease is 130 s. A
 * reader, whose clock is unrelated, reads both between 497 s and 500 s on its own clock. At 500 s the writer's clock
 * shows at least 112 s, so at most 18 s of the term are left there. 18 s there last at most 18 s x 1001/999, rounded up
 * to 18.036036037 s, here. Strictly after 518.036036037 s the reader may act. If the writer's clock showed 115 s at the
 * end of that read, the reader waits about 3 s longer than needed; it never acts early. The beginning of the read plays
 * no part: the stamp may have been written just before the reply left the database.
 *
 * <p>The argument does not cover a writer whose machine is suspended, because its monotonic clock may stand still
 * meanwhile. There the holder's side helps: a {@linkplain Validity validity} ends by monotonic or by wall time,
 * whichever comes first. A pause that stops both clocks is outside every guarantee made here.
 *
 * <p>A bound that does not fit into int64 is {@linkplain ExpiryBound#NEVER never}, and an own instant that does not fit
 * is an {@link ArithmeticException}: nothing wraps around to an early value.
 */
@NullMarked
package dev.leasehold.engine.internal.time;

import org.jspecify.annotations.NullMarked;
