package dev.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs the method only while this process holds a lease, and releases the lease when the method has ended.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @Leased(name = "nightly-invoices", atLeast = "1m")
 * void sendInvoices() { ... }
 * }</pre>
 *
 * <p>If the lease is not to be had, the method does not run: see {@link #skipped()}. A long method asks {@link LeaseHolder#requireHeld()}
 * now and then. With {@link #gated()} the method is a transaction that commits only if the lease is still held.
 *
 * <p>A parameter of type {@link dev.leasehold.engine.Lease} for which the caller hands in null gets the lease. Like every annotation
 * that works through a proxy, this one does nothing where a bean calls its own method. In a transaction of the caller, what the method
 * writes is committed when the lease has been released; a {@link #gated()} method refuses such a call.
 *
 * <p>Each call is a holder of its own: two threads of one process exclude each other. A call inside of a call that holds the same lease, on
 * the same thread, runs under that lease.
 *
 * <p>If the method returns a {@link java.util.concurrent.CompletionStage} or {@link java.util.concurrent.CompletableFuture}, the lease is held
 * until that ends, by a value, an error or a cancellation, and then released before the caller is told. Cancelling the result cancels what
 * the method has returned, if that can be cancelled. A method that returns a {@code Mono} or {@code Flux} of Reactor is called by each
 * subscription, after that has acquired the lease, which is released when the publisher ends or the subscriber cancels. A call that is
 * skipped is a stage of null, or an empty publisher.
 *
 * <p>An application whose annotations cannot be kept does not start. Other results behind which work goes on are refused, and so are suspend
 * functions. A method that returns an {@code Object} is asked when it has returned: a call that returned such a result fails.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Leased {

    /**
     * The name of the lease. May have {@code ${...}} for properties and <code>#{...}</code> for expressions, in which {@code #name} is a
     * parameter of the method: <code>"stock-#{#warehouse}"</code>.
     *
     * <p>Expressions may name beans, as {@code @shops}. What a property contains is never run as an expression, and an expression that comes
     * to null is an error.
     *
     * @return the name; empty for the full name of the bean's class and the method, with the types of its parameters where several methods
     *     of that name have this annotation. Where each process makes the class, as those of repositories, proxies and lambdas, it is the
     *     name of the interface
     */
    String name() default "";

    /**
     * Whether other methods of the application may have the same name of a lease. Without it an application in which two methods have one
     * name does not start, since one of the two would be skipped whenever the other runs. Two beans with one method, of their class or of a
     * super class, count as two methods: such a name may have an expression over the bean, as <code>"import-#{region}"</code> for its
     * {@code getRegion()}. An application in which the name is that of an election does not start either, since the leader holds the lease
     * all the time.
     *
     * @return whether the lease is shared on purpose; each of the methods has to say so. A method whose lease is an election runs only if
     *     it is called by a {@link LeaderOnly} method of that election, on its thread
     */
    boolean shared() default false;

    /**
     * How long to wait for the lease while others hold it. If the thread is interrupted while it waits, the call throws an {@link
     * IllegalStateException} whose cause is the {@link InterruptedException}, and the thread stays interrupted.
     *
     * @return as {@code 10s}, {@code 5m} or {@code PT10S}, or a {@code ${...}} that is one, 1 ms to 36,500 days; zero by default
     */
    String waitTime() default "0s";

    /**
     * Which of those that wait gets the lease first, in all processes: the higher one. Among equals, the one that came first.
     *
     * @return any number; 0 by default. Without a {@link #waitTime} it has no effect
     */
    int priority() default 0;

    /**
     * Keeps others from acquiring the lease for this long after it was acquired, also if the method ends sooner. For short jobs that start
     * on several machines at nearly the same time.
     *
     * @return as {@code 10s}, {@code 5m} or {@code PT10S}, or a {@code ${...}} that is one, 1 ms to 36,500 days; zero by default
     */
    String atLeast() default "0s";

    /**
     * Limits how long the method holds the lease, so that a call that hangs does not keep it. When this time since the acquisition is over,
     * the lease is lost and released, and a gated transaction of the method does not commit. The method itself is not stopped.
     *
     * @return as {@code 10s}, {@code 5m} or {@code PT10S}, or a {@code ${...}} that is one, 1 ms to 36,500 days and not shorter than {@link
     *     #atLeast}; empty, the default, for no limit
     */
    String atMost() default "";

    /**
     * Makes the method a transaction of the {@link LeaseTransactionManager} that commits only if the lease is still held. It is run again
     * after a conflict with another transaction, so it must have no effects but in the database. A refusal reaches the caller as
     * {@link dev.leasehold.assertions.LeaseNotHeldException}. The transaction is of one thread, so a method that returns a stage or publisher is
     * refused.
     *
     * @return whether the method is gated; by default it is not
     */
    boolean gated() default false;

    /**
     * Does each occurrence of the method's work once: the night of an invoice run, an hour, the number of a batch. The method is {@linkplain
     * #gated() gated}, and its transaction commits a record of the occurrence together with what it writes. At most one transaction with the
     * record of one occurrence ever commits; this rests on no clock. {@link LeaseHolder#occurrence()} tells the method which one it does.
     *
     * <pre>{@code
     * @Scheduled(fixedDelay = 60_000)
     * @Leased(name = "invoices", oncePer = "0 0 3 * * *", zone = "Europe/Berlin")
     * public void sendInvoices() { ... } // once a night, however often and on however many machines it is called
     * }</pre>
     *
     * <p>One of
     *
     * <ul>
     *   <li>a cron expression with six fields, as of Spring: the occurrence is the latest time of it that has begun, such as {@code
     *       2073-03-03T03:00}. A time that daylight saving skips begins when the clock has jumped, and one that comes twice begins the first
     *       time. If several times begin when the clock has jumped, they are one occurrence, called by the last of them
     *   <li>an interval such as {@code PT1H}, counted from 1970-01-01T00:00:00Z, whole seconds up to 366 days: the occurrence is its begin,
     *       such as {@code 2073-03-03T03:00:00Z}
     *   <li>a text with expressions over the arguments: <code>"#{#batch}"</code>. The occurrence is what it comes to
     * </ul>
     *
     * <p>The clock of this machine only names the occurrence. A call that is up to half a second early counts for the one that begins then,
     * since schedulers call a moment early where a clock was corrected. A call for an occurrence that was done is skipped: see {@link
     * #skipped()}. Records are kept for {@code leasehold.occurrence-retention}; an occurrence without one counts as not done.
     *
     * @return may be a {@code ${...}} that is one of these; empty, the default, for every call
     */
    String oncePer() default "";

    /**
     * The time zone of a cron expression in {@link #oncePer()}, which has to be the same in all processes.
     *
     * @return as {@code Europe/Berlin} or {@code UTC}, or a {@code ${...}} that is one; empty, the default, for that of this process, as with
     *     {@code @Scheduled}
     */
    String zone() default "";

    /**
     * Whether the start of the application runs the latest occurrence of {@link #oncePer()} if no process did it: for a schedule whose time
     * may come while no process runs. The method is then called on a thread of its own, with null for a {@link
     * dev.leasehold.engine.Lease}; it may have no other parameters.
     *
     * @return {@link CatchUp#NONE} by default
     */
    CatchUp catchUp() default CatchUp.NONE;

    /**
     * Over how many gate stripes the lease spreads the transactions that assert it.
     *
     * @return 0 to 64
     */
    int gateStripes() default 0;

    /**
     * What a call is answered if the lease was not acquired, or if the occurrence of {@link #oncePer()} was done before.
     *
     * @return {@link Skipped#SKIP} by default
     */
    Skipped skipped() default Skipped.SKIP;
}
