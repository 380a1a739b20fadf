package dev.leasehold.engine;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which lease is wanted, for which holder, how it is kept, and how long to wait for it. Immutable: each method returns another
 * request.
 *
 * <pre>{@code
 * LeaseRequest.of("nightly-invoices").comment("run of 3 March").waitAtMost(Duration.ofMinutes(1))
 * }</pre>
 */
public final class LeaseRequest {

    private final Values values;

    private LeaseRequest(Values values) {
        this.values = values;
    }

    /** The values of a request, which are set before it is made. */
    private static final class Values {
        private final String name;
        private @Nullable String holder;
        private @Nullable String comment;
        private @Nullable String payload;
        private @Nullable Duration term;
        private @Nullable Duration renewalPeriod;
        private int gateStripes;
        private boolean supersede;
        private @Nullable Duration atLeast;
        private @Nullable Duration atMost;
        private @Nullable Duration waitAtMost;
        private int priority;

        private Values(String name) {
            this.name = name;
        }

        private Values(Values others) {
            this.name = others.name;
            this.holder = others.holder;
            this.comment = others.comment;
            this.payload = others.payload;
            this.term = others.term;
            this.renewalPeriod = others.renewalPeriod;
            this.gateStripes = others.gateStripes;
            this.supersede = others.supersede;
            this.atLeast = others.atLeast;
            this.atMost = others.atMost;
            this.waitAtMost = others.waitAtMost;
            this.priority = others.priority;
        }
    }

    private LeaseRequest with(Consumer<Values> change) {
        Values changed = new Values(values);
        change.accept(changed);
        return new LeaseRequest(changed);
    }

    /**
     * A lease kept by the engine's session, for a holder of its own, without a comment.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return the request
     * @throws IllegalArgumentException if the name breaks its rule
     */
    public static LeaseRequest of(String name) {
        return new LeaseRequest(new Values(LeaseNames.checkName(name)));
    }

    /**
     * Names the holder. If the same holder acquires the lease again through the same engine, it gets another handle of
     * the same tenure, kept as that is already. Different holders exclude each other, in one process too, and so does the
     * same name in another engine, unless it {@linkplain #supersede(boolean) supersedes}. Without a name every
     * acquisition is a holder of its own.
     *
     * @param holder 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return the request with that holder
     * @throws IllegalArgumentException if the name breaks its rule
     */
    public LeaseRequest holder(String holder) {
        String checked = LeaseNames.checkHolder(holder);
        return with(changed -> changed.holder = checked);
    }

    /**
     * Says what the lease is for. Shown to people, in listings and refusals.
     *
     * @param comment up to 512 characters (code points), none of them a control character, so no line breaks
     * @return the request with that comment
     * @throws IllegalArgumentException if the comment breaks its rule
     */
    public LeaseRequest comment(String comment) {
        String checked = LeaseNames.checkComment(comment);
        return with(changed -> changed.comment = checked);
    }

    /**
     * Publishes a text with the lease, for programs: the address of a leader, its version, a small JSON document. {@link
     * LeaseEngine#observe}, listings and reads show it for as long as the tenure lasts. {@link Lease#updatePayload} changes it while the
     * lease is held. It ends with the tenure: the next holder begins with its own, or with none.
     *
     * <p>Each read of the lease carries it, so keep it short. A further handle of the same tenure leaves it as it is.
     *
     * @param payload up to 4,096 bytes in UTF-8, any characters but unpaired surrogates; empty for none, which is the default
     * @return the request with that payload
     * @throws IllegalArgumentException if the payload breaks its rule
     */
    public LeaseRequest payload(String payload) {
        String checked = LeaseNames.checkPayload(payload);
        return with(changed -> changed.payload = checked);
    }

    /**
     * Gives the lease a term of its own, which the engine extends, by a transaction, when a third of it is over. For a
     * lease that should be free sooner, or later, than the session length after its holder died.
     *
     * @param term longer than the engine's {@linkplain LeaseEngineBuilder#operationBudget operation budget}, to 36,500 days; checked
     *     by the engine
     * @return the request with that term
     * @throws IllegalArgumentException if the term is null
     */
    public LeaseRequest term(Duration term) {
        checkGiven("term", term);
        return with(changed -> {
            changed.term = term;
            changed.renewalPeriod = null;
        });
    }

    /**
     * As {@link #term(Duration)}, with the time between extensions.
     *
     * @param term longer than the engine's operation budget, to 36,500 days; checked by the engine
     * @param renewalPeriod from one extension to the next, 1 ms or more and below half of the term
     * @return the request with that term
     * @throws IllegalArgumentException if one of them is null
     */
    public LeaseRequest term(Duration term, Duration renewalPeriod) {
        checkGiven("term", term);
        checkGiven("renewal period", renewalPeriod);
        return with(changed -> {
            changed.term = term;
            changed.renewalPeriod = renewalPeriod;
        });
    }

    /**
     * Gives the lease gate stripes, so that as many transactions can {@linkplain Lease#assertion() assert} it at a time.
     * Without them all these transactions write one document, and of two at a time one is repeated.
     *
     * <p>Cost: each beginning and each end of a tenure writes all stripes, in a transaction, and has to find none of
     * them in an open transaction. So take about as many as there are transactions at a time, and keep these short.
     *
     * <p>Stripes stay with the lease, also for the next holder, until its documents are removed. A tenure that asks for
     * more adds some.
     *
     * @param stripes 0 to 64; 0, the default, asks for none
     * @return the request with that many
     * @throws IllegalArgumentException if there are fewer or more
     */
    public LeaseRequest gateStripes(int stripes) {
        int checked = LeaseIds.checkStripes(stripes);
        return with(changed -> changed.gateStripes = checked);
    }

    /**
     * Takes the lease at once if another engine holds it under the name of the same {@linkplain #holder(String)
     * holder}, which must be set. For a process that comes back under its own name and knows that its old incarnation
     * is dead. Otherwise this changes nothing.
     *
     * <p>A new tenure begins, with the next token, in the same write that ends the old one. From then on no transaction
     * that asserts the old tenure commits, and a {@linkplain Lease#fence(String) fence} that has seen the new token
     * refuses the old one. If the old incarnation is alive, it acts as holder until it is told that the lease was
     * {@linkplain LeaseLoss.Reason#TAKEN_OVER taken over}. Nothing limits that time, so two live processes must not
     * supersede each other.
     *
     * @param supersede whether to supersede; false is the default
     * @return the request with that answer
     */
    public LeaseRequest supersede(boolean supersede) {
        return with(changed -> changed.supersede = supersede);
    }

    /**
     * Keeps the lease free after its release until at least this time since its acquisition is over. For a short job
     * that runs on a schedule on several nodes: if the run is shorter than the time between the nodes' timers, they
     * would run it one after the other.
     *
     * <p>If the last handle, or the engine, is closed before that time is over, the releasing write stores until when
     * the lease is kept free, on this engine's clock. Until that has certainly passed no engine acquires it, this one
     * included: an acquisition is {@linkplain Refusal.Reason#NOT_YET refused}, or waits. {@link LeaseAdmin#forceExpire}
     * frees it at once. Nothing is stored if the holder dies or loses the lease, or if the lease is released
     * {@linkplain Tenures#release by its tenure}. If the holder acquired the lease several times before it let go, each
     * acquisition counts its own time, and the latest of these instants is stored.
     *
     * <p>Once the engine that released the lease is closed, an engine that has not read the lease since then counts the
     * whole time from its own first read, or from its first sight of a later stamp of the releasing engine, so a run that
     * does not wait may be skipped. {@link LeaseEngine#housekeeping()} reads all leases: call it now and then. A process
     * that is started for each run must wait for longer than this time, or it is refused each time.
     *
     * @param time 1 ms to 36,500 days; checked by the engine
     * @return the request with that time
     * @throws IllegalArgumentException if the time is null
     */
    public LeaseRequest atLeast(Duration time) {
        checkGiven("at least", time);
        return with(changed -> changed.atLeast = time);
    }

    /**
     * Limits how long the lease is held. For a job that may hang: it keeps neither the lease nor the right to write in
     * gated transactions.
     *
     * <p>When this time since the acquisition is over on this engine's clock and the lease is not closed yet, it is lost
     * with the reason {@link LeaseLoss.Reason#HELD_TOO_LONG}: {@link Lease#isHeld()} is false from that instant on, the
     * callbacks are told, and the engine releases the tenure, also one with a {@linkplain #term(Duration) term}. Once the
     * release is written, no transaction that {@linkplain Lease#assertion() asserts} the tenure commits. Nothing stops
     * the job itself. That release keeps the lease free for no time, whatever {@link #atLeast} says.
     *
     * <p>If the holder acquired the lease several times, each acquisition counts its own time, and the first that is over
     * while its handle is open ends the tenure, for all handles. A {@linkplain LeaseEngine#elect leader} stops leading
     * and competes again.
     *
     * @param time 1 ms to 36,500 days, and not shorter than {@link #atLeast}; checked by the engine
     * @return the request with that time
     * @throws IllegalArgumentException if the time is null
     */
    public LeaseRequest atMost(Duration time) {
        checkGiven("at most", time);
        return with(changed -> changed.atMost = time);
    }

    /**
     * Limits how long {@link LeaseEngine} waits while others hold the lease. The first attempt is made in any case, so zero
     * asks once and does not wait. When the wait is over, the call returns or throws the refusal.
     *
     * <p>Without it {@link LeaseEngine#acquire(LeaseRequest)} and {@link LeaseEngine#acquireAsync} wait for as long as it takes;
     * {@link LeaseEngine#tryAcquire(LeaseRequest)}, {@link LeaseEngine#tryAcquireAsync} and
     * {@link LeaseEngine#runWhileHeld(LeaseRequest, HeldTask)} do not wait. {@link LeaseEngine#elect(LeaseRequest)} refuses it.
     *
     * <p>It is counted from the call, on the engine's own clock. An attempt that has begun when it is over may last for the
     * operation budget.
     *
     * @param wait zero to 36,500 days; checked by the engine
     * @return the request with that wait
     * @throws IllegalArgumentException if the wait is null
     */
    public LeaseRequest waitAtMost(Duration wait) {
        checkGiven("wait", wait);
        return with(changed -> changed.waitAtMost = wait);
    }

    /**
     * Says how urgent it is. Of those that wait for a lease, in all engines, the one with the highest priority is served first, and of equal ones
     * the one that came first. The holder keeps the lease until it releases it. A lease that is free goes to the process that asks next.
     *
     * <p>The order is the usual one, and no promise: after the death of a holder or a forced expiry, for instance, waiters compete. A steady stream
     * of higher priorities keeps a lower one waiting.
     *
     * <p>Ignored with a {@linkplain #term(Duration) term}: only within this engine such a request goes by its priority.
     *
     * @param priority any number; 0 is the default
     * @return the request with that priority
     */
    public LeaseRequest priority(int priority) {
        return with(changed -> changed.priority = priority);
    }

    private static void checkGiven(String what, @Nullable Duration duration) {
        if (duration == null) {
            throw new IllegalArgumentException(what + " null is refused: leave it out to have none");
        }
    }

    /** {@return the lease} */
    public String name() {
        return values.name;
    }

    /** {@return the holder; empty for a holder of its own} */
    public Optional<String> holder() {
        return Optional.ofNullable(values.holder);
    }

    /** {@return what it is for; empty for nothing} */
    public Optional<String> comment() {
        return Optional.ofNullable(values.comment);
    }

    /** {@return what is published with it; empty for nothing} */
    public Optional<String> payload() {
        return Optional.ofNullable(values.payload).filter(text -> !text.isEmpty());
    }

    /** {@return its term; empty for a lease that the engine's session keeps} */
    public Optional<Duration> term() {
        return Optional.ofNullable(values.term);
    }

    /** {@return from one extension to the next; empty for a third of the term} */
    public Optional<Duration> renewalPeriod() {
        return Optional.ofNullable(values.renewalPeriod);
    }

    /** {@return how many gate stripes the lease is to have at least} */
    public int gateStripes() {
        return values.gateStripes;
    }

    /** {@return whether it is taken at once from the same holder in another engine} */
    public boolean supersede() {
        return values.supersede;
    }

    /** {@return for how long since its acquisition it is kept free after a release; empty for no time} */
    public Optional<Duration> atLeast() {
        return Optional.ofNullable(values.atLeast);
    }

    /** {@return how long since its acquisition it is held at most; empty for no limit} */
    public Optional<Duration> atMost() {
        return Optional.ofNullable(values.atMost);
    }

    /** {@return how long to wait at most while others hold the lease; empty for what the call does by itself} */
    public Optional<Duration> waitAtMost() {
        return Optional.ofNullable(values.waitAtMost);
    }

    /** {@return how urgent it is} */
    public int priority() {
        return values.priority;
    }

    @Override
    public String toString() {
        return "LeaseRequest[name=" + LeaseNames.visible(values.name) + ", holder=" + LeaseNames.visible(values.holder)
                + ", comment="
                + LeaseNames.visible(values.comment) + ", payload=" + LeaseNames.quote(values.payload) + ", term="
                + values.term
                + ", renewalPeriod=" + values.renewalPeriod + ", gateStripes=" + values.gateStripes + ", supersede="
                + values.supersede
                + ", atLeast=" + values.atLeast + ", atMost=" + values.atMost + ", waitAtMost=" + values.waitAtMost
                + ", priority="
                + values.priority + "]";
    }
}
